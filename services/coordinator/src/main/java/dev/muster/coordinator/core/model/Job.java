package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the pool remembers of one submission.
 *
 * @param ticket its place among all submissions: the tick at which it came
 * @param seq of its last event
 * @param due what is to be published when it has been gathered for a while
 * @param answered the last commands' answers, so that a repeat gets the first one
 * @param past what it went through that later decisions need
 */
public record Job(
        JobId id,
        JobSpec spec,
        long ticket,
        JobState state,
        Fences fences,
        Times times,
        long seq,
        Due due,
        List<Answered> answered,
        Past past)
        implements Row {
    static final int REMEMBERED_ANSWERS = 32;

    /**
     * The counters by which news of old pods is told from news of living ones; each only grows.
     *
     * @param attempt 0 before the first
     * @param incarnation last one used
     * @param plan version published last; 0: none
     * @param applied version that pod-manager carried out last
     * @param hitch why pod-manager has carried out none since then; null: it said nothing
     */
    public record Fences(
            int attempt, int incarnation, long plan, long applied, @Nullable WaitReason hitch) {
        public Fences(int attempt, int incarnation, long plan, long applied) {
            this(attempt, incarnation, plan, applied, null);
        }

        public Fences nextAttempt() {
            return new Fences(attempt + 1, incarnation, plan, applied);
        }

        public Fences nextIncarnation() {
            return new Fences(attempt, incarnation + 1, plan, applied, hitch);
        }

        public Fences nextPlan() {
            return new Fences(attempt, incarnation, plan + 1, applied, hitch);
        }

        public Fences applied(long version) {
            return new Fences(attempt, incarnation, plan, version);
        }

        public Fences hindered(WaitReason why) {
            return new Fences(attempt, incarnation, plan, applied, why);
        }
    }

    /**
     * The pool's time of each step; null: not yet.
     *
     * @param hinderedFor for how long in all images or settings kept containers of its earlier
     *     attempts from starting, since it last ran
     */
    public record Times(
            Instant submitted,
            @Nullable Instant admitted,
            @Nullable Instant started,
            @Nullable Instant running,
            @Nullable Instant finished,
            Duration hinderedFor) {
        static Times submitted(Instant now) {
            return new Times(now, null, null, null, null, Duration.ZERO);
        }

        public Times after(JobState next, Instant now) {
            return switch (next) {
                case JobState.Starting _ ->
                        new Times(submitted, now, null, null, null, hinderedFor);
                case JobState.Running _ ->
                        new Times(submitted, admitted, started, now, null, Duration.ZERO);
                case JobState.Ended _ ->
                        new Times(
                                submitted,
                                admitted,
                                started,
                                running,
                                finished == null ? now : finished,
                                hinderedFor);
                case JobState.Suspended _, JobState.Restarting _ -> hinderedFor(Duration.ZERO);
                case JobState.Absent _, JobState.Queued _ -> this;
                case JobState.Lost _, JobState.Saving _, JobState.Stopping _ -> this;
            };
        }

        public Times firstPodRuns(Instant now) {
            return started == null
                    ? new Times(submitted, admitted, now, running, finished, hinderedFor)
                    : this;
        }

        public Times hinderedFor(Duration sum) {
            return new Times(submitted, admitted, started, running, finished, sum);
        }
    }

    /**
     * @param succeeded false: any end will do
     */
    public record Awaited(JobId job, boolean succeeded) {}

    /** What gathers until it is published together: the job's plan, its status. */
    public record Due(boolean plan, boolean status) {
        public static final Due NOTHING = new Due(false, false);
        public static final Due PLAN = new Due(true, false);
        public static final Due STATUS = new Due(false, true);
        public static final Due PLAN_AND_STATUS = new Due(true, true);

        public Due and(Due more) {
            return new Due(plan || more.plan, status || more.status);
        }

        public Due withoutPlan() {
            return new Due(false, status);
        }

        public Due withoutStatus() {
            return new Due(plan, false);
        }
    }

    public record Answered(String requestId, Outcome outcome, String message) {}

    public Job {
        answered = List.copyOf(answered);
    }

    public static Job submitted(JobId id, JobSpec spec, Clock clock) {
        return new Job(
                id,
                spec,
                clock.tick(),
                new JobState.Absent(),
                new Fences(0, 0, 0, 0),
                Times.submitted(clock.now()),
                0,
                Due.NOTHING,
                List.of(),
                Past.of(clock.now()));
    }

    public Job withTicket(long ticket) {
        return new Job(id, spec, ticket, state, fences, times, seq, due, answered, past);
    }

    public Job to(JobState next, Times times) {
        return new Job(id, spec, ticket, next, fences, times, seq, due, answered, past);
    }

    public Job with(JobSpec spec) {
        return new Job(id, spec, ticket, state, fences, times, seq, due, answered, past);
    }

    public Job with(Past past) {
        return new Job(id, spec, ticket, state, fences, times, seq, due, answered, past);
    }

    public Job with(Times times) {
        return to(state, times);
    }

    public Job with(Fences fences) {
        return new Job(id, spec, ticket, state, fences, times, seq, due, answered, past);
    }

    public Job with(Due due) {
        return new Job(id, spec, ticket, state, fences, times, seq, due, answered, past);
    }

    /** The host list that its launcher was told last. */
    public HostList hosts() {
        return past.hosts() == null ? HostList.NONE : past.hosts();
    }

    /** From when on waiting counts for its priority. */
    public Instant agesFrom() {
        return past.letIn() == null ? times.submitted() : past.letIn();
    }

    /** What it owes an answer to; null: nothing. */
    public @Nullable Checkpoint asked() {
        var last = past.checkpoint();
        return last != null && last.isOpen() ? last : null;
    }

    /** This rank comes, or goes, when the job has answered. */
    public boolean defers(Rank rank) {
        var asked = asked();
        return asked != null && rank.tenure().awaits(asked);
    }

    /** A pod of this rank is to exist. */
    public boolean wants(Rank rank, Instant now) {
        return defers(rank) ? rank.isLeaving() && !rank.state().hasEnded() : !rank.hasLeft(now);
    }

    /**
     * Its pod is to go: any is of a job that leaves; of one that keeps what had ended, the rest.
     */
    public boolean isToGo(Rank rank) {
        return state instanceof JobState.Ended(_, var remains) && remains == Remains.KEPT
                ? spec.cleanup() != JobSpec.Cleanup.NONE && !rank.sight().over()
                : state.isLeaving();
    }

    /** A rank comes to this node, which was not heard of once: its next silence counts anew. */
    public Job comingTo(String node) {
        var budgets = past.budgets().heard(node);
        return budgets == past.budgets() ? this : with(past.charged(budgets));
    }

    public Job nextSeq() {
        return new Job(id, spec, ticket, state, fences, times, seq + 1, due, answered, past);
    }

    public Job answered(Answered answer) {
        var kept =
                Stream.concat(answered.stream(), Stream.of(answer))
                        .skip(Math.max(0, answered.size() + 1L - REMEMBERED_ANSWERS))
                        .toList();
        return new Job(id, spec, ticket, state, fences, times, seq, due, kept, past);
    }

    @Override
    public Key key() {
        return new Key(Table.JOB, id.toString());
    }
}
