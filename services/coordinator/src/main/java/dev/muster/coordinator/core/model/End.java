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

    public End {
        if (!phase.isEnd()) {
            throw new IllegalArgumentException(phase + " is no end");
        }
    }
}
