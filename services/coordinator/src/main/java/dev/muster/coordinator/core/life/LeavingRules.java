package dev.muster.coordinator.core.life;

import static dev.muster.coordinator.core.life.JobRules.cancelled;
import static dev.muster.coordinator.core.life.JobRules.move;
import static dev.muster.coordinator.core.life.JobRules.stay;
import static dev.muster.coordinator.core.model.Decision.Why.DUPLICATE;
import static dev.muster.coordinator.core.model.Decision.Why.FINISHED;
import static dev.muster.coordinator.core.model.Decision.Why.IMPOSSIBLE;
import static dev.muster.coordinator.core.model.Decision.Why.NOTHING_NEW;
import static dev.muster.coordinator.core.model.Decision.Why.STALE;

import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Decision.Keep;
import dev.muster.coordinator.core.model.Decision.Order;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobEvent.BackoffPassed;
import dev.muster.coordinator.core.model.JobEvent.CancelAsked;
import dev.muster.coordinator.core.model.JobEvent.CheckpointOver;
import dev.muster.coordinator.core.model.JobEvent.Cleared;
import dev.muster.coordinator.core.model.JobEvent.DeadlinePassed;
import dev.muster.coordinator.core.model.JobEvent.DependencyFailed;
import dev.muster.coordinator.core.model.JobEvent.GangPlaced;
import dev.muster.coordinator.core.model.JobEvent.GangTimedOut;
import dev.muster.coordinator.core.model.JobEvent.GaveUp;
import dev.muster.coordinator.core.model.JobEvent.GoneConfirmed;
import dev.muster.coordinator.core.model.JobEvent.GoneDenied;
import dev.muster.coordinator.core.model.JobEvent.HoldAsked;
import dev.muster.coordinator.core.model.JobEvent.KeepingOver;
import dev.muster.coordinator.core.model.JobEvent.NodesGo;
import dev.muster.coordinator.core.model.JobEvent.NodesLost;
import dev.muster.coordinator.core.model.JobEvent.NodesStay;
import dev.muster.coordinator.core.model.JobEvent.PlanRefused;
import dev.muster.coordinator.core.model.JobEvent.PodsGone;
import dev.muster.coordinator.core.model.JobEvent.Preempted;
import dev.muster.coordinator.core.model.JobEvent.RanksChanged;
import dev.muster.coordinator.core.model.JobEvent.Refused;
import dev.muster.coordinator.core.model.JobEvent.ReleaseAsked;
import dev.muster.coordinator.core.model.JobEvent.RestartDecided;
import dev.muster.coordinator.core.model.JobEvent.ResumeAsked;
import dev.muster.coordinator.core.model.JobEvent.RoomLost;
import dev.muster.coordinator.core.model.JobEvent.StageOrdered;
import dev.muster.coordinator.core.model.JobEvent.Submitted;
import dev.muster.coordinator.core.model.JobEvent.SuspendAsked;
import dev.muster.coordinator.core.model.JobEvent.WaitExplained;
import dev.muster.coordinator.core.model.JobEvent.WaitOver;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState.Clearing;
import dev.muster.coordinator.core.model.JobState.Ended;
import dev.muster.coordinator.core.model.JobState.Gate;
import dev.muster.coordinator.core.model.JobState.Leaving;
import dev.muster.coordinator.core.model.JobState.Lost;
import dev.muster.coordinator.core.model.JobState.Queued;
import dev.muster.coordinator.core.model.JobState.Restarting;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.JobState.Saving;
import dev.muster.coordinator.core.model.JobState.Starting;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.JobState.Suspended;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The life of a job whose pods are to go: stopped, made anew, or over. */
public final class LeavingRules {
    /** First wait of a gang that did not run in time; doubled each time. */
    public static final Duration BACKOFF = Duration.ofMinutes(1);

    static final Duration LONGEST_BACKOFF = Duration.ofHours(1);

    private LeavingRules() {}

    static Decision whenSaving(Saving saving, JobEvent event, JobSpec spec) {
        var then = saving.then();
        return switch (event) {
            case RanksChanged(var tally, _) when tally.satisfies(spec.success()) ->
                    JobRules.end(End.SUCCESS, spec);
            case NodesStay _ when then instanceof Then.Move -> move(new Running(then.takenBack()));
            case RanksChanged _, StageOrdered _, NodesGo _, NodesStay _ -> stay(NOTHING_NEW);
            case CheckpointOver _, RestartDecided _ -> JobRules.stop(then, saving.grace());
            case CancelAsked cancel ->
                    JobRules.stop(new Then.Finish(cancelled(cancel)), cancel, spec);
            case SuspendAsked suspend -> suspended(saving, suspend);
            case ResumeAsked _ when then instanceof Then.Suspend ->
                    move(new Saving(new Then.Resume(then.takenBack()), saving.grace()));
            case PlanRefused(var reason, var message) ->
                    JobRules.end(new End(Phase.FAILED, reason, message), spec);
            case GaveUp(var end) -> JobRules.end(end, spec);
            case DeadlinePassed(var end) -> JobRules.end(end, spec);
            case Preempted _, ResumeAsked _, GangPlaced _ -> stay(DUPLICATE);
            case Submitted _, Refused _ -> stay(DUPLICATE);
            case GangTimedOut _, RoomLost _, NodesLost _, WaitExplained _, WaitOver _ ->
                    stay(STALE);
            case BackoffPassed _, Cleared _, DependencyFailed _ -> stay(STALE);
            case HoldAsked _, ReleaseAsked _, KeepingOver _ -> stay(STALE);
            case PodsGone _, GoneConfirmed _, GoneDenied _ -> stay(STALE);
        };
    }

    /** By its own name once it was asked by that, and with the grace that was asked for last. */
    private static Decision suspended(Saving saving, SuspendAsked asked) {
        var then = saving.then();
        boolean isSaid =
                then instanceof Then.Suspend(_, _, var before, _) && (before || !asked.own());
        var grace = asked.grace() == null ? saving.grace() : asked.grace();
        var next =
                new Saving(
                        isSaid
                                ? then
                                : new Then.Suspend(then.takenBack(), asked.message(), asked.own()),
                        grace);
        return next.equals(saving) ? stay(DUPLICATE) : move(next);
    }

    static Decision whenStopping(Stopping stopping, JobEvent event, JobSpec spec, Instant now) {
        return switch (event) {
            case PodsGone _ when stopping.confirming() -> stay(DUPLICATE);
            case PodsGone _ -> move(stopping.confirming(true), Order.Stop.confirming(spec.grace()));
            case GoneConfirmed _ when !stopping.confirming() -> stay(STALE);
            case GoneConfirmed _ -> afterStopping(stopping.then(), now);
            case GoneDenied _ -> move(stopping.confirming(false));
            case CancelAsked(var grace, _) when stopping.then() instanceof Then.Finish ->
                    sameBut(stopping, grace);
            case CancelAsked cancel ->
                    stopsFor(stopping.then(new Then.Finish(cancelled(cancel))), cancel.grace());
            case SuspendAsked _ when stopping.then() instanceof Then.Finish -> stay(DUPLICATE);
            case SuspendAsked(var grace, _, var own)
                    when stopping.then() instanceof Then.Suspend(_, _, var before, _)
                            && (before || !own) ->
                    sameBut(stopping, grace);
            case SuspendAsked suspend ->
                    stopsFor(stopping.then(suspends(stopping, suspend)), suspend.grace());
            case ResumeAsked _ when stopping.then() instanceof Then.Suspend suspend ->
                    move(stopping.then(new Then.Resume(suspend.takenBack(), suspend.backsOff())));
            case ResumeAsked _ -> stay(DUPLICATE);
            case RanksChanged _, GangTimedOut _, PlanRefused _, Preempted _ -> stay(STALE);
            case GaveUp _, RestartDecided _, RoomLost _, DeadlinePassed _ -> stay(STALE);
            case NodesLost(var message) when !stopping.confirming() && stopping.isToRunAgain() ->
                    move(new Lost(stopping, lost(message, now)));
            case NodesLost _, NodesGo _, NodesStay _, CheckpointOver _ -> stay(STALE);
            case Submitted _, Refused _, GangPlaced _, StageOrdered _ -> stay(DUPLICATE);
            case WaitExplained _, WaitOver _, BackoffPassed _, KeepingOver _ -> stay(STALE);
            case Cleared _, DependencyFailed _, HoldAsked _, ReleaseAsked _ -> stay(STALE);
        };
    }

    static Decision whenRestarting(
            Restarting restarting, JobEvent event, JobSpec spec, Instant now) {
        var clearing = restarting.clearing();
        boolean done = clearing == Clearing.DONE;
        boolean confirming = clearing == Clearing.CONFIRMING;
        int takenBack = restarting.takenBack();
        return switch (event) {
            case PodsGone _ when clearing == Clearing.LEAVING ->
                    move(restarting.at(Clearing.CONFIRMING), Order.Stop.confirming(spec.grace()));
            case PodsGone _ -> stay(DUPLICATE);
            case GoneConfirmed _ when confirming -> move(restarting.at(Clearing.DONE));
            case GoneDenied _ when confirming -> move(restarting.at(Clearing.LEAVING));
            case GoneConfirmed _, GoneDenied _ -> stay(STALE);
            case GangPlaced _ when !done -> stay(IMPOSSIBLE);
            case GangPlaced(var blindBefore) ->
                    move(new Starting(takenBack, now, blindBefore, null), new Order.Run());
            case RoomLost _ when !done -> stay(IMPOSSIBLE);
            case RoomLost(var message) ->
                    move(
                            waiting(
                                    takenBack,
                                    because(
                                            WaitReason.Code.ROOM_LOST,
                                            "room for its gang",
                                            message,
                                            now)));
            case CancelAsked cancel when done -> JobRules.endedWaiting(cancelled(cancel));
            case CancelAsked cancel ->
                    stopsFor(
                            stopping(restarting, new Then.Finish(cancelled(cancel))),
                            cancel.grace());
            case SuspendAsked(_, var message, var own) when done ->
                    move(new Suspended(takenBack, message, own));
            case SuspendAsked(var grace, var message, var own) ->
                    stopsFor(
                            stopping(restarting, new Then.Suspend(takenBack, message, own)), grace);
            case Preempted(var message) when done -> returned(takenBack, message, now);
            case Preempted(var message) ->
                    move(stopping(restarting, new Then.Return(takenBack, message)));
            case NodesLost(var message) when clearing == Clearing.LEAVING ->
                    move(new Lost(restarting, lost(message, now)));
            case NodesLost _, BackoffPassed _, StageOrdered _ -> stay(NOTHING_NEW);
            case Submitted _, Refused _, ResumeAsked _, RestartDecided _ -> stay(DUPLICATE);
            case RanksChanged _, GangTimedOut _, PlanRefused _, GaveUp _ -> stay(STALE);
            case WaitExplained _, WaitOver _, KeepingOver _, Cleared _, DependencyFailed _ ->
                    stay(STALE);
            case HoldAsked _, ReleaseAsked _, DeadlinePassed _ -> stay(STALE);
            case NodesGo _, NodesStay _, CheckpointOver _ -> stay(STALE);
        };
    }

    /** Its pods are going already. */
    private static Stopping stopping(Restarting restarting, Then then) {
        boolean confirming = restarting.clearing() == Clearing.CONFIRMING;
        return new Stopping(then, confirming, null, restarting.wasLost());
    }

    private static Decision afterStopping(Then then, Instant now) {
        return switch (then) {
            case Then.Finish(var end) -> move(new Ended(end, Remains.GONE), new Order.Gone());
            case Then.Return(var times, var message) -> returned(times, message, now);
            case Then.Resume(var times, var backsOff) when backsOff ->
                    move(Gates.queued(times, later(times, now), now));
            case Then.Resume(var times, _) ->
                    move(
                            waiting(
                                    times,
                                    because(
                                            WaitReason.Code.RESUMED,
                                            "its turn, and room",
                                            "it was resumed",
                                            now)));
            case Then.Move(var times, var message) ->
                    move(
                            waiting(
                                    times,
                                    because(
                                            WaitReason.Code.NODE_GOING,
                                            "room elsewhere, which comes with its turn",
                                            message,
                                            now)));
            case Then.Suspend(var times, var message, var own, var backsOff) ->
                    move(new Suspended(times, message, backsOff ? later(times, now) : null, own));
            case Then.Requeue(var times, var reason, var message) -> {
                var later = later(times, now);
                yield move(
                        new Queued(
                                times,
                                later,
                                WaitReason.told(
                                        WaitReason.Code.BACKING_OFF,
                                        reason,
                                        now,
                                        "it is tried again at " + later.until(),
                                        message)));
            }
        };
    }

    static Decision whenLost(Lost lost, JobEvent event, JobSpec spec) {
        return switch (event) {
            case PodsGone _ -> move(lost.again().found(), Order.Stop.confirming(spec.grace()));
            case CancelAsked cancel ->
                    stopsFor(lostTill(new Then.Finish(cancelled(cancel))), cancel.grace());
            case SuspendAsked suspend ->
                    stopsFor(lostTill(suspends(lost.again(), suspend)), suspend.grace());
            case NodesLost _, Submitted _, Refused _, ResumeAsked _ -> stay(DUPLICATE);
            case RestartDecided _ -> stay(DUPLICATE);
            case BackoffPassed _, StageOrdered _, Preempted _ -> stay(NOTHING_NEW);
            case GangPlaced _, RoomLost _ -> stay(IMPOSSIBLE);
            case DeadlinePassed(var end) -> JobRules.end(end, spec);
            case GoneConfirmed _, GoneDenied _ -> stay(STALE);
            case RanksChanged _, GangTimedOut _, PlanRefused _, GaveUp _ -> stay(STALE);
            case WaitExplained _, WaitOver _, KeepingOver _, Cleared _, DependencyFailed _ ->
                    stay(STALE);
            case HoldAsked _, ReleaseAsked _, CheckpointOver _ -> stay(STALE);
            case NodesGo _, NodesStay _ -> stay(STALE);
        };
    }

    private static Then suspends(Leaving leaving, SuspendAsked asked) {
        return new Then.Suspend(
                leaving.takenBack(), asked.message(), asked.own(), leaving.backsOff());
    }

    /** It has given up its place among those that run, and gets none to end. */
    private static Stopping lostTill(Then next) {
        return new Stopping(next, false, null, true);
    }

    /** The same comes of it, but sooner. */
    private static Decision sameBut(Stopping stopping, @Nullable Duration grace) {
        return grace == null || stopping.confirming() ? stay(DUPLICATE) : stopsFor(stopping, grace);
    }

    /**
     * Its pods are on their way out, and now for this.
     *
     * @param next where nobody is left to be told if it is confirming
     * @param grace what they have at most from when they were told to go; null: as they were told
     */
    private static Decision stopsFor(Stopping next, @Nullable Duration grace) {
        return grace == null || next.confirming()
                ? move(next)
                : move(
                        new Stopping(next.then(), false, grace, next.wasLost()),
                        Order.Stop.sooner(grace));
    }

    private static WaitReason lost(String message, Instant now) {
        return because(
                WaitReason.Code.NODE_LOST,
                "its nodes come back or are deleted, or force-delete what they hold",
                message,
                now);
    }

    private static Decision returned(int takenBack, String message, Instant now) {
        var reason = because(WaitReason.Code.PREEMPTED, "its turn, and room", message, now);
        return move(waiting(takenBack, reason));
    }

    private static Queued waiting(int takenBack, WaitReason reason) {
        return new Queued(takenBack, new Gate.Open(), reason);
    }

    private static WaitReason because(
            WaitReason.Code code, String remedy, String message, Instant now) {
        return WaitReason.told(code, "", now, remedy, message);
    }

    static Decision whenEnded(Ended ended, JobEvent event, JobSpec spec) {
        return switch (event) {
            case KeepingOver _ when ended.remains() == Remains.KEPT ->
                    move(
                            new Ended(ended.end(), Remains.LEAVING),
                            new Order.Stop(Keep.NONE, spec.grace(), false));
            case PodsGone _ when ended.remains() == Remains.LEAVING ->
                    move(
                            new Ended(ended.end(), Remains.CONFIRMING),
                            Order.Stop.confirming(spec.grace()));
            case GoneConfirmed _ when ended.remains() == Remains.CONFIRMING ->
                    move(new Ended(ended.end(), Remains.GONE), new Order.Gone());
            case GoneDenied _ when ended.remains() == Remains.CONFIRMING ->
                    move(new Ended(ended.end(), Remains.LEAVING));
            case KeepingOver _, PodsGone _, GoneConfirmed _, GoneDenied _ -> stay(DUPLICATE);
            case Submitted _, Refused _, GangPlaced _, StageOrdered _ -> stay(FINISHED);
            case WaitExplained _, WaitOver _, BackoffPassed _, RanksChanged _, GangTimedOut _ ->
                    stay(FINISHED);
            case PlanRefused _, CancelAsked _, Cleared _, DependencyFailed _ -> stay(FINISHED);
            case HoldAsked _, ReleaseAsked _, SuspendAsked _, ResumeAsked _ -> stay(FINISHED);
            case Preempted _, GaveUp _, RestartDecided _, RoomLost _ -> stay(FINISHED);
            case DeadlinePassed _, NodesLost _, CheckpointOver _ -> stay(FINISHED);
            case NodesGo _, NodesStay _ -> stay(FINISHED);
        };
    }

    /** 1 min · 2ⁿ⁻¹ after the n-th time, at most an hour. */
    private static Gate.Later later(int times, Instant now) {
        return new Gate.Later(now.plus(backoff(times)));
    }

    static Duration backoff(int times) {
        int doublings = Math.min(Math.max(times - 1, 0), 6);
        var delay = BACKOFF.multipliedBy(1L << doublings);
        return delay.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : delay;
    }
}
