package dev.muster.admission.core;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is asked of one name. */
public sealed interface Request {
    /** The client's idempotency key. */
    @Nullable String requestId();

    /**
     * A job that is to run.
     *
     * @param uid by partition and offset of this request: the submission's, if it becomes one
     * @param digest of the examined job's canonical text
     * @param retryOf the submission of the same name that it repeats; null: none
     * @param waitsUntil how long it may wait for its queue to appear
     */
    record Submit(
            @Nullable String requestId,
            String uid,
            Examined examined,
            String digest,
            @Nullable String retryOf,
            Instant waitsUntil)
            implements Request {
        String queue() {
            return examined.job().spec().queue();
        }

        /** By what a repeat is known: to try a submission again is no repeat of it. */
        String asked() {
            return retryOf == null ? digest : "retry " + digest;
        }
    }

    /**
     * The end of a job, before its time.
     *
     * @param uid null: the newest submission
     * @param gracePeriod null: the job's own
     */
    record Cancel(
            @Nullable String requestId,
            @Nullable String uid,
            @Nullable Duration gracePeriod,
            String message)
            implements Request {}

    /**
     * Something else that is to be done to a job.
     *
     * @param uid null: the newest submission
     */
    record Change(@Nullable String requestId, @Nullable String uid, JobChange change)
            implements Request {}
}
