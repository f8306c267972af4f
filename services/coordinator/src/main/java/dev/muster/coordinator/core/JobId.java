package dev.muster.coordinator.core;

import java.util.Comparator;

/** One submission of a job; written {@code namespace/name@uid}. */
public record JobId(String namespace, String name, Uid uid) implements Comparable<JobId> {
    private static final Comparator<JobId> ORDER =
            Comparator.comparing(JobId::namespace)
                    .thenComparing(JobId::name)
                    .thenComparingLong(id -> id.uid.offset())
                    .thenComparingInt(id -> id.uid.partition());

    /**
     * @throws IllegalArgumentException when the text is not {@code namespace/name@uid}
     */
    public static JobId parse(String text) {
        int slash = text.indexOf('/');
        int at = text.indexOf('@');
        if (slash < 0 || at < slash) {
            throw new IllegalArgumentException("not a job id (namespace/name@uid): " + text);
        }
        return new JobId(
                text.substring(0, slash),
                text.substring(slash + 1, at),
                Uid.parse(text.substring(at + 1)));
    }

    /** {@code namespace/name}, which several submissions may share. */
    public String fullName() {
        return namespace + "/" + name;
    }

    @Override
    public int compareTo(JobId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return fullName() + "@" + uid;
    }
}
