package dev.muster.cli.text;

import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Gate;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.history.explain.Explanation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a waiting job may expect: when it is tried next, whether room is kept, when it may start.
 */
final class OutlookText {
    private final Explanation told;
    private final Moments moments;
    private final JobState state;

    OutlookText(Explanation told, Moments moments) {
        this.told = told;
        this.moments = moments;
        this.state = told.standing().job().state();
    }

    /** By their labels, in order. */
    Map<String, String> lines() {
        var lines = new LinkedHashMap<String, String>();
        var outlook = told.standing().outlook();
        lines.put("Next try", nextTry());
        if (outlook.holder() != null) {
            lines.put(
                    "Room",
                    outlook.holder().equals(told.job())
                            ? "the pool keeps room for it"
                            : "the pool keeps room for " + outlook.holder().fullName());
        } else if (outlook.mayHoldFrom() != null) {
            lines.put(
                    "Room",
                    "from %s on the pool may keep room for it"
                            .formatted(moments.of(outlook.mayHoldFrom())));
        }
        if (isShut() && told.standing().reasons().size() <= 1) {
            lines.put("Fits now", outlook.fits() ? "yes" : "no");
        }
        if (!isShut()) {
            lines.put("Estimate", estimate());
        }
        return lines;
    }

    /** It takes no part in turns, whatever room there is. */
    private boolean isShut() {
        return !(state instanceof JobState.Queued(_, Gate.Open _, _));
    }

    private String nextTry() {
        if (state instanceof JobState.Suspended) {
            return "when it is resumed" + besides();
        }
        var open = "with the next event that makes room or changes a queue";
        if (!(state instanceof JobState.Queued(_, var gate, _))) {
            return open;
        }
        return switch (gate) {
            case Gate.Open _ when has(Code.QUEUE_PAUSED) -> "when its queue is resumed";
            case Gate.Open _ -> open;
            case Gate.Later(var until) -> "at " + moments.of(until);
            case Gate.Held _ -> "when it is released";
            case Gate.Behind _ -> "when the jobs that it waits for have come as far as it asks";
        };
    }

    /** What being resumed does not lift of a suspended job. */
    private String besides() {
        var until = told.standing().outlook().nextTry();
        if (has(Code.HELD)) {
            return " and released";
        }
        return until == null ? "" : ", from %s on".formatted(moments.of(until));
    }

    private boolean has(Code code) {
        return told.standing().reasons().stream().map(WaitReason::code).anyMatch(code::equals);
    }

    private String estimate() {
        var estimate = told.estimate();
        if (estimate != null) {
            return "about %s (in %s): %d jobs of its queue started since %s, it is number %d"
                    .formatted(
                            moments.of(estimate.start()),
                            Words.age(Duration.between(told.at(), estimate.start())),
                            estimate.starts(),
                            moments.of(estimate.since()),
                            estimate.position());
        }
        return told.standing().isOnItsWay()
                ? "none: too few jobs of its queue started within the last hour"
                : "none: it does not start before what is in its way is changed";
    }
}
