package dev.muster.admission.stream;

import dev.muster.admission.core.JobChange;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Changes of jobs, in both directions; the kinds have the same names on both sides. */
public final class ChangeMapping {
    private ChangeMapping() {}

    /** Takes over everything; what is wrong with it the core says. */
    public static JobChange toCore(dev.muster.v1.JobChange change) {
        @Nullable Long grace = change.getGracePeriodMillis();
        return new JobChange(
                JobChange.Kind.valueOf(change.getKind().name()),
                change.getPriority(),
                change.getQueue(),
                grace == null ? null : Duration.ofMillis(grace),
                change.getMessage(),
                change.getNode());
    }

    static dev.muster.v1.JobChange toAvro(JobChange change) {
        var grace = change.gracePeriod();
        return new dev.muster.v1.JobChange(
                dev.muster.v1.JobChangeKind.valueOf(change.kind().name()),
                change.priority(),
                change.queue(),
                grace == null ? null : grace.toMillis(),
                change.message(),
                change.node());
    }
}
