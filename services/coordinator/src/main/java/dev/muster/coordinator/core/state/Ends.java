package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.EndedJob;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Phase;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How jobs ended of which nothing else is left: jobs that are to come after them may be submitted
 * later, however soon the pods of the first were deleted.
 */
public final class Ends {
    /** Since its end, by the pool's clock: one day, as the default {@code ttlAfterFinished}. */
    public static final Duration END_RETENTION = Duration.ofDays(1);

    private Ends() {}

    /** Its rows go. */
    public static void remember(Tables tables, Job job, Instant ended) {
        var phase = job.state().phase();
        var until = ended.plus(END_RETENTION);
        var known = tables.ends.get(job.id().fullName());
        boolean isNewest = known == null || known.isOlderThan(job.id());
        if (phase != Phase.REFUSED && isNewest && until.isAfter(tables.now())) {
            tables.put(new EndedJob(job.id(), phase));
            tables.wakings.at(Alarm.Kind.ENDED, job.id(), until);
        }
    }

    public static void forget(Tables tables, JobId job) {
        var known = tables.ends.get(job.fullName());
        if (known != null && known.job().equals(job)) {
            tables.remove(known);
        }
    }

    /** How that one ended; null: nothing is known of it any more, or a row of its own. */
    public static @Nullable Phase of(Tables tables, JobId job) {
        var known = tables.ends.get(job.fullName());
        return known != null && known.job().equals(job) ? known.phase() : null;
    }

    /** In which the newest of that name is, or was at its end; null: nothing is known of it. */
    public static @Nullable Phase phase(Tables tables, String fullName) {
        var newest = tables.newest(fullName);
        var known = tables.ends.get(fullName);
        // Pods of an older one may still be there when nothing is left of the newest.
        if (newest != null && (known == null || known.isOlderThan(newest.id()))) {
            return newest.state().phase();
        }
        return known == null ? null : known.phase();
    }
}
