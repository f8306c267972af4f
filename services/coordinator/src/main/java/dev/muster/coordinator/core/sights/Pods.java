package dev.muster.coordinator.core.sights;

import dev.muster.coordinator.core.failures.Failures;
import dev.muster.coordinator.core.failures.InPlaceRestarts;
import dev.muster.coordinator.core.jobs.DeadNodes;
import dev.muster.coordinator.core.jobs.Hindrances;
import dev.muster.coordinator.core.jobs.Hooks;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.LostNodes;
import dev.muster.coordinator.core.jobs.OnlyLost;
import dev.muster.coordinator.core.jobs.Plans;
import dev.muster.coordinator.core.jobs.Relocation;
import dev.muster.coordinator.core.jobs.StartupProblems;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OfRank;
import dev.muster.coordinator.core.model.Alarm.Subject.OnNode;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PodSight;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.starts.Stages;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is seen of our pods, and what it means for their ranks. */
public final class Pods {
    /** How many pods one step declares gone. */
    private static final int SWEEP = 100;

    /** Of how many that left and never had a pod one piece of work tells. */
    private static final int NEVER_MADE = 50;

    private final Tables tables;
    private final Jobs jobs;
    private final Failures failures;
    private final LostNodes lost;
    private final InPlaceRestarts inPlace;
    private final Hooks hooks;
    private final StartupProblems obstacles;
    private final RankChanges changes;

    public Pods(
            Tables tables,
            Journal journal,
            Jobs jobs,
            Stages stages,
            Failures failures,
            LostNodes lost) {
        this.tables = tables;
        this.jobs = jobs;
        this.failures = failures;
        this.lost = lost;
        this.inPlace = new InPlaceRestarts(tables, journal, jobs);
        this.hooks = jobs.scalings().hooks();
        this.obstacles = new StartupProblems(tables, jobs);
        this.changes = new RankChanges(tables, journal, jobs, stages, failures);
    }

    void seen(JobId id, Pod pod) {
        var job = tables.job(id);
        if (job == null) {
            return;
        }
        var rank = tables.gang(job).get(pod.mark().rank());
        if (rank == null && hooks.seen(job, pod)) {
            return;
        }
        boolean isAnother = rank != null && isAnother(rank, pod.mark());
        if (rank != null && isAnother && job.state().isUp()) {
            replaced(job, rank, pod.deleting());
            return;
        }
        if (rank == null
                || !rank.making().isOf(pod.mark())
                || isAnother && rank.state().hasEnded()) {
            repairUnlessListed(job, rank, pod);
            return;
        }
        if (pod.mark().podUid().equals(rank.sight().podUid())
                && (pod.resourceVersion() < rank.sight().resourceVersion()
                        || rank.sight().gone())) {
            isThere(rank);
            return;
        }
        var next = rank.with(rank.making().on(pod.node()), sight(job, rank, pod));
        changes.put(job, rank, next, pod.main() == null ? null : pod.main().exitCode());
        if (rank.is(InPlace.ASKED)) {
            inPlace.seen(job.id(), rank.id());
        } else if (!next.isLeaving()
                && pod.runs() != null
                && rank.sight().failuresUntil(pod.runs()) > 0) {
            int times = rank.sight().failuresUntil(pod.runs());
            var failure = Failure.restarted(rank.id(), pod.runs().last());
            failures.restartedInItsPod(id, rank.id(), times, failure);
        }
        if (!next.isLeaving()) {
            Relocation.watch(tables, next);
            obstacles.seen(rank, next);
        }
        if (!job.state().isUp()) {
            repairUnlessListed(job, next, pod);
        }
    }

    /** How it was earlier is no news; that it is listed is, to a snapshot under way. */
    private void isThere(Rank rank) {
        if (!rank.sight().gone()) {
            tables.put(rank.with(rank.sight().at(tables.clock().tick())));
        }
    }

    /** A second pod of the same making: it has the name of the one that was seen before. */
    private static boolean isAnother(Rank rank, PodMark mark) {
        return rank.making().isOf(mark)
                && rank.sight().podUid() != null
                && !rank.sight().podUid().equals(mark.podUid());
    }

    /** It has vanished, though nobody told; what pod-manager made in its stead begins anew. */
    private void replaced(Job job, Rank rank, boolean isOtherLeaving) {
        if (!rank.sight().gone()) {
            changes.vanished(job, rank);
        }
        if (!isOtherLeaving && Plans.isApplied(tables.current(job))) {
            repair(job);
        }
    }

    private PodSight sight(Job job, Rank rank, Pod pod) {
        var before = rank.sight();
        // Whoever's room was given back has ended, and an end stays what it was seen to be first.
        boolean wasReleased = before.released() && pod.mark().podUid().equals(before.podUid());
        boolean over =
                pod.phase() == PodPhase.SUCCEEDED || pod.phase() == PodPhase.FAILED || wasReleased;
        boolean stays = rank.state().hasEnded() || InPlaceRestarts.isAwaited(rank, pod);
        var state = stays ? rank.state() : state(job, rank, pod);
        var failure =
                before.failure() != null || state != RankState.FAILED
                        ? before.failure()
                        : Failure.of(rank.id(), pod, before.deleting());
        boolean released = wasReleased || over && !RankChanges.keepsRoom(job, rank, state);
        var restart = InPlaceRestarts.after(rank, pod);
        var judged = new PodSight.Judgement(state, released, failure, restart);
        var hinderedSince = Hindrances.since(before, pod, tables.now());
        return before.seen(pod, judged, over, hinderedSince, tables.clock().tick());
    }

    /** A job that goes, or a rank that does, has its pods deleted by nobody else. */
    private static RankState state(Job job, Rank rank, Pod pod) {
        var role = job.spec().role(rank.id().role());
        return job.state().isUp() && !rank.isLeaving()
                ? RankState.of(pod, role, rank.sight().deleting())
                : RankState.of(pod, role);
    }

    void restartFailed(JobId id, PodMark mark, String message) {
        inPlace.failed(id, mark, message);
    }

    void gone(JobId id, PodMark mark) {
        var job = tables.job(id);
        var rank = tables.rank(id, mark.rank());
        if (job != null && rank == null) {
            hooks.gone(job, mark);
        }
        if (job != null && rank != null && isFormer(rank, mark)) {
            LostNodes.nothingIsElsewhere(tables, job, rank);
        }
        if (job != null
                && rank != null
                && rank.making().isOf(mark)
                && !rank.sight().gone()
                && (rank.sight().podUid() == null || rank.sight().podUid().equals(mark.podUid()))) {
            changes.vanished(job, rank);
        }
    }

    /** Of a making before this one, of which no pod was seen yet. */
    private static boolean isFormer(Rank rank, PodMark mark) {
        var making = rank.making();
        return making.former() != null
                && rank.sight().podUid() == null
                && mark.attempt() == making.attempt()
                && mark.incarnation() < making.incarnation();
    }

    /** A pod that the last list did not have: somebody woke late and made it. */
    private void repairUnlessListed(Job job, @Nullable Rank rank, Pod pod) {
        boolean listed = rank != null && pod.mark().podUid().equals(rank.listed());
        if (!listed && !pod.deleting() && Plans.isApplied(job)) {
            repair(job);
        }
    }

    private void repair(Job job) {
        tables.wakings.once(Alarm.Kind.REPAIR, job.id(), tables.now().plus(Jobs.REPAIR_INTERVAL));
    }

    /** The job has waited long enough for a node that is not heard of, or is not to wait for it. */
    public void nodeLost(OnNode awaited) {
        var job = tables.job(awaited.job());
        boolean isByWord = job != null && DeadNodes.isByWord(tables, job, awaited);
        if (job == null || !isByWord && !DeadNodes.isDead(tables, awaited.node())) {
            return;
        }
        boolean isEnded = !job.state().keepsRoom() && !job.state().isLeaving();
        if (isEnded && DeadNodes.ofEnded(tables, job, awaited).isEmpty()) {
            return; // Nobody asked yet that its pods go.
        }
        if (!isByWord && Blindness.putsOff(tables, Alarm.Kind.NODE_LOST, awaited)) {
            return;
        }
        if (isEnded) {
            jobs.force(job, DeadNodes.ofEnded(tables, job, awaited));
        } else {
            giveUp(job, awaited);
        }
    }

    /** What is not known to have ended there counts as lost. */
    void giveUp(Job job, OnNode there) {
        for (var before : tables.gang(job).all()) {
            var now = tables.current(job);
            var rank = tables.gang(now).get(before.id());
            if (rank == null || !there.has(rank) || rank.sight().gone()) {
                continue;
            }
            if (rank.isLeaving() && now.state().isUp()) {
                lost.leftBehind(now, rank);
                continue;
            }
            changes.put(now, rank, rank.with(lost(now, rank, there.node())), null);
        }
        var now = tables.job(job.id());
        if (now != null && now.state().isLeaving()) {
            if (DeadNodes.isAllLost(tables, now, there)) {
                // Set for the others where the first of them made an end of it: they are, too.
                tables.wakings.none(Alarm.Kind.NODE_LOST, there);
            }
            OnlyLost.look(tables, jobs, job.id());
        }
        failures.look(job.id()); // Nobody waits any more for who leaves and is left there.
        jobs.scalings().look(job.id());
    }

    private PodSight lost(Job job, Rank rank, String node) {
        var sight = rank.sight();
        var failure = Failure.onLostNode(rank.id(), node);
        if (job.state().isUp() && !rank.state().hasEnded()) {
            return sight.failed(tables.clock().tick(), sight.released(), failure, null);
        }
        boolean isKnown = job.state().isUp() && sight.over();
        return sight.judged(rank.state(), sight.released(), isKnown ? sight.failure() : failure);
    }

    /** Its image or its settings cannot be used: waiting longer cannot help. */
    public void hindered(OfRank hindered) {
        var job = tables.job(hindered.job());
        var rank = tables.rank(hindered.job(), hindered.rank());
        var hindrance = rank == null ? null : rank.sight().hindrance();
        if (job == null || rank == null || hindrance == null || !job.state().isUp()) {
            return;
        }
        if (rank.state().hasEnded()) {
            return; // By its gang's timeout, say, or with its node, and what it is stays so.
        }
        if (Blindness.putsOff(tables, Alarm.Kind.HINDERED, hindered)) {
            return;
        }
        if (DeadNodes.isUnheardOf(tables, rank)) {
            // Nobody says what has become of it. That its node is lost decides, or it has its time
            // anew once that is heard of.
            var later = tables.now().plus(Alarm.RETRY_INTERVAL);
            tables.wakings.at(Alarm.Kind.HINDERED, hindered, later);
            return;
        }
        tables.put(job.with(job.times().hinderedFor(Duration.ZERO)));
        var failure = Failure.hindered(rank.id(), hindrance);
        var next = rank.with(rank.sight().failed(tables.clock().tick(), false, failure, null));
        changes.put(tables.current(job), rank, next, null);
    }

    /**
     * Declares gone what was seen last before {@code tick}.
     *
     * @return false when some are left for another step
     */
    boolean goneBefore(long tick, Predicate<JobId> covered) {
        hooks.goneBefore(tick, covered);
        int left = SWEEP;
        for (var id : tables.jobsWithRanks()) {
            for (var before : covered.test(id) ? ranks(id) : List.<Rank>of()) {
                var job = tables.job(id);
                var rank = tables.rank(id, before.id());
                if (job == null || rank == null) {
                    continue;
                }
                if (job.state().isUp() && rank.isListedUnseen()) {
                    repair(job); // It may have been deleted while nobody watched.
                }
                var sight = rank.sight();
                if (sight.podUid() == null || sight.gone() || sight.at() >= tick) {
                    continue;
                }
                if (left-- == 0) {
                    return false;
                }
                changes.vanished(job, rank);
            }
        }
        return true;
    }

    private List<Rank> ranks(JobId id) {
        var job = tables.job(id);
        return job == null ? List.of() : tables.gang(job).all();
    }

    /**
     * Pod-manager's list after a plan was carried out.
     *
     * @return false when work is left: the same list is to be given again
     */
    boolean listed(Job job, List<Event.ListedPod> pods) {
        var podUids = new LinkedHashMap<RankId, Event.ListedPod>();
        pods.stream()
                .filter(pod -> pod.uid().equals(job.id().uid()))
                .forEach(pod -> podUids.put(pod.mark().rank(), pod));
        var left = new ArrayList<RankId>();
        for (var before : tables.gang(job).all()) {
            var now = tables.current(job);
            var rank = tables.gang(now).get(before.id());
            if (rank == null) {
                continue; // What followed from the one before made an end of it.
            }
            var pod = podUids.get(rank.id());
            var uid = pod == null ? null : pod.mark().podUid();
            if (!Objects.equals(uid, rank.listed())) {
                tables.put(rank.listed(uid));
            }
            boolean neverMade = pod == null && rank.sight().podUid() == null;
            boolean isOver = !now.state().isUp() || rank.hasLeft(tables.now());
            if (neverMade && isOver && now.state().isUp()) {
                left.add(rank.id());
            } else if (neverMade && isOver && !rank.sight().gone()) {
                changes.vanished(now, rank.listed(uid));
            } else if (pod != null && now.state().isUp() && isAnother(rank, pod.mark())) {
                replaced(now, rank.listed(uid), pod.deleting());
            }
        }
        if (!job.state().isUp() && tables.gang(job).all().stream().anyMatch(Rank::isListedUnseen)) {
            // If it goes before anybody watches again, only another list can say so.
            repair(job);
        }
        return neverMade(tables.current(job), left);
    }

    private boolean neverMade(Job job, List<RankId> left) {
        if (left.isEmpty() || !job.state().isUp()) {
            return left.isEmpty();
        }
        var gang = tables.gang(job);
        changes.left(
                job,
                left.stream().limit(NEVER_MADE).map(gang::get).filter(Objects::nonNull).toList());
        return left.size() <= NEVER_MADE;
    }
}
