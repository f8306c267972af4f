package dev.muster.schemas;

import dev.muster.v1.JobRef;
import org.jspecify.annotations.Nullable;

/** The record keys about jobs: {@code namespace/name} and {@code namespace/name@uid}. */
public final class JobKeys {
    /**
     * A key in its parts.
     *
     * @param uid null on topics that are keyed by the name alone
     */
    public record Parts(String namespace, String name, @Nullable Uid uid) {}

    /** The key of requests. */
    public static String of(String namespace, String name) {
        return namespace + "/" + name;
    }

    /** The key of what is said about one submission. */
    public static String of(String namespace, String name, Uid uid) {
        return of(namespace, name) + "@" + uid;
    }

    /** The key of what is said about one submission. */
    public static String of(JobRef job) {
        return of(job.getNamespace(), job.getName()) + "@" + job.getUid();
    }

    /** The part of a key that says the partition: what stands before the uid. */
    public static String withoutUid(String key) {
        var at = key.indexOf('@');
        return at < 0 ? key : key.substring(0, at);
    }

    /**
     * Takes a key apart; what namespace and name may be made of is not checked here.
     *
     * @throws IllegalArgumentException when it is neither {@code namespace/name} nor {@code
     *     namespace/name@uid}
     */
    public static Parts parse(String key) {
        var nameOnly = withoutUid(key);
        var slash = nameOnly.indexOf('/');
        if (slash < 1 || slash == nameOnly.length() - 1 || slash != nameOnly.lastIndexOf('/')) {
            throw new IllegalArgumentException(
                    "a job's key has the form namespace/name or namespace/name@uid; was '"
                            + key
                            + "'");
        }
        return new Parts(
                nameOnly.substring(0, slash),
                nameOnly.substring(slash + 1),
                nameOnly.length() == key.length()
                        ? null
                        : Uid.parse(key.substring(nameOnly.length() + 1)));
    }

    private JobKeys() {}
}
