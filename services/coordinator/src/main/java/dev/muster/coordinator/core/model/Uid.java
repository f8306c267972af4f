package dev.muster.coordinator.core.model;

/**
 * Identity of one submission: where its request stands in {@code job-requests}.
 *
 * <p>Of one job name only the offset is compared: larger is newer.
 *
 * @param partition of the request, 0 or more
 * @param offset of the request, 0 or more
 */
public record Uid(int partition, long offset) {
    public boolean isNewerThan(Uid other) {
        return offset > other.offset;
    }

    /**
     * @throws IllegalArgumentException when the text is not {@code partition-offset}
     */
    public static Uid parse(String text) {
        int dash = text.indexOf('-');
        try {
            return new Uid(
                    Integer.parseInt(text.substring(0, Math.max(dash, 0))),
                    Long.parseLong(text.substring(dash + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a uid (partition-offset): " + text, e);
        }
    }

    @Override
    public String toString() {
        return partition + "-" + offset;
    }
}
