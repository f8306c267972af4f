package dev.muster.coordinator.core.effects;

import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import org.jspecify.annotations.Nullable;

/**
 * Why a job is where it is.
 *
 * @param reason a code; empty: nothing is to be said
 * @param message one sentence for people
 * @param waits the whole reason while it waits; null: it does not, or has none of its own
 */
public record StateReason(String reason, String message, @Nullable WaitReason waits) {
    /** The only reason of a job that is not one to wait, to restart or to end. */
    public static final String SUSPENDED = "Suspended";

    private static final StateReason NOTHING = new StateReason("", "", null);

    public static StateReason of(JobState state) {
        return switch (state) {
            case JobState.Queued(_, _, var why) when why != null -> of(why);
            case JobState.Starting(_, _, _, var why, _) when why != null -> of(why);
            case JobState.Running running when running.waits() != null -> of(running.waits());
            case JobState.Lost(_, var why) -> of(why);
            case JobState.Restarting(_, _, var reason, var message, _, _) ->
                    new StateReason(reason, message, null);
            case JobState.Saving(var then, _) -> of(then);
            case JobState.Stopping(var then, _, _, _) -> of(then);
            case JobState.Suspended(_, var message, var gate, _) ->
                    new StateReason(SUSPENDED, suspended(message, gate), null);
            case JobState.Ended(var end, _) -> new StateReason(end.reason(), end.message(), null);
            case JobState.Absent _, JobState.Queued _ -> NOTHING;
            case JobState.Starting _, JobState.Running _ -> NOTHING;
        };
    }

    public static StateReason of(WaitReason why) {
        return new StateReason(why.code().label(), why.message(), why);
    }

    /** Once resumed it is to be released, too. */
    private static String suspended(String message, JobState.@Nullable Gate gate) {
        if (!(gate instanceof JobState.Gate.Held(var word, _))) {
            return message;
        }
        var held = word.isEmpty() ? "it is held back, too" : "it is held back, too: " + word;
        return message.isEmpty() ? held : message + "; " + held;
    }

    /** As what it is to wait for once it has stopped. */
    private static StateReason as(Code code, String message) {
        return new StateReason(code.label(), message, null);
    }

    private static StateReason of(Then then) {
        return switch (then) {
            case Then.Finish(var end) -> new StateReason(end.reason(), end.message(), null);
            case Then.Requeue(_, var reason, var message) -> new StateReason(reason, message, null);
            case Then.Return(_, var message) -> as(Code.PREEMPTED, message);
            case Then.Resume _ -> as(Code.RESUMED, "it was resumed");
            case Then.Move(_, var message) -> as(Code.NODE_GOING, message);
            case Then.Suspend(_, var message, _, _) -> new StateReason(SUSPENDED, message, null);
        };
    }
}
