package dev.muster.cli.text;

import dev.muster.coordinator.core.model.Checkpoint;

/** What a job was asked to save, and what became of it, in one sentence. */
final class CheckpointText {
    private CheckpointText() {}

    static String of(Checkpoint asked, Moments moments) {
        return "It was asked to save: %s; %s%s."
                .formatted(asked.purpose(), became(asked, moments), said(asked));
    }

    private static String became(Checkpoint asked, Moments moments) {
        var at = moments.of(asked.since());
        return switch (asked.stage()) {
            case ASKED -> "its answer is waited for until " + moments.of(asked.until());
            case SAVED -> "it did at " + at;
            case FAILED -> "it could not, at " + at;
            case TIMED_OUT -> "it had not answered by " + at;
            case WITHDRAWN -> "it was taken back at " + at;
        };
    }

    private static String said(Checkpoint asked) {
        boolean isItsWord =
                asked.stage() == Checkpoint.Stage.SAVED || asked.stage() == Checkpoint.Stage.FAILED;
        return isItsWord && !asked.message().isEmpty() ? " (%s)".formatted(asked.message()) : "";
    }
}
