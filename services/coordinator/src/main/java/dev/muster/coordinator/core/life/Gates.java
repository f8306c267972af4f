package dev.muster.coordinator.core.life;

import dev.muster.coordinator.core.model.JobState.Gate;
import dev.muster.coordinator.core.model.JobState.Queued;
import dev.muster.coordinator.core.model.JobState.Suspended;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Which gate a waiting job is before once it is held, released, suspended or resumed. */
public final class Gates {
    private Gates() {}

    /**
     * @param behind it still waits for other jobs
     */
    static Gate open(boolean behind) {
        return behind ? new Gate.Behind() : new Gate.Open();
    }

    /** Null: nobody says when. */
    static @Nullable Gate later(@Nullable Instant until) {
        return until == null ? null : new Gate.Later(until);
    }

    /** What it is before when it is held back: when it is released, it may still back off. */
    static Gate held(String message, @Nullable Gate before) {
        return new Gate.Held(message, before instanceof Gate.Later(var until) ? until : null);
    }

    /** What being suspended does not lift; null: nothing. */
    static @Nullable Gate kept(Gate gate) {
        return switch (gate) {
            case Gate.Held _, Gate.Later _ -> gate;
            case Gate.Open _, Gate.Behind _ -> null;
        };
    }

    static Queued released(int takenBack, Gate.Held held, boolean behind, Instant now) {
        return resumed(takenBack, later(held.until()), behind, now);
    }

    /** How it waits once it is resumed. */
    public static Queued resumed(Suspended suspended, boolean behind, Instant now) {
        return resumed(suspended.takenBack(), suspended.gate(), behind, now);
    }

    /**
     * @param kept null: nothing
     */
    private static Queued resumed(int takenBack, @Nullable Gate kept, boolean behind, Instant now) {
        boolean isOver =
                kept == null || kept instanceof Gate.Later(var until) && !until.isAfter(now);
        return queued(takenBack, kept == null || isOver ? open(behind) : kept, now);
    }

    /** With the reason that the gate is by itself. */
    static Queued queued(int takenBack, Gate gate, Instant now) {
        var reason =
                switch (gate) {
                    case Gate.Held(var message, _) ->
                            reason(
                                    Code.HELD,
                                    "release the job",
                                    message.isEmpty() ? "it was held back" : message,
                                    now);
                    case Gate.Later(var until) ->
                            reason(
                                    Code.BACKING_OFF,
                                    "it is tried again at " + until,
                                    "its gang did not run in time",
                                    now);
                    case Gate.Open _, Gate.Behind _ -> null;
                };
        return new Queued(takenBack, gate, reason);
    }

    private static WaitReason reason(Code code, String remedy, String message, Instant now) {
        return WaitReason.told(code, "", now, remedy, message);
    }
}
