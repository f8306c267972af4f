package dev.muster.coordinator.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a user may ask of a job that was submitted, or of many at once. */
public sealed interface Change {
    /**
     * To end it.
     *
     * @param grace for its pods; null: the job's own
     */
    record Cancel(@Nullable Duration grace, String message) implements Change {}

    /** To keep it waiting where it is. */
    record Hold(String message) implements Change {}

    record Release() implements Change {}

    /** To give it another priority while it waits. */
    record Prioritise(int priority) implements Change {}

    /** To let it wait in another queue of the pool, with its age. */
    record Move(String queue) implements Change {}

    /** To stop its pods, if there are any, and start none until it is resumed. */
    record Suspend(@Nullable Duration grace, String message) implements Change {}

    record Resume() implements Change {}

    /** To delete what dead nodes hold of it without the word of their kubelets. */
    record ForceDelete() implements Change {}

    /**
     * To forget what is held against nodes that it failed on.
     *
     * @param node null: all that it avoids
     */
    record Include(@Nullable String node) implements Change {}
}
