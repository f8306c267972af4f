package dev.muster.coordinator.core.life;

import static dev.muster.coordinator.core.model.Decision.Why.DUPLICATE;
import static dev.muster.coordinator.core.model.Decision.Why.IMPOSSIBLE;
import static dev.muster.coordinator.core.model.Decision.Why.NOTHING_NEW;
import static dev.muster.coordinator.core.model.Decision.Why.STALE;

import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Decision.Keep;
import dev.muster.coordinator.core.model.Decision.Move;
import dev.muster.coordinator.core.model.Decision.Order;
import dev.muster.coordinator.core.model.Decision.Stay;
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
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Absent;
import dev.muster.coordinator.core.model.JobState.Ended;
import dev.muster.coordinator.core.model.JobState.Gate;
import dev.muster.coordinator.core.model.JobState.Lost;
import dev.muster.coordinator.core.model.JobState.Queued;
import dev.muster.coordinator.core.model.JobState.Restarting;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.JobState.Starting;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.JobState.Suspended;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The life of one job: one method per state, one line per event. What follows once its pods are to
 * go stands in {@link LeavingRules}.
 */
public final class JobRules {
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
    public static Decision decide(JobState state, JobEvent event, JobSpec spec, Instant now) {
        return switch (state) {
            case Absent _ -> whenAbsent(event);
            case Queued queued -> whenQueued(queued, event, now);
            case Suspended suspended -> whenSuspended(suspended, event, now);
            case Starting starting -> whenStarting(starting, event, spec, now);
            case Running running -> whenRunning(running, event, spec, now);
            case Restarting restarting -> LeavingRules.whenRestarting(restarting, event, spec, now);
            case JobState.Saving saving -> LeavingRules.whenSaving(saving, event, spec);
            case Lost lost -> LeavingRules.whenLost(lost, event, spec);
            case Stopping stopping -> LeavingRules.whenStopping(stopping, event, spec, now);
            case Ended ended -> LeavingRules.whenEnded(ended, event, spec);
        };
    }

    private static Decision whenAbsent(JobEvent event) {
        return switch (event) {
            case Submitted(_, var suspended) when suspended ->
                    move(new Suspended(0, "it was submitted suspended", true));
            case Submitted(var behind, _) -> move(new Queued(0, Gates.open(behind), null));
            case Refused(var reason, var message) ->
                    move(new Ended(new End(Phase.REFUSED, reason, message), Remains.GONE));
            case GangPlaced _, StageOrdered _, WaitExplained _, BackoffPassed _ -> stay(IMPOSSIBLE);
            case WaitOver _ -> stay(IMPOSSIBLE);
            case Cleared _, DependencyFailed _, Preempted _ -> stay(IMPOSSIBLE);
            case HoldAsked _, ReleaseAsked _, SuspendAsked _, ResumeAsked _ -> stay(STALE);
            case RanksChanged _, GangTimedOut _, PlanRefused _, CancelAsked _ -> stay(STALE);
            case GaveUp _, RestartDecided _, RoomLost _, DeadlinePassed _ -> stay(STALE);
            case NodesLost _, NodesGo _, NodesStay _, CheckpointOver _ -> stay(STALE);
            case PodsGone _, GoneConfirmed _, GoneDenied _, KeepingOver _ -> stay(STALE);
        };
    }

    private static Decision whenQueued(Queued queued, JobEvent event, Instant now) {
        int takenBack = queued.takenBack();
        return switch (event) {
            case Submitted _, Refused _ -> stay(DUPLICATE);
            case GangPlaced _ when !queued.takesPart() -> stay(IMPOSSIBLE);
            case GangPlaced(var blindBefore) ->
                    move(new Starting(takenBack, now, blindBefore, null), new Order.Run());
            case WaitExplained(var reason) when !reason.isNewsAfter(queued.reason()) ->
                    stay(DUPLICATE);
            case WaitExplained(var reason) -> move(new Queued(takenBack, queued.gate(), reason));
            case WaitOver _ -> stay(STALE);
            // That it backs off is over: what is in its way from now on is told anew.
            case BackoffPassed _ when queued.gate() instanceof Gate.Later ->
                    move(new Queued(takenBack, new Gate.Open(), null));
            case BackoffPassed _ -> stay(STALE);
            case Cleared _ when queued.gate() instanceof Gate.Behind ->
                    move(new Queued(takenBack, new Gate.Open(), null));
            case Cleared _ -> stay(NOTHING_NEW);
            case DependencyFailed(var message) -> endedWaiting(dependencyFailed(message));
            case HoldAsked _ when queued.gate() instanceof Gate.Held -> stay(DUPLICATE);
            case HoldAsked(var message) ->
                    move(Gates.queued(takenBack, Gates.held(message, queued.gate()), now));
            case ReleaseAsked(var behind) when queued.gate() instanceof Gate.Held held ->
                    move(Gates.released(takenBack, held, behind, now));
            case ReleaseAsked _, ResumeAsked _ -> stay(DUPLICATE);
            case SuspendAsked(_, var message, var own) ->
                    move(new Suspended(takenBack, message, Gates.kept(queued.gate()), own));
            case CancelAsked cancel -> endedWaiting(cancelled(cancel));
            case RanksChanged _, GangTimedOut _, PlanRefused _, Preempted _ -> stay(STALE);
            case DeadlinePassed(var end) -> endedWaiting(end);
            case GaveUp _, RestartDecided _, RoomLost _, NodesLost _ -> stay(STALE);
            case NodesGo _, NodesStay _, CheckpointOver _ -> stay(STALE);
            case PodsGone _, GoneConfirmed _, GoneDenied _, KeepingOver _ -> stay(STALE);
            case StageOrdered _ -> stay(IMPOSSIBLE);
        };
    }

    private static Decision whenSuspended(Suspended suspended, JobEvent event, Instant now) {
        int takenBack = suspended.takenBack();
        return switch (event) {
            case ResumeAsked(var behind) -> move(Gates.resumed(suspended, behind, now));
            case HoldAsked _ when suspended.gate() instanceof Gate.Held -> stay(DUPLICATE);
            case HoldAsked(var message) ->
                    move(suspended.before(Gates.held(message, suspended.gate())));
            case ReleaseAsked _ when suspended.gate() instanceof Gate.Held held ->
                    move(suspended.before(Gates.later(held.until())));
            case SuspendAsked(_, var message, var own) when own && !suspended.own() ->
                    move(new Suspended(takenBack, message, suspended.gate(), true));
            case SuspendAsked _ -> stay(DUPLICATE);
            case CancelAsked cancel -> endedWaiting(cancelled(cancel));
            case DependencyFailed(var message) -> endedWaiting(dependencyFailed(message));
            case Submitted _, Refused _ -> stay(DUPLICATE);
            case GangPlaced _, StageOrdered _, WaitExplained _, Preempted _ -> stay(IMPOSSIBLE);
            case WaitOver _ -> stay(STALE);
            case ReleaseAsked _, Cleared _, BackoffPassed _ -> stay(NOTHING_NEW);
            case RanksChanged _, GangTimedOut _, PlanRefused _ -> stay(STALE);
            case GaveUp _, RestartDecided _, RoomLost _, DeadlinePassed _ -> stay(STALE);
            case NodesLost _, NodesGo _, NodesStay _, CheckpointOver _ -> stay(STALE);
            case PodsGone _, GoneConfirmed _, GoneDenied _, KeepingOver _ -> stay(STALE);
        };
    }

    private static Decision whenStarting(
            Starting starting, JobEvent event, JobSpec spec, Instant now) {
        return switch (event) {
            // A short job's success may be seen before its start was.
            case RanksChanged(var tally, _) when tally.runs() || tally.satisfies(spec.success()) ->
                    move(new Running(starting.takenBack()));
            case RanksChanged _ -> stay(NOTHING_NEW);
            case StageOrdered(var blindBefore) -> move(starting.nextStage(blindBefore, now));
            case GangTimedOut(var message) ->
                    stop(
                            new Then.Requeue(
                                    starting.takenBack() + 1,
                                    End.Code.GANG_TIMEOUT.label(),
                                    message),
                            spec.grace());
            case Preempted(var message) ->
                    stop(new Then.Return(starting.takenBack(), message), spec.grace());
            case SuspendAsked(var grace, var message, var own) ->
                    stop(
                            new Then.Suspend(starting.takenBack(), message, own),
                            grace == null ? spec.grace() : grace);
            case PlanRefused(var reason, var message) ->
                    end(new End(Phase.FAILED, reason, message), spec);
            case CancelAsked cancel -> stop(new Then.Finish(cancelled(cancel)), cancel, spec);
            case GaveUp(var end) -> end(end, spec);
            case DeadlinePassed(var end) -> end(end, spec);
            case RestartDecided(var until, var reason, var message) ->
                    move(
                            new Restarting(starting.takenBack(), until, reason, message),
                            new Order.Stop(Keep.NONE, spec.grace(), false));
            case RoomLost _, NodesLost _, CheckpointOver _ -> stay(STALE);
            case NodesGo _, NodesStay _ -> stay(NOTHING_NEW);
            case Submitted _, Refused _, GangPlaced _, ResumeAsked _ -> stay(DUPLICATE);
            case WaitExplained(var reason) when !reason.isNewsAfter(starting.waits()) ->
                    stay(DUPLICATE);
            case WaitExplained(var reason) -> move(starting.waiting(reason));
            case WaitOver(var group) when isOf(starting.waits(), group) ->
                    move(starting.waiting(null));
            case WaitOver _ -> stay(NOTHING_NEW);
            case BackoffPassed _, Cleared _, DependencyFailed _ -> stay(STALE);
            case HoldAsked _, ReleaseAsked _ -> stay(STALE);
            case PodsGone _, GoneConfirmed _, GoneDenied _, KeepingOver _ -> stay(STALE);
        };
    }

    private static Decision whenRunning(
            Running running, JobEvent event, JobSpec spec, Instant now) {
        return switch (event) {
            case RanksChanged(var tally, _) when tally.satisfies(spec.success()) ->
                    end(End.SUCCESS, spec);
            case RanksChanged(_, var roles) -> moveUnless(running, running.after(roles, now));
            case StageOrdered(var blindBefore) ->
                    moveUnless(running, running.ordered(blindBefore, now));
            case GangTimedOut _ when running.clock() == null -> stay(STALE);
            case GangTimedOut(var message) ->
                    stop(
                            new Then.Requeue(
                                    running.takenBack() + 1,
                                    End.Code.GANG_TIMEOUT.label(),
                                    message),
                            spec.grace());
            case Preempted(var message) ->
                    leave(new Then.Return(running.takenBack(), message), spec.grace(), spec);
            case SuspendAsked(var grace, var message, var own) ->
                    leave(
                            new Then.Suspend(running.takenBack(), message, own),
                            grace == null ? spec.grace() : grace,
                            spec);
            case NodesStay _ -> stay(NOTHING_NEW);
            case NodesGo _ when spec.work().checkpoint() == null -> stay(NOTHING_NEW);
            case NodesGo(var message) ->
                    leave(new Then.Move(running.takenBack(), message), spec.grace(), spec);
            case PlanRefused(var reason, var message) ->
                    end(new End(Phase.FAILED, reason, message), spec);
            case CancelAsked cancel -> stop(new Then.Finish(cancelled(cancel)), cancel, spec);
            case GaveUp(var end) -> end(end, spec);
            case DeadlinePassed(var end) -> end(end, spec);
            case RestartDecided(var until, var reason, var message) ->
                    move(
                            new Restarting(running.takenBack(), until, reason, message),
                            new Order.Stop(Keep.NONE, spec.grace(), false));
            case RoomLost _, NodesLost _, CheckpointOver _ -> stay(STALE);
            case Submitted _, Refused _, GangPlaced _, ResumeAsked _ -> stay(DUPLICATE);
            case WaitExplained(var reason) when !reason.isNewsAfter(running.waits()) ->
                    stay(DUPLICATE);
            case WaitExplained(var reason) -> move(running.waiting(reason));
            case WaitOver(var group) when isOf(running.waits(), group) ->
                    move(running.waiting(null));
            case WaitOver _ -> stay(NOTHING_NEW);
            case BackoffPassed _ -> stay(STALE);
            case Cleared _, DependencyFailed _, HoldAsked _, ReleaseAsked _ -> stay(STALE);
            case PodsGone _, GoneConfirmed _, GoneDenied _, KeepingOver _ -> stay(STALE);
        };
    }

    private static boolean isOf(@Nullable WaitReason why, String group) {
        return why != null && why.isOfGroup(group);
    }

    private static Decision moveUnless(Running before, Running next) {
        return next.equals(before) ? stay(NOTHING_NEW) : move(next);
    }

    /** A waiting job has no pods; whoever carries out makes its plan, if there is one, be over. */
    static Decision endedWaiting(End end) {
        return move(new Ended(end, Remains.GONE), new Order.Gone());
    }

    private static End dependencyFailed(String message) {
        return End.failed(End.Code.DEPENDENCY_FAILED, message);
    }

    static End cancelled(CancelAsked cancel) {
        return new End(Phase.CANCELLED, End.Code.CANCELLED.label(), cancel.message());
    }

    static Decision end(End end, JobSpec spec) {
        boolean deleteAtOnce =
                spec.cleanup() == JobSpec.Cleanup.ALL || Duration.ZERO.equals(spec.ttl());
        var keep = deleteAtOnce ? Keep.NONE : Keep.after(spec.cleanup());
        return move(
                new Ended(end, deleteAtOnce ? Remains.LEAVING : Remains.KEPT),
                new Order.Stop(keep, spec.grace(), false));
    }

    /** Nobody is forced to stop it: it may save before how far it has come. */
    private static Decision leave(Then then, Duration grace, JobSpec spec) {
        return spec.work().checkpoint() == null
                ? stop(then, grace)
                : move(new JobState.Saving(then, grace));
    }

    static Decision stop(Then then, CancelAsked cancel, JobSpec spec) {
        return stop(then, cancel.grace() == null ? spec.grace() : cancel.grace());
    }

    static Decision stop(Then then, Duration grace) {
        return move(new Stopping(then, false, grace), Order.Stop.sooner(grace));
    }

    static Decision move(JobState next, Order... orders) {
        return new Move(next, List.of(orders));
    }

    static Decision stay(Decision.Why why) {
        return new Stay(why);
    }
}
