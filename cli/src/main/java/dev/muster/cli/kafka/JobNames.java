package dev.muster.cli.kafka;

import dev.muster.schemas.JobKeys;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs a command is about.
 *
 * @param namespace null: any
 * @param name null: any
 */
public record JobNames(@Nullable String namespace, @Nullable String name) {
    /** Every job. */
    public static final JobNames ALL = new JobNames(null, null);

    /** The submissions of one name. */
    public static JobNames one(String namespace, String name) {
        return new JobNames(namespace, name);
    }

    /** The key of the only name; null: there may be several. */
    @Nullable String key() {
        return namespace == null || name == null ? null : JobKeys.of(namespace, name);
    }

    /**
     * Whether a record is about one of them.
     *
     * @param key as {@link JobKeys} has it
     */
    boolean has(String key) {
        if (namespace == null && name == null) {
            return true;
        }
        var full = JobKeys.withoutUid(key);
        int slash = full.indexOf('/');
        return (namespace == null || full.substring(0, Math.max(0, slash)).equals(namespace))
                && (name == null || full.substring(slash + 1).equals(name));
    }
}
