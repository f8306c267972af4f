package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are not heard of, and what is to become of the jobs that have pods there. Nobody knows
 * whether those pods still run: until they are gone, or somebody says that they may be forgotten,
 * nothing is started in their stead.
 */
public final class LostNodes {
    private final Tables tables;
    private final Jobs jobs;

    public LostNodes(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    /**
     * Who waits for a node, and which.
     *
     * @param role whose ranks there are meant; null: those of all, as somebody's word means them
     */
    public record Awaited(JobId job, String node, @Nullable String role) {
        static Awaited of(Rank rank) {
            return new Awaited(rank.job(), rank.whereabouts(), rank.id().role());
        }

        /** As alarms name it. */
        public static Awaited parse(String subject) {
            var parts = subject.split(" ");
            return new Awaited(
                    JobId.parse(parts[0]), parts[1], parts.length == 2 ? null : parts[2]);
        }

        public boolean isBy(Rank rank) {
            return rank.whereabouts().equals(node)
                    && (role == null || rank.id().role().equals(role));
        }

        public String subject() {
            return job + " " + node + (role == null ? "" : " " + role);
        }
    }

    /** A node went silent, or was heard of again: each role there has its own patience. */
    public void seen(@Nullable Node before, Node now) {
        if (before == null) {
            remember(now.name(), false); // Its pods may have run on while it was nobody's.
        }
        if (now.ready()) {
            // Whatever is there by now, and of whom: the next silence counts anew.
            tables.alarms
                    .ofNode(now.name())
                    .forEach(subject -> tables.silence(Alarm.Kind.NODE_LOST, subject));
        }
        if (isHeardOf(now) && (before == null || !isHeardOf(before))) {
            tables.residents.of(now.name()).forEach(id -> heard(id, now.name()));
        }
        if (now.ready() && (before == null || !before.ready())) {
            tables.residents.of(now.name()).forEach(id -> noWordHolds(id, now.name()));
        }
        if (before != null && before.ready() == now.ready()) {
            return;
        }
        for (var id : tables.residents.of(now.name())) {
            var job = tables.job(id);
            if (job != null && !now.ready()) {
                awaitThere(job, now.name());
            }
            if (job != null && awaitsPods(job)) {
                if (now.ready()) {
                    JobAlarms.heard(tables, job);
                }
                jobs.gather(job, Job.Due.STATUS); // What holds them is another now.
            }
        }
    }

    /** Pods of it are to go, as its status may say. */
    private boolean awaitsPods(Job job) {
        return tables.gang(job).left().stream()
                .anyMatch(rank -> job.isToGo(rank) || rank.isLeaving());
    }

    private static boolean isHeardOf(Node node) {
        return node.ready() && !node.silent();
    }

    private void heard(JobId id, String node) {
        var job = tables.job(id);
        if (job == null) {
            return;
        }
        var heard = job.past().budgets().heard(node);
        if (!heard.equals(job.past().budgets())) {
            tables.put(job.with(job.past().charged(heard)));
        }
    }

    /** Its pods there may run on: another silence is another loss. */
    private void noWordHolds(JobId id, String node) {
        var job = tables.job(id);
        if (job == null) {
            return;
        }
        for (var rank : tables.gang(job).all()) {
            if (rank.givenUp() && rank.whereabouts().equals(node)) {
                tables.put(rank.heardOf());
            }
        }
    }

    private void awaitThere(Job job, String node) {
        var roles = new TreeSet<String>();
        for (var rank : tables.gang(job).all()) {
            boolean isThere = rank.whereabouts().equals(node) && !rank.sight().gone();
            if (isThere && roles.add(rank.id().role())) {
                await(tables, job, rank);
            }
        }
    }

    private static void await(Tables tables, Job job, Rank rank) {
        var after = job.spec().failureOf(rank.id().role()).nodeLost().after();
        var subject = Awaited.of(rank).subject();
        tables.alarmOnce(Alarm.Kind.NODE_LOST, subject, tables.now().plus(after));
    }

    /** A node is the pool's no more: what it held is remembered to be nobody's, if it is gone. */
    public void left(String node, boolean gone) {
        remember(node, gone);
        for (var id : tables.residents.of(node)) {
            var job = tables.job(id);
            if (job != null && awaitsPods(job)) {
                jobs.gather(job, Job.Due.STATUS);
            }
        }
    }

    private void remember(String node, boolean gone) {
        for (var id : tables.residents.of(node)) {
            var job = tables.job(id);
            if (job != null) {
                tables.gang(job).all().forEach(rank -> remember(job, rank, node, gone));
            }
        }
    }

    private void remember(Job job, Rank rank, String node, boolean gone) {
        var making = rank.making();
        if (making.node().equals(node) && making.nodeGone() != gone) {
            tables.put(rank.with(making.nodeGone(gone), rank.sight()));
        } else if (gone && node.equals(making.former())) {
            nothingIsElsewhere(tables, job, rank);
        }
    }

    /** What an earlier making of it had left on another node is gone. */
    public static void nothingIsElsewhere(Tables tables, Job job, Rank rank) {
        var own = rank.with(rank.making().former(null), rank.sight());
        tables.put(own);
        met(tables, job, own);
    }

    /** Whether it is still silent; a node that is no more takes its pods along. */
    public boolean isSilent(String name) {
        return isSilent(tables, name);
    }

    private static boolean isSilent(Tables tables, String name) {
        var node = tables.capacity.node(name);
        return node != null && !node.ready();
    }

    /**
     * Pods of the job are to go from now on, or stay after all: it waits for silent nodes as long
     * as ever. What is to go and was lost with its node already waits no second time.
     */
    static void await(Tables tables, Job job) {
        for (var rank : tables.gang(job).left()) {
            if (job.state().isUp() || !isLost(tables, rank)) {
                met(tables, job, rank);
            }
        }
    }

    /**
     * One of its ranks is on this node, as is known now: if the node is silent already, its silence
     * is no news that would still come.
     */
    public static void met(Tables tables, Job job, Rank rank) {
        if (isSilent(tables, rank.whereabouts())) {
            await(tables, job, rank);
        }
    }

    /** Else it still awaits there who had ended before, and is not known to be lost. */
    public boolean isAllLost(Job job, Awaited there) {
        return tables.gang(job).left().stream().filter(there::isBy).allMatch(LostNodes::isLost);
    }

    /**
     * Of a job that has ended, and whose pods are kept that have: who may be forced there, since he
     * has not and was told to go.
     */
    public List<RankId> ofEnded(Job job, Awaited there) {
        return tables.gang(job).left().stream()
                .filter(rank -> there.isBy(rank) && !rank.sight().over())
                .filter(rank -> job.spec().failureOf(rank.id().role()).nodeLost().force())
                .filter(_ -> job.spec().cleanup() != JobSpec.Cleanup.NONE)
                .map(Rank::id)
                .toList();
    }

    /** What it left on a silent node may be deleted without the kubelet's word. */
    public boolean mayBeForced(Job job, Rank rank) {
        return mayBeForced(tables, job, rank);
    }

    static boolean mayBeForced(Tables tables, Job job, Rank rank) {
        return rank.givenUp()
                || isLost(tables, rank)
                        && job.spec().failureOf(rank.id().role()).nodeLost().force();
    }

    /** Somebody has given up all that is there, and nobody waits for it. */
    public boolean isByWord(Job job, Awaited there) {
        var ranks =
                tables.gang(job).all().stream()
                        .filter(rank -> there.isBy(rank) && !rank.sight().gone())
                        .toList();
        return there.role() == null && !ranks.isEmpty() && ranks.stream().allMatch(Rank::givenUp);
    }

    /** Its pod may be there still, on a dead node, and is made again without its word. */
    public static boolean isForced(Tables tables, Job job, Rank rank) {
        return !rank.sight().over() && isOnDeadNode(tables, rank) && mayBeForced(tables, job, rank);
    }

    /**
     * Pods that somebody has given up and that are still there, on nodes that are still dead; and
     * those in whose place others were made by force, as long as that may not be carried out.
     */
    static List<ForcedPods> givenUp(Tables tables, Job job) {
        return tables.gang(job).left().stream()
                .map(rank -> givenUp(tables, rank))
                .filter(Objects::nonNull)
                .toList();
    }

    private static @Nullable ForcedPods givenUp(Tables tables, Rank rank) {
        return rank.givenUp() && (isOnDeadNode(tables, rank) || ForeignNodes.holds(tables, rank))
                ? ForcedPods.of(rank.id())
                : replaced(rank);
    }

    /** What is there of makings of it in whose place another was made by force. */
    private static @Nullable ForcedPods replaced(Rank rank) {
        int before = forcedBefore(rank);
        return before == 0 ? null : new ForcedPods(rank.id(), before);
    }

    /**
     * What is there of makings of it before this incarnation is forced; 0: nothing is. All its pods
     * have one name: nothing of them is there once one of the newest was seen.
     */
    public static int forcedBefore(Rank rank) {
        var sight = rank.sight();
        return sight.podUid() == null && !sight.gone() ? rank.making().forced() : 0;
    }

    /**
     * Of a job that goes on: those of ranks that leave it, and are to be there no more; and those
     * of earlier makings of the others, unless the newest forces them itself.
     */
    static List<ForcedPods> forced(Tables tables, Job job) {
        return tables.gang(job).left().stream()
                .map(rank -> {
                    if (rank.isLeaving() && !job.wants(rank, tables.now())) {
                        return givenUp(tables, rank);
                    }
                    return rank.making().forces() ? null : replaced(rank);
                })
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * What its node holds of a rank that leaves is lost: it is forced, or left behind until the
     * node is heard of.
     */
    public void leftBehind(Job job, Rank rank) {
        var sight = rank.sight();
        var failure = Failure.onLostNode(rank.id(), rank.whereabouts());
        var judged = sight.judged(rank.state(), sight.released(), failure, sight.inPlace());
        var lost = rank.with(judged);
        tables.put(lost);
        if (!mayBeForced(job, lost)) {
            return;
        }
        var forced = lost.givingUp();
        // Nobody hears on a dead node that he has time.
        boolean isTold = !rank.isUntold() && !job.holds(rank) && !rank.hasLeft(tables.now());
        tables.put(isTold ? forced.leaving(tables.now()) : forced);
        jobs.gather(tables.current(job), Job.Due.PLAN_AND_STATUS);
    }

    /** It leaves, and its pod is left on a node that was given up: nobody waits for its end. */
    public static boolean isLeftBehind(Tables tables, Rank rank) {
        return rank.hasLeft(tables.now()) && isLost(tables, rank) && !rank.givenUp();
    }

    /** In this silence of its node: if that was heard of meanwhile, it is awaited anew. */
    static boolean isLost(Tables tables, Rank rank) {
        return isLost(rank)
                && isSilent(tables, rank.whereabouts())
                && (rank.givenUp() || !isAwaited(tables, rank));
    }

    private static boolean isAwaited(Tables tables, Rank rank) {
        return tables.alarms.get(Alarm.Kind.NODE_LOST, Awaited.of(rank).subject()) != null;
    }

    /** It was given up with its node. */
    static boolean isLost(Rank rank) {
        var failure = rank.sight().failure();
        return failure != null && failure.isWithItsNode();
    }

    /**
     * Its node is known to be silent, or was known and is no more. Of a node that was never known
     * nothing is known: it may be another pool's, or its pod is bound to none yet.
     */
    public boolean isOnDeadNode(Rank rank) {
        return isOnDeadNode(tables, rank);
    }

    /** Its node is dead, or may be: it has ceased to renew its lease. */
    public boolean isUnheardOf(Rank rank) {
        return isUnheardOf(tables, rank);
    }

    static boolean isUnheardOf(Tables tables, Rank rank) {
        var node = tables.capacity.node(rank.whereabouts());
        return node != null && node.silent() || isOnDeadNode(tables, rank);
    }

    public static boolean isOnDeadNode(Tables tables, Rank rank) {
        return isDead(tables, rank, rank.whereabouts());
    }

    /** The node that it is to have is dead, whether or not anything of it is there. */
    public boolean isForDeadNode(Rank rank) {
        return isDead(tables, rank, rank.making().node());
    }

    private static boolean isDead(Tables tables, Rank rank, String name) {
        var node = tables.capacity.node(name);
        return node == null
                ? rank.making().nodeGone() && name.equals(rank.making().node())
                : !node.ready();
    }
}
