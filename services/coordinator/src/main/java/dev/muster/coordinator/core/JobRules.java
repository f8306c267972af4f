package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Decision.Why.DUPLICATE;
import static dev.muster.coordinator.core.Decision.Why.FINISHED;
import static dev.muster.coordinator.core.Decision.Why.IMPOSSIBLE;
import static dev.muster.coordinator.core.Decision.Why.NOTHING_NEW;
import static dev.muster.coordinator.core.Decision.Why.STALE;

import dev.muster.coordinator.core.Decision.Keep;
import dev.muster.coordinator.core.Decision.Move;
import dev.muster.coordinator.core.Decision.Order;
import dev.muster.coordinator.core.Decision.Stay;
import dev.muster.coordinator.core.JobEvent.BackoffPassed;
import dev.muster.coordinator.core.JobEvent.CancelAsked;
import dev.muster.coordinator.core.JobEvent.GangPlaced;
import dev.muster.coordinator.core.JobEvent.GangTimedOut;
import dev.muster.coordinator.core.JobEvent.GoneConfirmed;
import dev.muster.coordinator.core.JobEvent.GoneDenied;
import dev.muster.coordinator.core.JobEvent.KeepingOver;
import dev.muster.coordinator.core.JobEvent.PlanRefused;
import dev.muster.coordinator.core.JobEvent.PodsGone;
import dev.muster.coordinator.core.JobEvent.RanksChanged;
import dev.muster.coordinator.core.JobEvent.Refused;
import dev.muster.coordinator.core.JobEvent.Submitted;
import dev.muster.coordinator.core.JobEvent.WaitExplained;
import dev.muster.coordinator.core.JobState.Absent;
import dev.muster.coordinator.core.JobState.Ended;
import dev.muster.coordinator.core.JobState.Queued;
import dev.muster.coordinator.core.JobState.Remains;
import dev.muster.coordinator.core.JobState.Running;
import dev.muster.coordinator.core.JobState.Starting;
import dev.muster.coordinator.core.JobState.Stopping;
import dev.muster.coordinator.core.JobState.Then;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The life of one job: one method per state, one line per event. */
final class JobRules {
    /** First wait of a gang that did not run in time; doubled each time. */
    static final Duration BACKOFF = Duration.ofMinutes(1);

    static final Duration LONGEST_BACKOFF = Duration.ofHours(1);

    private JobRules() {}

    /**
     * Decides what one event means for a job.
     *
     * <p>Same arguments, same answer: a record that is read again after a crash gets the decision
     * it got before.
     *
     * @param now the pool's time, which comes from the log alone
     * @return what to remember and what to order; never an exception for an event that comes late
     *     or twice
     */
    static Decision decide(JobState state, JobEvent event, JobSpec spec, Instant now) {
        return switch (state) {
            case Absent _ -> whenAbsent(event);
            case Queued queued -> whenQueued(queued, event, now);
            case Starting starting -> whenStarting(starting, event, spec);
            case Running _ -> whenRunning(event, spec);
            case Stopping stopping -> whenStopping(stopping, event, spec, now);
            case Ended ended -> whenEnded(ended, event, spec);
        };
    }

    private static Decision whenAbsent(JobEvent event) {
        return switch (event) {
            case Submitted _ -> move(new Queued(0, null, null));
            case Refused(var reason, var message) ->
                    move(new Ended(new End(Phase.REFUSED, reason, message), Remains.GONE));
            case GangPlaced _, WaitExplained _, BackoffPassed _ -> stay(IMPOSSIBLE);
            case RanksChanged _, GangTimedOut _, PlanRefused _, CancelAsked _ -> stay(STALE);
            case PodsGone _, GoneConfirmed _, GoneDenied _, KeepingOver _ -> stay(STALE);
        };
    }

    private static Decision whenQueued(Queued queued, JobEvent event, Instant now) {
        return switch (event) {
            case Submitted _, Refused _ -> stay(DUPLICATE);
            case GangPlaced _ when isBackingOff(queued, now) -> stay(IMPOSSIBLE);
            case GangPlaced(var blindBefore) ->
                    move(new Starting(queued.takenBack(), now, blindBefore), new Order.Run());
            case WaitExplained(var reason) when !reason.isNewsAfter(queued.reason()) ->
                    stay(DUPLICATE);
            case WaitExplained(var reason) ->
                    move(new Queued(queued.takenBack(), queued.notBefore(), reason));
            case BackoffPassed _ when queued.notBefore() == null -> stay(STALE);
            case BackoffPassed _ -> move(new Queued(queued.takenBack(), null, queued.reason()));
            case CancelAsked cancel when queued.takenBack() == 0 ->
                    move(new Ended(cancelled(cancel), Remains.GONE));
            // Its plan of the attempt that was taken back is still there.
            case CancelAsked cancel ->
                    move(new Ended(cancelled(cancel), Remains.GONE), new Order.Gone());
            case RanksChanged _, GangTimedOut _, PlanRefused _ -> stay(STALE);
            case PodsGone _, GoneConfirmed _, GoneDenied _, KeepingOver _ -> stay(STALE);
        };
    }

    private static Decision whenStarting(Starting starting, JobEvent event, JobSpec spec) {
        return switch (event) {
            // A short job's success may be seen before its start was.
            case RanksChanged(var tally) when tally.runs() || tally.satisfies(spec.success()) ->
                    move(new Running());
            case RanksChanged(var tally) when tally.failure() != null ->
                    end(failed(tally.failure()), spec);
            case RanksChanged _ -> stay(NOTHING_NEW);
            case GangTimedOut(var message) ->
                    stop(
                            new Then.Requeue(starting.takenBack() + 1, "GangTimeout", message),
                            spec.grace());
            case PlanRefused(var reason, var message) ->
                    end(new End(Phase.FAILED, reason, message), spec);
            case CancelAsked cancel -> stop(new Then.Finish(cancelled(cancel)), cancel, spec);
            case Submitted _, Refused _, GangPlaced _ -> stay(DUPLICATE);
            case WaitExplained _, BackoffPassed _ -> stay(STALE);
            case PodsGone _, GoneConfirmed _, GoneDenied _, KeepingOver _ -> stay(STALE);
        };
    }

    private static Decision whenRunning(JobEvent event, JobSpec spec) {
        return switch (event) {
            case RanksChanged(var tally) when tally.satisfies(spec.success()) ->
                    end(End.SUCCESS, spec);
            case RanksChanged(var tally) when tally.failure() != null ->
                    end(failed(tally.failure()), spec);
            case RanksChanged _ -> stay(NOTHING_NEW);
            case PlanRefused(var reason, var message) ->
                    end(new End(Phase.FAILED, reason, message), spec);
            case CancelAsked cancel -> stop(new Then.Finish(cancelled(cancel)), cancel, spec);
            case Submitted _, Refused _, GangPlaced _ -> stay(DUPLICATE);
            case WaitExplained _, BackoffPassed _, GangTimedOut _ -> stay(STALE);
            case PodsGone _, GoneConfirmed _, GoneDenied _, KeepingOver _ -> stay(STALE);
        };
    }

    private static Decision whenStopping(
            Stopping stopping, JobEvent event, JobSpec spec, Instant now) {
        return switch (event) {
            case PodsGone _ when stopping.confirming() -> stay(DUPLICATE);
            case PodsGone _ ->
                    move(
                            new Stopping(stopping.then(), true),
                            new Order.Stop(Keep.NONE, spec.grace(), true));
            case GoneConfirmed _ when !stopping.confirming() -> stay(STALE);
            case GoneConfirmed _ -> afterStopping(stopping.then(), now);
            case GoneDenied _ -> move(new Stopping(stopping.then(), false));
            case CancelAsked _ when stopping.then() instanceof Then.Finish -> stay(DUPLICATE);
            case CancelAsked cancel ->
                    move(new Stopping(new Then.Finish(cancelled(cancel)), stopping.confirming()));
            case RanksChanged _, GangTimedOut _, PlanRefused _ -> stay(STALE);
            case Submitted _, Refused _, GangPlaced _ -> stay(DUPLICATE);
            case WaitExplained _, BackoffPassed _, KeepingOver _ -> stay(STALE);
        };
    }

    private static Decision afterStopping(Then then, Instant now) {
        return switch (then) {
            case Then.Finish(var end) -> move(new Ended(end, Remains.GONE), new Order.Gone());
            case Then.Requeue(var times, var reason, var message) -> {
                var until = now.plus(backoff(times));
                yield move(
                        new Queued(
                                times,
                                until,
                                new WaitReason(
                                        WaitReason.Code.BACKING_OFF,
                                        reason,
                                        null,
                                        now,
                                        "it is tried again at " + until,
                                        message)));
            }
        };
    }

    private static Decision whenEnded(Ended ended, JobEvent event, JobSpec spec) {
        return switch (event) {
            case KeepingOver _ when ended.remains() == Remains.KEPT ->
                    move(
                            new Ended(ended.end(), Remains.LEAVING),
                            new Order.Stop(Keep.NONE, spec.grace(), false));
            case PodsGone _ when ended.remains() == Remains.LEAVING ->
                    move(
                            new Ended(ended.end(), Remains.CONFIRMING),
                            new Order.Stop(Keep.NONE, spec.grace(), true));
            case GoneConfirmed _ when ended.remains() == Remains.CONFIRMING ->
                    move(new Ended(ended.end(), Remains.GONE), new Order.Gone());
            case GoneDenied _ when ended.remains() == Remains.CONFIRMING ->
                    move(new Ended(ended.end(), Remains.LEAVING));
            case KeepingOver _, PodsGone _, GoneConfirmed _, GoneDenied _ -> stay(DUPLICATE);
            case Submitted _, Refused _, GangPlaced _, WaitExplained _ -> stay(FINISHED);
            case BackoffPassed _, RanksChanged _, GangTimedOut _ -> stay(FINISHED);
            case PlanRefused _, CancelAsked _ -> stay(FINISHED);
        };
    }

    /** 1 min · 2ⁿ⁻¹ after the n-th time, at most an hour. */
    static Duration backoff(int times) {
        int doublings = Math.min(Math.max(times - 1, 0), 6);
        var delay = BACKOFF.multipliedBy(1L << doublings);
        return delay.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : delay;
    }

    private static boolean isBackingOff(Queued queued, Instant now) {
        return queued.notBefore() != null && now.isBefore(queued.notBefore());
    }

    private static End cancelled(CancelAsked cancel) {
        return new End(Phase.CANCELLED, "Cancelled", cancel.message());
    }

    private static End failed(Tally.@Nullable Failure failure) {
        return failure == null
                ? new End(Phase.FAILED, "Unknown", "")
                : new End(Phase.FAILED, failure.reason(), failure.message());
    }

    private static Decision end(End end, JobSpec spec) {
        boolean deleteAtOnce =
                spec.cleanup() == JobSpec.Cleanup.ALL || Duration.ZERO.equals(spec.ttl());
        var keep =
                deleteAtOnce
                        ? Keep.NONE
                        : spec.cleanup() == JobSpec.Cleanup.NONE ? Keep.ALL : Keep.FINISHED;
        return move(
                new Ended(end, deleteAtOnce ? Remains.LEAVING : Remains.KEPT),
                new Order.Stop(keep, spec.grace(), false));
    }

    private static Decision stop(Then then, CancelAsked cancel, JobSpec spec) {
        return stop(then, cancel.grace() == null ? spec.grace() : cancel.grace());
    }

    private static Decision stop(Then then, Duration grace) {
        return move(new Stopping(then, false), new Order.Stop(Keep.NONE, grace, false));
    }

    private static Decision move(JobState next, Order... orders) {
        return new Move(next, List.of(orders));
    }

    private static Decision stay(Decision.Why why) {
        return new Stay(why);
    }
}
