package dev.muster.admission.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job has to say of itself.
 *
 * @param answers which request of its pool; null: none
 * @param role of the rank that it speaks of; null: of none
 * @param index of that rank; null: of none
 */
public record Signal(
        Kind kind, @Nullable String answers, @Nullable String role, @Nullable Integer index) {
    /** What it says. */
    public enum Kind {
        UNKNOWN,
        CHECKPOINT_SAVED,
        CHECKPOINT_FAILED,
        DRAINED
    }

    /** It tells of a checkpoint of the job's own making: nobody waits for that. */
    public boolean isUnasked() {
        return switch (kind) {
            case CHECKPOINT_SAVED, CHECKPOINT_FAILED -> answers == null || answers.isEmpty();
            case UNKNOWN, DRAINED -> false;
        };
    }

    /** All that is wrong with it. */
    public List<Problem> problems() {
        var problems = new ArrayList<Problem>();
        if (kind == Kind.UNKNOWN) {
            problems.add(
                    new Problem(
                            "kind",
                            "",
                            "must be one of CheckpointSaved, CheckpointFailed, Drained"));
        }
        if (kind == Kind.DRAINED && role == null) {
            problems.add(new Problem("role", "", "must be set: who has drained"));
        }
        if (kind == Kind.DRAINED && (index == null || index < 0)) {
            var given = index == null ? "" : index.toString();
            problems.add(new Problem("index", given, "must be set: who has drained"));
        }
        if (isUnasked()) {
            problems.add(
                    new Problem("answers", "", "must be set: the id of what the job was asked"));
        }
        return problems;
    }
}
