package dev.muster.coordinator.core.nodes;

import dev.muster.coordinator.core.jobs.Checkpoints;
import dev.muster.coordinator.core.jobs.Departures;
import dev.muster.coordinator.core.jobs.ElasticEnd;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.Scalings;
import dev.muster.coordinator.core.jobs.Siblings;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are about to go: cordoned, or with a notice of their end by the pool's settings.
 * Elastic jobs leave them before, down to their minima, and grow again elsewhere; of the minimum
 * one leaves for each that is placed elsewhere. What cannot leave so, gangs of fixed size and those
 * for whom nobody can come, saves how far it has come if it can, and starts again elsewhere: from a
 * node that has an end at once, since what runs there is lost, from one that is only cordoned when
 * there is room.
 *
 * <p>Each job is looked at by an alarm of its own, so that no event has to move many.
 */
public final class GoingNodes {
    /** Who has nowhere else to be now is looked at again after so long. */
    public static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

    private final Tables tables;
    private final Jobs jobs;
    private final Elsewhere elsewhere;
    private final ElasticMembers members;
    private final Siblings siblings;
    private final Eligibility eligibility;

    public GoingNodes(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
        this.elsewhere = new Elsewhere(tables);
        this.members = new ElasticMembers(tables);
        this.siblings = new Siblings(tables);
        this.eligibility = tables.eligibility;
    }

    public void seen(@Nullable Node before, Node now) {
        boolean isNews = before == null || !before.looksLike(now);
        boolean wasGoing = before != null && isGoing(before);
        if (isGoing(now) && isNews || wasGoing && !isGoing(now)) {
            wake(now);
        }
    }

    private void wake(Node node) {
        for (var id : tables.residents.of(node.name())) {
            tables.wakings.at(Alarm.Kind.GOING, id, tables.now());
        }
    }

    /** A node as the settings make of it what is written on it. */
    public Node noted(Node node) {
        var spec = tables.settings().spec();
        // Who chooses the nodes himself knows taints alone, and would come back to it.
        boolean isAnnounced = !spec.backing().choosesNodes() && spec.notices().announce(node);
        return node.announced(isAnnounced);
    }

    /** Other settings make other nodes go. */
    public void reconsider() {
        for (var node : tables.capacity.nodes()) {
            var noted = noted(node);
            if (!noted.equals(node)) {
                tables.put(noted);
            }
            // Taints may have been notices, and are none any more.
            if (isGoing(noted) || !noted.equals(node) || !noted.taints().isEmpty()) {
                wake(noted);
            }
        }
    }

    private boolean isGoing(Node node) {
        return tables.settings().isGoing(node);
    }

    private boolean hasEnd(Node node) {
        return tables.settings().hasEnd(node);
    }

    /** It is on such nodes, and will be looked at again. */
    public boolean isDue(JobId id) {
        return tables.wakings.isSet(Alarm.Kind.GOING, id);
    }

    /** Takes what it can of a job off nodes that go, and leaves who is on others there. */
    public void look(JobId id) {
        var known = tables.job(id);
        if (known == null || !known.state().isUp()) {
            return;
        }
        stay(known);
        var job = tables.current(known);
        boolean asks = Checkpoints.asks(job);
        if (asks && !onGoing(job, true).isEmpty() && leave(job, onGoing(job, false))) {
            return;
        }
        var elastic = job.spec().work().elastic();
        boolean shrinks = elastic != null && shrink(job, elastic);
        var now = tables.current(job);
        var left = onGoing(now, false);
        if (left.stream().anyMatch(rank -> !isFixed(now, rank))) {
            tables.startsAreDue();
            tables.wakings.at(Alarm.Kind.GOING, id, tables.now().plus(CHECK_INTERVAL));
        }
        if (asks && !left.isEmpty()) {
            if (shrinks || grows(now, left) || !leave(now, left)) {
                tables.wakings.at(Alarm.Kind.GOING, id, tables.now().plus(CHECK_INTERVAL));
            }
        }
    }

    /**
     * Nodes of it may not be to go any more. Whoever waits for it to save stays on such a node, and
     * all of it where none of its nodes goes.
     */
    private void stay(Job known) {
        if (known.asked() == null) {
            return;
        }
        if (known.state() instanceof JobState.Saving(Then.Move _, _)
                && onGoing(known, false).isEmpty()) {
            jobs.on(known, new JobEvent.NodesStay());
            remake(tables.current(known));
            tables.startsAreDue(); // It may grow again.
        }
        for (var rank : tables.gang(known).all()) {
            if (rank.tenure().isTakenByNode()
                    && rank.tenure().awaitsCheckpoint()
                    && !rank.state().hasEnded()
                    && !Departures.isOnGoing(tables, rank)) {
                jobs.departures().stayOnNode(tables.current(known), rank.id());
            }
        }
        jobs.checkpoints().look(known.id());
        jobs.scalings().look(known.id());
    }

    /** Nobody was made again while it saved. */
    private void remake(Job job) {
        if (job.state() instanceof JobState.Running && !tables.gang(job).returning().isEmpty()) {
            tables.wakings.at(Alarm.Kind.REMAKE, job.id(), tables.now());
        }
    }

    /**
     * @param fixed those alone that do not leave while their job stays
     */
    private List<Rank> onGoing(Job job, boolean fixed) {
        return tables.gang(job).members().stream()
                .filter(rank -> !rank.state().hasEnded())
                .filter(rank -> !fixed || isFixed(job, rank))
                .filter(rank -> members.isOnGoing(rank, job.spec().role(rank.id().role())))
                .toList();
    }

    private static boolean isFixed(Job job, Rank rank) {
        return !job.spec().work().isElastic(rank.id().role())
                || job.spec().isMeetingPoint(rank.id());
    }

    /**
     * The ranks of its elastic role leave, the highest indices first, down to its minimum; none
     * once the role is ending, when the success of those that run is awaited.
     */
    private boolean shrink(Job job, JobSpec.Elastic elastic) {
        if (ElasticEnd.isOn(tables, job, elastic.role())) {
            return false;
        }
        var leaving =
                leaving(job, job.spec().role(elastic.role())).stream()
                        .limit(members.spare(job, elastic))
                        .map(Rank::id)
                        .toList();
        if (leaving.isEmpty()) {
            return false;
        }
        var choice = Departures.Choice.ofNodes("nodes of it are about to go");
        jobs.departures().leaveWithOthers(job, leaving, choice);
        jobs.scalings().look(job.id());
        tables.startsAreDue();
        return true;
    }

    /**
     * Who may leave now, the highest indices first, critical ones after the others. The last one
     * that runs stays until another does: what all of them have in memory would be lost with it.
     */
    private List<Rank> leaving(Job job, JobSpec.Role role) {
        var all = tables.gang(job).members(role.name());
        var going =
                all.stream()
                        .filter(rank -> leaves(job, rank, role))
                        .sorted(Comparator.comparing(rank -> !job.spec().isCritical(rank.id())))
                        .toList();
        boolean othersRun =
                all.stream().anyMatch(rank -> runs(job, rank) && !leaves(job, rank, role));
        var last = going.stream().filter(rank -> !othersRun && runs(job, rank)).findFirst();
        return going.reversed().stream()
                .filter(rank -> last.isEmpty() || !last.get().id().equals(rank.id()))
                .toList();
    }

    private static boolean runs(Job job, Rank rank) {
        return rank.state() == RankState.RUNNING && Scalings.isThere(job, rank);
    }

    private boolean leaves(Job job, Rank rank, JobSpec.Role role) {
        return !job.spec().isMeetingPoint(rank.id())
                && !rank.state().hasEnded()
                && members.isOnGoing(rank, role);
    }

    /** More of it is to come elsewhere, and then these may leave. */
    private boolean grows(Job job, List<Rank> left) {
        var elastic = job.spec().work().elastic();
        if (elastic == null || left.stream().anyMatch(rank -> isFixed(job, rank))) {
            return false;
        }
        var role = job.spec().role(elastic.role());
        boolean isToCome =
                members.lacksOfWish(job, role)
                        && left.stream().noneMatch(this::isOnEnding)
                        && mayGrow(job, role);
        return isToCome
                || comes(job, leaver(job))
                || leaving(job, role).isEmpty() && isComing(job, role);
    }

    /** Some are placed elsewhere that do not run yet: the last one waits for them. */
    private boolean isComing(Job job, JobSpec.Role role) {
        return tables.gang(job).members(role.name()).stream()
                .anyMatch(rank ->
                        !rank.state().hasEnded()
                                && !runs(job, rank)
                                && !members.isOnGoing(rank, role));
    }

    /** What has no quota for one more, or has to lie together, may have both as a whole alone. */
    private boolean mayGrow(Job job, JobSpec.Role role) {
        var shape = siblings.next(job, role, 1);
        return eligibility.mayUse(job, shape, By.GROWING_JOB)
                && (shape.topology().policy() != Topology.Policy.REQUIRE || fits(job, shape));
    }

    /** Another pod has quota and room now, in whose place it may be. */
    private boolean comes(Job job, @Nullable Rank leaver) {
        if (leaver == null) {
            return false;
        }
        var shape = siblings.successor(job, leaver);
        return eligibility.mayUse(job, shape, By.STARTED_JOB) && fits(job, shape);
    }

    private boolean fits(Job job, Shape shape) {
        return tables.capacity.placed(shape, siblings.of(job, shape)) != null;
    }

    /**
     * A rank of the elastic role on such a node that another pod lets leave; null: there is none.
     * Where all that is wished is there one leaves as the other is placed, in the same step.
     */
    public @Nullable Rank leaver(Job job) {
        var elastic = job.spec().work().elastic();
        if (elastic == null || !job.state().grows() || isToLeaveUnasked(job)) {
            return null;
        }
        var role = job.spec().role(elastic.role());
        if (members.beyondMinimum(job, elastic) > 0 || ElasticEnd.isOn(tables, job, role.name())) {
            return null;
        }
        var leaving = leaving(job, role);
        boolean isToCome = members.lacksOfWish(job, role);
        if (!leaving.isEmpty() && (isToCome || !tables.capacity.isDelegated())) {
            return leaving.getFirst();
        }
        return isToCome
                ? onGoing(job, false).stream()
                        .filter(rank -> !isFixed(job, rank))
                        .findFirst()
                        .orElse(null)
                : null;
    }

    /**
     * All of it is to leave together with those that do not leave alone, and cannot be asked to
     * save before: whoever came in the place of one would be there already, and beyond the wish.
     */
    private boolean isToLeaveUnasked(Job job) {
        return Checkpoints.asks(job)
                && tables.gang(job).isImpaired()
                && !onGoing(job, true).isEmpty();
    }

    /**
     * The job as a whole starts again elsewhere.
     *
     * @return false when it stays, since it may be whole later and save, there is no room for it,
     *     or its work is nearly done
     */
    private boolean leave(Job job, List<Rank> left) {
        var elastic = job.spec().work().elastic();
        boolean isNearlyDone = elastic != null && ElasticEnd.isOn(tables, job, elastic.role());
        boolean leaves =
                left.stream().anyMatch(this::isOnEnding)
                        || !isNearlyDone && !elsewhere.isToBeWhole(job) && elsewhere.isRoom(job);
        if (leaves) {
            var node = left.getFirst().making().node();
            jobs.on(job, new JobEvent.NodesGo("its node %s is about to go".formatted(node)));
            withdraw(tables.current(job));
        }
        return leaves;
    }

    /** Whoever was to come in the place of one that leaves does not: now all leave together. */
    private void withdraw(Job job) {
        var elastic = job.spec().work().elastic();
        if (elastic == null || !job.state().isUp()) {
            return;
        }
        var role = job.spec().role(elastic.role());
        var beyond =
                tables.gang(job).members(role.name()).reversed().stream()
                        .filter(rank -> job.defers(rank) && !rank.tenure().isBrought())
                        .limit(members.beyondWish(job, role))
                        .map(Rank::id)
                        .toList();
        if (!beyond.isEmpty()) {
            jobs.departures().giveUp(job, beyond);
        }
    }

    private boolean isOnEnding(Rank rank) {
        var node = tables.capacity.node(rank.making().node());
        return node != null && hasEnd(node);
    }
}
