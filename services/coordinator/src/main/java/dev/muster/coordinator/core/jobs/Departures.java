package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Taker;
import dev.muster.coordinator.core.state.DrainTimes;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that leave while their job goes on: they are not made again, and their ends are nobody's
 * failure.
 */
public final class Departures {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;

    Departures(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
    }

    /**
     * Why ranks leave that nobody forces to.
     *
     * @param drain how long their processes have to end by themselves before their pods are
     *     deleted; null: as {@link DrainTimes} has it
     * @param later that is told to them later
     * @param message one sentence for people
     */
    public record Choice(@Nullable Duration drain, boolean later, Taker taker, String message) {
        private static final Choice AT_ONCE = new Choice(Duration.ZERO, false, Taker.NOBODY, "");

        /** No command is carried out by it. */
        public static Choice of(String message) {
            return new Choice(null, false, Taker.NOBODY, message);
        }

        /** Their nodes are about to go. */
        public static Choice ofNodes(String message) {
            return new Choice(null, false, Taker.NODE, message);
        }

        /** A command takes them. */
        static Choice of(Scaling asked, @Nullable Duration drain) {
            return new Choice(drain, false, Taker.command(asked), asked.message());
        }

        /** A command takes them, and its hook runs before they are told how long they have. */
        static Choice afterHook(Scaling asked) {
            return new Choice(null, true, Taker.command(asked), asked.message());
        }
    }

    /** They leave at once, without a word to their job: what came to nothing. */
    void takeBack(Job job, List<RankId> ranks) {
        take(job, ranks, Choice.AT_ONCE, null);
        publish(job, ranks);
    }

    /** They leave, once the job has saved how far it has come if it is to be asked before. */
    public void leave(Job job, List<RankId> ranks, Choice choice) {
        publish(left(job, ranks, choice), ranks);
    }

    /** The same, by one plan with whatever else becomes of the job now. */
    public void leaveWithOthers(Job job, List<RankId> ranks, Choice choice) {
        var now = left(job, ranks, choice);
        jobs.gather(now, Job.Due.PLAN_AND_STATUS);
    }

    private Job left(Job job, List<RankId> ranks, Choice choice) {
        boolean isAsked =
                jobs.checkpoints().asksNow(job) && ranks.stream().anyMatch(id -> runs(job, id));
        var now = isAsked ? jobs.checkpoints().asked(job, choice.message()) : job;
        take(now, ranks, choice, now.asked());
        return now;
    }

    /** Who is not needed any more leaves with the job's next plan, without a word to his job. */
    public void giveUp(Job job, List<RankId> ranks) {
        take(job, ranks, Choice.AT_ONCE, null);
        jobs.gather(job, Job.Due.PLAN_AND_STATUS);
    }

    /** Those that were to leave later do with the job's next plan, whatever they waited for. */
    void leaveNow(Job job, List<Rank> leaving) {
        for (var rank : leaving) {
            tables.put(rank.with(rank.tenure().until(tables.now()).goingOn()));
        }
        wake(job);
        jobs.gather(job, Job.Due.PLAN_AND_STATUS);
    }

    private void publish(Job job, List<RankId> ranks) {
        if (!ranks.isEmpty() && job.state().isUp()) {
            jobs.publishGathered(tables.current(job).with(Job.Due.PLAN_AND_STATUS));
        }
    }

    private boolean runs(Job job, RankId id) {
        var rank = tables.gang(job).get(id);
        return rank != null && rank.state() == RankState.RUNNING && !rank.isLeaving();
    }

    /**
     * @param asked what they wait for, if they run; null: nothing
     */
    private void take(Job job, List<RankId> ranks, Choice choice, @Nullable Checkpoint asked) {
        tables.put(job);
        for (var id : ranks) {
            var rank = tables.gang(job).get(id);
            if (rank != null) {
                take(job, rank, choice, asked);
            }
        }
        if (tables.gang(job).casualties().isEmpty()) {
            JobAlarms.noVerdict(tables, job.id()); // They may have been those that had failed.
        }
        if (!ranks.isEmpty() && job.state().isUp()) {
            jobs.checkpoints().look(job.id()); // They may have been those who waited.
            jobs.gather(job, Job.Due.NOTHING); // Its minimum may be without them.
            wake(job);
        }
    }

    private void take(Job job, Rank rank, Choice choice, @Nullable Checkpoint asked) {
        JobAlarms.noHindrance(tables, rank);
        var sight = rank.sight();
        boolean wasOrdered = job.past().opened().contains(rank.id().role());
        boolean wasToCome = rank.tenure().awaitsCheckpoint() && !rank.isLeaving();
        if (!sight.released() && (sight.over() || !wasOrdered || wasToCome)) {
            tables.startsAreDue(); // What it has is others' now.
        }
        if (sight.gone() || !wasOrdered || wasToCome) {
            tables.remove(rank);
            return;
        }
        var open = rank.state() == RankState.RUNNING ? asked : null;
        var tenure =
                choice.later()
                        ? rank.tenure().leavingUntold(choice.taker(), open)
                        : rank.tenure()
                                .leaving(until(job, rank, choice, open), choice.taker(), open);
        boolean released = sight.released() || sight.over();
        // Who is to start again in his pod may stay after all, and is to do so then, too.
        var judged = sight.judged(rank.state(), released, sight.failure(), sight.inPlace());
        var leaving = rank.with(tenure).with(judged);
        // Its node was given up before it leaves: nothing else would say that it is forced there.
        // Of a job whose pods are to go that is said once only such are left.
        boolean isForced = job.state().isUp() && DeadNodes.isForced(tables, job, leaving);
        tables.put(isForced ? leaving.givingUp() : leaving);
    }

    private Instant until(Job job, Rank rank, Choice choice, @Nullable Checkpoint open) {
        var from = open == null ? tables.now() : open.until();
        return from.plus(DrainTimes.of(tables, job, rank, choice.drain()));
    }

    /** Pods of those that left have had the time to go, and more: the job's status names them. */
    public void stuck(Job job) {
        StuckPods.wake(tables, job);
        jobs.gather(job, Job.Due.STATUS);
    }

    /** The pool is woken when the first one that drains has had its time, or is stuck. */
    private void wake(Job job) {
        StuckPods.wake(tables, job);
        tables.gang(job).all().stream()
                .filter(rank -> rank.isLeaving() && !rank.isUntold() && !job.defers(rank))
                .map(rank -> rank.tenure().leaves())
                .filter(until -> until != null && until.isAfter(tables.now()))
                .min(Instant::compareTo)
                .ifPresent(until -> tables.wakings.at(Alarm.Kind.DRAIN, job.id(), until));
    }

    /**
     * Who leaves and was not told by when has so long from when nothing else is waited for.
     *
     * @param drain null: as {@link DrainTimes} has it
     */
    void tell(Job job, @Nullable Duration drain) {
        var asked = job.asked();
        for (var rank : tables.gang(job).all()) {
            if (rank.isUntold()) {
                var from =
                        asked != null && rank.tenure().awaits(asked) ? asked.until() : tables.now();
                tables.put(rank.leaving(from.plus(DrainTimes.of(tables, job, rank, drain))));
            }
        }
        wake(job);
    }

    /** The time has come of some that drained: their pods go; the others have theirs. */
    public void drained(Job job) {
        wake(job);
        jobs.publishGathered(job.with(Job.Due.PLAN_AND_STATUS));
    }

    /** Somebody leaves whose end is waited for: it is not left behind on a lost node. */
    public boolean isAnyAwaited(Job job) {
        return tables.gang(job).all().stream()
                .filter(rank -> rank.isLeaving() && !rank.state().hasEnded())
                .anyMatch(rank -> !DeadNodes.isLeftBehind(tables, rank));
    }

    /** A rank says that it needs its time no longer. */
    public void on(Event.Drained said) {
        var job = tables.job(said.job());
        var rank = tables.rank(said.job(), said.rank());
        if (job != null
                && rank != null
                && job.state().isUp()
                && isOf(job, rank, said)
                && rank.isLeaving()
                && !job.defers(rank)
                && !rank.hasLeft(tables.now())) {
            tables.put(rank.leaving(tables.now()));
            drained(job);
            jobs.gather(job, Job.Due.NOTHING); // Who has no time is left behind from now on.
        } else {
            journal.stays(Decision.Why.STALE);
        }
    }

    /** Its node may have been given up while it was none of the job's: it runs, and has no end. */
    private static Rank unfailed(Rank rank) {
        var sight = rank.sight();
        return rank.state().hasEnded()
                ? rank
                : rank.with(sight.judged(rank.state(), sight.released(), null, sight.inPlace()));
    }

    /** Whoever spoke is the rank that is there now. */
    private static boolean isOf(Job job, Rank rank, Event.Drained said) {
        var attempt = said.attempt();
        var incarnation = said.incarnation();
        return (attempt == null || attempt == job.fences().attempt())
                && (incarnation == null || incarnation == rank.making().incarnation());
    }

    /**
     * Those that were to leave and still run stay after all.
     *
     * @return whether there are any
     */
    boolean stay(Job job, Predicate<Rank> who) {
        var staying =
                tables.gang(job).all().stream()
                        .filter(rank -> rank.isLeaving() && who.test(rank))
                        .filter(rank ->
                                rank.tenure().awaitsCheckpoint()
                                        ? !rank.state().hasEnded()
                                        : !rank.hasLeft(tables.now()))
                        .toList();
        for (var rank : staying) {
            var stays = unfailed(rank).staying();
            tables.put(stays);
            // Nobody minded what kept the pod of who was to leave anyway from running.
            Relocation.watch(tables, stays);
            Hindrances.watch(tables, job, stays);
        }
        if (staying.stream().anyMatch(rank -> isOnGoing(tables, rank))) {
            // Nobody looked at who was to leave anyway when its node was said to go.
            tables.wakings.at(Alarm.Kind.GOING, job.id(), tables.now());
        }
        if (staying.stream().anyMatch(rank -> rank.is(InPlace.ASKED))) {
            // Nobody waited for the restart of who was to leave anyway.
            tables.wakings.at(Alarm.Kind.IN_PLACE, job.id(), tables.now());
        }
        if (staying.stream().anyMatch(rank -> DeadNodes.isOnDeadNode(tables, rank))) {
            LostNodes.await(tables, job); // Its node may have been given up without them.
        }
        return !staying.isEmpty();
    }

    /**
     * A rank that leaves its node once the job has saved stays after all, and nobody comes in its
     * place.
     */
    public void stayOnNode(Job job, RankId id) {
        var rank = tables.gang(job).get(id);
        if (rank == null || !job.defers(rank) || !rank.tenure().isTakenByNode()) {
            return;
        }
        var role = job.spec().role(id.role());
        boolean isWished = tables.gang(job).count(role.name()) < role.replicas();
        var other = isWished ? null : toCome(job, role.name());
        if (other != null) {
            take(job, List.of(other.id()), Choice.AT_ONCE, null);
        }
        if (isWished || other != null) {
            stay(tables.current(job), staying -> staying.id().equals(id));
            tables.startsAreDue();
        }
    }

    /** The last that comes by no command, once the job has saved; null: there is none. */
    private @Nullable Rank toCome(Job job, String role) {
        return tables.gang(job).members(role).reversed().stream()
                .filter(rank -> job.defers(rank) && !rank.tenure().isBrought())
                .findFirst()
                .orElse(null);
    }

    public static boolean isOnGoing(Tables tables, Rank rank) {
        var node = tables.capacity.node(rank.making().node());
        return node != null && tables.settings().isGoing(node);
    }

    /** Those whom a command was to take once the job had saved stay, since it has not. */
    void stayUnsaved(Job job, long command) {
        stay(job, rank -> isUnsaved(job, rank, command));
    }

    /** Its job has not saved yet, after which this command takes it. */
    static boolean isUnsaved(Job job, Rank rank, long command) {
        return rank.isLeaving()
                && rank.tenure().isTakenBy(command)
                && job.defers(rank)
                && !rank.state().hasEnded();
    }

    /**
     * Those that waited for what the job was asked come, or have their time, from now on.
     *
     * @param asked which is not open any more
     */
    void goOn(Job job, Checkpoint asked) {
        boolean waited = false;
        for (var rank : tables.gang(job).all()) {
            var tenure = rank.tenure();
            if (tenure.awaits(asked)) {
                waited = true;
                var leaves = tenure.leaves();
                var until =
                        leaves == null || rank.isUntold()
                                ? leaves
                                : tables.now().plus(Duration.between(asked.until(), leaves));
                tables.put(rank.with(tenure.until(until).goingOn()));
            }
        }
        if (waited) {
            jobs.gather(job, Job.Due.NOTHING); // Who has no time is left behind from now on.
        }
        wake(job);
    }
}
