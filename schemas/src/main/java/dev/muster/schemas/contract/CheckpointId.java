package dev.muster.schemas.contract;

/**
 * Which request to save how far it has come a job answers. No other request has it, of whatever
 * submission: what a program has kept of one submission may be read by the next of its name.
 *
 * @param uid of the submission that is asked
 * @param number the job's event that told of it first
 */
public record CheckpointId(String uid, long number) {
    private static final char BETWEEN = '.';

    /**
     * Reads {@code 3-4711.17}.
     *
     * @throws IllegalArgumentException when it has another form
     */
    public static CheckpointId parse(String text) {
        int end = text.lastIndexOf(BETWEEN);
        var number = text.substring(end + 1);
        if (end < 1 || !number.matches("0|[1-9][0-9]{0,17}")) {
            throw new IllegalArgumentException(
                    "has the form uid.number, as in 3-4711.17; was '" + text + "'");
        }
        return new CheckpointId(text.substring(0, end), Long.parseLong(number));
    }

    @Override
    public String toString() {
        return uid + BETWEEN + number;
    }
}
