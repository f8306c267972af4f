package dev.muster.coordinator.core.model;

/** One submission of a job; written {@code namespace/name@uid}. */
public record JobId(String namespace, String name, Uid uid) implements Comparable<JobId> {
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
        int order = namespace.compareTo(other.namespace);
        order = order == 0 ? name.compareTo(other.name) : order;
        order = order == 0 ? Long.compare(uid.offset(), other.uid.offset()) : order;
        return order == 0 ? Integer.compare(uid.partition(), other.uid.partition()) : order;
    }

    /** Spelled out: it is the key of most maps, and what a record makes of itself is slower. */
    @Override
    public int hashCode() {
        return 31 * (31 * namespace.hashCode() + name.hashCode()) + Long.hashCode(uid.offset());
    }

    @Override
    public String toString() {
        // At once, not from parts that are strings themselves: it is asked for with every change.
        return namespace + "/" + name + "@" + uid.partition() + "-" + uid.offset();
    }
}
