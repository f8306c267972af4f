package dev.muster.schemas;

import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * Identity of one submission: where its request stands on job-requests.
 *
 * <p>Of one name only the offset says which is newer: all requests of a name are in one partition.
 */
public record Uid(int partition, long offset) implements Comparable<Uid> {
    /** Small enough for an int and a long. */
    private static final Pattern FORM = Pattern.compile("(0|[1-9]\\d{0,8})-(0|[1-9]\\d{0,17})");

    private static final Comparator<Uid> BY_OFFSET =
            Comparator.comparingLong(Uid::offset).thenComparingInt(Uid::partition);

    public Uid {
        if (partition < 0 || offset < 0) {
            throw new IllegalArgumentException(
                    "a uid is made of a partition and an offset, not of %d and %d"
                            .formatted(partition, offset));
        }
    }

    /**
     * Reads {@code 3-4711}.
     *
     * @throws IllegalArgumentException when it has another form
     */
    public static Uid parse(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "a uid has the form partition-offset, as in 3-4711; was '" + text + "'");
        }
        return new Uid(Integer.parseInt(parts.group(1)), Long.parseLong(parts.group(2)));
    }

    /** By offset; the partition only makes it agree with equals. */
    @Override
    public int compareTo(Uid other) {
        return BY_OFFSET.compare(this, other);
    }

    @Override
    public String toString() {
        return partition + "-" + offset;
    }
}
