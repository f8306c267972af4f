package dev.muster.coordinator.stream.avro;

import dev.muster.v1.InboxEvent;
import dev.muster.v1.JobRef;
import org.jspecify.annotations.Nullable;

/**
 * The inbox record from which outputs come: so a replay gives them the same ids.
 *
 * @param pool whose inbox it is
 * @param partition the pool's number
 * @param cause the record's own id; null: it could not be read
 * @param asked by whom something was asked of one job; null: it is no such record
 */
public record Origin(
        String pool, int partition, long offset, @Nullable String cause, @Nullable Asked asked) {
    /** Of nothing that anybody asked of a job. */
    Origin(String pool, int partition, long offset, @Nullable String cause) {
        this(pool, partition, offset, cause, null);
    }

    /** Of this job something was asked. */
    record Asked(JobRef job, String actor) {}

    /**
     * The same.
     *
     * @param pool empty: the record says it, since the pool has no name yet
     * @param message null: it could not be read
     */
    public static Origin of(String pool, int partition, long offset, @Nullable InboxEvent message) {
        return message == null
                ? new Origin(pool, partition, offset, null)
                : new Origin(
                        pool.isEmpty() ? message.getPool() : pool,
                        partition,
                        offset,
                        message.getEnvelope().getId(),
                        asked(message));
    }

    private static @Nullable Asked asked(InboxEvent message) {
        var job = message.getJob();
        return switch (message.getKind()) {
            case JOB_SUBMITTED, JOB_CANCEL, JOB_CHANGE ->
                    job == null ? null : new Asked(job, message.getEnvelope().getActor());
            default -> null; // Of other kinds nobody is asked, and there will be more of them.
        };
    }

    /** Who asked for what came of the record itself for this job; null: nobody did. */
    @Nullable String by(JobRef job) {
        return asked != null && asked.job().equals(job) ? asked.actor() : null;
    }
}
