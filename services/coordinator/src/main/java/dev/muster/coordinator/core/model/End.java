package dev.muster.coordinator.core.model;

/**
 * How a job ended.
 *
 * @param phase one of the absorbing ones
 * @param reason a code, empty for success
 * @param message one sentence for people
 */
public record End(Phase phase, String reason, String message) {
    public static final End SUCCESS = new End(Phase.SUCCEEDED, "", "");

    /**
     * Why a job, an attempt of it or one rank ends by the pool's own rules. Failures, and whoever
     * refuses a plan, have words of their own.
     */
    public enum Code {
        CANCELLED("Cancelled"),
        GANG_TIMEOUT("GangTimeout"),
        DEADLINE_EXCEEDED("DeadlineExceeded"),
        BACKOFF_LIMIT_EXCEEDED("BackoffLimitExceeded"),
        INFRASTRUCTURE_LIMIT_EXCEEDED("InfrastructureLimitExceeded"),
        MEMORY_LIMIT_REACHED("MemoryLimitReached"),
        DEPENDENCY_FAILED("DependencyFailed"),
        NOTHING_SUCCEEDED("NothingSucceeded"),
        RESTART_IN_PLACE_FAILED("RestartInPlaceFailed"),
        COMPLETED("Completed"),
        SCALED_IN("ScaledIn");

        private final String label;

        Code(String label) {
            this.label = label;
        }

        /** As users read it. */
        public String label() {
            return label;
        }
    }

    public End {
        if (!phase.isEnd()) {
            throw new IllegalArgumentException(phase + " is no end");
        }
    }

    public static End failed(Code why, String message) {
        return new End(Phase.FAILED, why.label(), message);
    }
}
