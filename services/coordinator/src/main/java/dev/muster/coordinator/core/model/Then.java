package dev.muster.coordinator.core.model;

/** What follows once no pod is left. */
public sealed interface Then {
    /** How often its gang did not run in time since it last ran for long. */
    int takenBack();

    /** Its gang did not run in time: it waits before it starts again, whatever comes between. */
    default boolean backsOff() {
        return false;
    }

    record Finish(End end) implements Then {
        /** No more. */
        @Override
        public int takenBack() {
            return 0;
        }
    }

    /**
     * Back to the queue.
     *
     * @param takenBack 1 or more: this time, too
     * @param reason a code
     * @param message one sentence for people
     */
    record Requeue(int takenBack, String reason, String message) implements Then {
        @Override
        public boolean backsOff() {
            return true;
        }
    }

    /**
     * Back to its place in the queue at once: it made room for another.
     *
     * @param message one sentence for people
     */
    record Return(int takenBack, String message) implements Then {}

    /** The same, where it was to be suspended and was resumed before its pods were gone. */
    record Resume(int takenBack, boolean backsOff) implements Then {
        public Resume(int takenBack) {
            this(takenBack, false);
        }
    }

    /**
     * Back to the queue, for nodes of it are about to go.
     *
     * @param message one sentence for people
     */
    record Move(int takenBack, String message) implements Then {}

    /**
     * Nothing until it is resumed.
     *
     * @param message one sentence for people
     * @param own it was suspended alone
     */
    record Suspend(int takenBack, String message, boolean own, boolean backsOff) implements Then {
        public Suspend(int takenBack, String message, boolean own) {
            this(takenBack, message, own, false);
        }
    }
}
