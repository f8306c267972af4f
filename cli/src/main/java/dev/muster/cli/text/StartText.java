package dev.muster.cli.text;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.history.explain.Explanation;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Why a job was the one that started. */
final class StartText {
    private final Explanation.Start start;
    private final JobId job;

    StartText(Explanation.Start start, JobId job) {
        this.start = start;
        this.job = job;
    }

    /** By their labels, in order. */
    Map<String, String> lines() {
        var lines = new LinkedHashMap<String, String>();
        if (!start.policy().isEmpty()) {
            lines.put("Turns", "by " + start.policy().toLowerCase(Locale.ROOT).replace('_', ' '));
            lines.put("Why it", whyIt());
        }
        var before = start.before();
        if (before != null && !before.reasons().isEmpty()) {
            lines.put("Until then", ExplanationText.why(before.reasons().getFirst()));
        }
        return lines;
    }

    private String whyIt() {
        var credits = start.decision().getStarted().getCredits();
        var before = start.before();
        if (credits.isEmpty()) {
            return "its gang was made again in the room that was its own: it was nobody's turn";
        }
        if (before != null && job.equals(before.outlook().holder())) {
            return "the pool kept room for it, and it fit: the holder goes before all turns";
        }
        if (credits.size() == 1) {
            return "no other queue that stood as near to its guarantee could start a job";
        }
        return switch (QueuePolicy.valueOf(start.policy())) {
            case SMOOTH_WEIGHTED_ROUND_ROBIN ->
                    "of the queues that could start a job, credit and weight of its own came to"
                            + " the most";
            case ROUND_ROBIN ->
                    "of the queues that could start a job, its own had been served longest ago";
            case FIFO -> "of the queues that could start a job, its own had the oldest";
            case DOMINANT_SHARE ->
                    "of the queues that could start a job, its own used the least by its weight";
        };
    }
}
