package dev.muster.coordinator.core.model;

/** What follows once no pod is left. */
public sealed interface Then {
    record Finish(End end) implements Then {}

    /**
     * Back to the queue.
     *
     * @param reason a code
     * @param message one sentence for people
     */
    record Requeue(int takenBack, String reason, String message) implements Then {}

    /**
     * Back to its place in the queue at once: it made room for another.
     *
     * @param message one sentence for people
     */
    record Return(String message) implements Then {}

    /** The same, where it was to be suspended and was resumed before its pods were gone. */
    record Resume() implements Then {}

    /**
     * Back to the queue, for nodes of it are about to go.
     *
     * @param message one sentence for people
     */
    record Move(String message) implements Then {}

    /**
     * Nothing until it is resumed.
     *
     * @param message one sentence for people
     * @param own it was suspended alone
     */
    record Suspend(String message, boolean own) implements Then {
        /** Alone. */
        public Suspend(String message) {
            this(message, true);
        }
    }
}
