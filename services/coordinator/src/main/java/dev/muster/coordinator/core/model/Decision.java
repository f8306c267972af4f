package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.util.List;

/** What one event means for a job: it moves, or it stays and says why. */
public sealed interface Decision {
    record Move(JobState next, List<Order> orders) implements Decision {
        public Move {
            orders = List.copyOf(orders);
        }
    }

    record Stay(Why why) implements Decision {}

    enum Why {
        /** Known already. */
        DUPLICATE,
        /** Of something that is over. */
        STALE,
        /** The job has ended. */
        FINISHED,
        /** Nothing follows from it yet. */
        NOTHING_NEW,
        /** A fault of ours: this event cannot come in this state. */
        IMPOSSIBLE
    }

    /** What pod-manager is to be told. */
    sealed interface Order {
        /** Make the gang's pods. */
        record Run() implements Order {}

        /**
         * @param forced what dead nodes hold is deleted without the kubelet's word
         * @param sooner pods that are ending already have no longer than this, either
         */
        record Stop(
                Keep keep, Duration grace, boolean confirm, List<ForcedPods> forced, boolean sooner)
                implements Order {
            /** A pod that a sleeper made when he woke is gone within seconds. */
            static final Duration LATE = Duration.ofSeconds(2);

            public Stop {
                forced = List.copyOf(forced);
            }

            public Stop(Keep keep, Duration grace, boolean confirm) {
                this(keep, grace, confirm, List.of(), false);
            }

            /** All of it was seen gone; is it? */
            public static Stop confirming(Duration grace) {
                return new Stop(Keep.NONE, grace, true).late();
            }

            /** All of it goes, also what is on its way out, within that time. */
            public static Stop sooner(Duration grace) {
                return new Stop(Keep.NONE, grace, false, List.of(), true);
            }

            /**
             * What is not yet on its way out was made late: it does not get a job's time to end.
             */
            public Stop late() {
                var least = grace.compareTo(LATE) < 0 ? grace : LATE;
                return new Stop(keep, least, confirm, forced, false);
            }

            public Stop forcing(List<ForcedPods> pods) {
                return new Stop(keep, grace, confirm, pods, sooner);
            }
        }

        /** Nothing is left: the plan is over. */
        record Gone() implements Order {}
    }

    /** Which pods a stopping plan leaves alone. */
    enum Keep {
        NONE,
        FINISHED,
        ALL;

        /** Once a job with such a cleanup has ended. */
        public static Keep after(JobSpec.Cleanup cleanup) {
            return switch (cleanup) {
                case ALL -> NONE;
                case RUNNING -> FINISHED;
                case NONE -> ALL;
            };
        }
    }
}
