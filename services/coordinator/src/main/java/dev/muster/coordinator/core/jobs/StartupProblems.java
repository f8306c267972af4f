package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.effects.StateReason;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OfRank;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.Words;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What keeps pods of started jobs from running: images, settings, backends, pods of before. */
public final class StartupProblems {
    /** Of so many ranks that are made again it is found out why they are not. */
    private static final int MOST_EXPLAINED = 16;

    /** What lets a pod go that is left on a node that is not heard of. */
    private static final String LOST_NODE_REMEDY =
            "its node comes back or is deleted, or force-delete what it holds";

    /** One thing that may be in the way of a job's pods. */
    private interface Kind {
        @Nullable WaitReason reason(Tables tables, Job job);
    }

    /** What has to be out of the way first is first. */
    private static final List<Kind> KINDS =
            List.of(
                    EarlierPods::reason,
                    (_, job) -> PlanHitches.reason(job),
                    StartupProblems::hindered,
                    ElasticEnd::reason,
                    StartupProblems::roomless,
                    StartupProblems::delayed,
                    Recovery::reason,
                    Dependents::reason,
                    StuckPods::ofThoseThatLeft,
                    StartupProblems::leftBehind);

    /** The same where its pods are to go. */
    private static final List<Kind> OF_WHO_GOES =
            List.of((_, job) -> PlanHitches.reason(job), StartupProblems::held);

    /** The same while it saves: nothing comes any more. */
    private static final List<Kind> OF_WHO_SAVES =
            List.of(
                    (_, job) -> PlanHitches.reason(job),
                    StuckPods::ofThoseThatLeft,
                    StartupProblems::leftBehind);

    private final Tables tables;
    private final Jobs jobs;

    public StartupProblems(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    /** The first of what is in the way of a job's pods now; null: nothing that can be seen. */
    public static @Nullable WaitReason of(Tables tables, Job job) {
        for (var kind : kinds(job.state())) {
            var reason = kind.reason(tables, job);
            if (reason != null) {
                return reason;
            }
        }
        return null;
    }

    private static List<Kind> kinds(JobState state) {
        if (state.isLeaving() || state instanceof JobState.Ended) {
            return OF_WHO_GOES;
        }
        if (state instanceof JobState.Saving) {
            return OF_WHO_SAVES;
        }
        return state.grows() ? KINDS : List.of();
    }

    /** Its pods are to go, and those that are left do not, or their nodes are not heard of. */
    private static @Nullable WaitReason held(Tables tables, Job job) {
        var left = tables.gang(job).left().stream().filter(job::isToGo).toList();
        if (left.isEmpty()) {
            return null;
        }
        if (!left.stream().allMatch(rank -> DeadNodes.isOnDeadNode(tables, rank))) {
            var stuck = StuckPods.reason(tables, job);
            return stuck == null ? ForeignNodes.reason(tables, job) : stuck;
        }
        if (job.state() instanceof JobState.Lost) {
            return null; // It says so itself.
        }
        return onDeadNodes(tables, left, "%s is left on %s, which is not heard of%s");
    }

    /** Ranks failed and are made again, though not yet. */
    private static @Nullable WaitReason delayed(Tables tables, Job job) {
        var returning =
                tables.gang(job)
                        .returning()
                        .delayed(tables.now())
                        .filter(rank -> !Meeting.awaitsFirst(tables, job, rank))
                        .toList();
        if (returning.isEmpty()) {
            return null;
        }
        var first = returning.getFirst();
        var failure = first.sight().failure();
        return WaitReason.told(
                Code.BACKING_OFF,
                first.id().toString(),
                tables.now(),
                "it is made again at " + first.sight().due(),
                "%s is to be made again%s: %s"
                        .formatted(
                                first.id(),
                                Words.andMore(returning.size() - 1),
                                failure == null ? "its delay goes on" : failure.message()));
    }

    /** A rank is to be made again and finds no room, or may not use more. */
    private static @Nullable WaitReason roomless(Tables tables, Job job) {
        if (!tables.wakings.isSet(Alarm.Kind.ROOM, job.id())) {
            return null;
        }
        var returning = tables.gang(job).returning().due(tables.now());
        for (var rank : some(Dependents.free(tables, job, returning))) {
            if (awaitsItsNode(tables, job, rank)) {
                return silent(tables, job, rank);
            }
            var why = lack(tables, job, rank);
            if (why != null) {
                return why.saying("%s is to be made again: ".formatted(rank.id()) + why.message());
            }
        }
        for (var rank : some(Dependents.roomless(tables, job, returning))) {
            var why = lack(tables, job, rank);
            if (why != null) {
                return Dependents.reason(tables, job, rank, why);
            }
        }
        return null;
    }

    private static List<Rank> some(List<Rank> ranks) {
        return ranks.subList(0, Math.min(MOST_EXPLAINED, ranks.size()));
    }

    /** Why a rank is nowhere to be made again; null: nothing is in the way. */
    private static @Nullable WaitReason lack(Tables tables, Job job, Rank rank) {
        var excess = tables.quotas.ofAgain(job, rank);
        if (excess != null) {
            return excess.reason(tables.now());
        }
        var why = new Siblings(tables).lack(job, rank, tables.ports.takenFrom(rank));
        return why == null ? null : why.reason(tables.now());
    }

    private static boolean awaitsItsNode(Tables tables, Job job, Rank rank) {
        return !rank.sight().over()
                && DeadNodes.isOnDeadNode(tables, rank)
                && !DeadNodes.isForced(tables, job, rank);
    }

    private static WaitReason silent(Tables tables, Job job, Rank rank) {
        var node = rank.whereabouts();
        var lack =
                Successors.mayCome(tables, job, rank)
                        ? new Successors(tables).lack(job, rank)
                        : null;
        return WaitReason.told(
                Code.NODE_LOST,
                node,
                tables.now(),
                lack == null ? LOST_NODE_REMEDY : LOST_NODE_REMEDY + ", or room for another",
                lack == null
                        ? "%s is to be made again: its pod is left on %s, which is not heard of"
                                .formatted(rank.id(), node)
                        : "%s is left on %s, which is not heard of; another: %s"
                                .formatted(rank.id(), node, lack));
    }

    /** Whose pods are left on dead nodes of those that left a job which goes on; null: nobody's. */
    public static @Nullable WaitReason leftBehind(Tables tables, Job job) {
        var gang = tables.gang(job);
        if (!gang.isAnyLeaving()) {
            return null;
        }
        return onDeadNodes(
                tables,
                gang.left().stream()
                        .filter(rank -> rank.hasLeft(tables.now()) && !rank.givenUp())
                        .filter(rank -> DeadNodes.isOnDeadNode(tables, rank))
                        .toList(),
                "%s leaves, and its pod is left on %s, which is not heard of%s");
    }

    private static @Nullable WaitReason onDeadNodes(Tables tables, List<Rank> left, String words) {
        if (left.isEmpty()) {
            return null;
        }
        var first = left.getFirst();
        var node = first.whereabouts();
        var message = words.formatted(first.id(), node, Words.andMore(left.size() - 1));
        return WaitReason.told(Code.NODE_LOST, node, tables.now(), LOST_NODE_REMEDY, message);
    }

    /** Why a job is where it is: what its kubelet says before all else. */
    static StateReason word(Tables tables, Job job) {
        var why = of(tables, job);
        var rank = tables.gang(job).hindered();
        var hindrance = rank == null ? null : rank.sight().hindrance();
        var own = StateReason.of(job.state());
        if (why != null && isHeardOfAgain(job, why)) {
            return StateReason.of(why);
        }
        if (why == null || !job.state().grows()) {
            // Why its pods are to go, or how it ended, is said first.
            return why == null ? own : new StateReason(own.reason(), own.message(), why);
        }
        if (rank == null || hindrance == null || why.code() != Code.CONTAINER_WAITING) {
            return StateReason.of(why);
        }
        var failure = Failure.hindered(rank.id(), hindrance);
        return new StateReason(failure.reason(), failure.message(), why);
    }

    /**
     * A job says that it waits for nodes that are not heard of, and they are again: what it waits
     * for is that its pods go.
     */
    private static boolean isHeardOfAgain(Job job, WaitReason now) {
        return job.state() instanceof JobState.Lost && now.code() == Code.EARLIER_PODS;
    }

    /** What the job itself remembers that it waits for; null: nothing, or that is over. */
    public static @Nullable WaitReason told(Tables tables, Job job) {
        var now = of(tables, job);
        return now != null && isHeardOfAgain(job, now) ? null : StateReason.of(job.state()).waits();
    }

    private static @Nullable WaitReason hindered(Tables tables, Job job) {
        var rank = tables.gang(job).hindered();
        var hindrance = rank == null ? null : rank.sight().hindrance();
        if (rank == null || hindrance == null) {
            return null;
        }
        var since = Objects.requireNonNullElse(rank.sight().hinderedSince(), tables.now());
        return WaitReason.told(
                Code.CONTAINER_WAITING,
                rank.id().toString(),
                since,
                "an image and settings that its node can use; after %s of this it has failed"
                        .formatted(Words.of(Hindrances.LIMIT)),
                "%s: %s".formatted(rank.id(), hindrance.words()));
    }

    /** A pod was seen whose containers may or may not wait. */
    public void seen(Rank before, Rank now) {
        var subject = OfRank.of(now);
        var job = tables.job(now.job());
        if (job == null || !job.state().isUp()) {
            return;
        }
        if (now.sight().hindrance() != null) {
            tables.wakings.once(
                    Alarm.Kind.HINDERED, subject, tables.now().plus(Hindrances.limit(job)));
            return;
        }
        tables.wakings.none(Alarm.Kind.HINDERED, subject);
        if (before.sight().hindrance() != null
                && !job.times().hinderedFor().isZero()
                && tables.gang(job).hindered() == null) {
            tables.put(job.with(job.times().hinderedFor(Duration.ZERO)));
        }
    }

    /** While its pods wait to be bound, the backend's word is why, until it takes that back. */
    public void grouped(Event.GroupSeen group) {
        var job = tables.job(group.job());
        if (job == null || !job.state().grows() || job.fences().attempt() != group.attempt()) {
            return;
        }
        if (!group.unschedulable()) {
            jobs.on(job, new JobEvent.WaitOver(group.group()));
            boolean isOver = !tables.current(job).state().equals(job.state());
            if (isOver && job.state() instanceof JobState.Running) {
                tables.startsAreDue(); // A stage of it that waits for room says so again.
            }
        } else if (awaitsPods(job)) {
            jobs.explain(job, Groups.reason(group, tables.now()));
        }
    }

    private boolean awaitsPods(Job job) {
        return !(job.state() instanceof JobState.Running running)
                || running.clock() != null
                || !tables.gang(job).tally().runs();
    }
}
