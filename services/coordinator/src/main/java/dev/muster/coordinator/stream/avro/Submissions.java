package dev.muster.coordinator.stream.avro;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.v1.JobSubmitted;
import org.jspecify.annotations.Nullable;

/** What was submitted, whole: templates, labels and names that the core does not know. */
@FunctionalInterface
public interface Submissions {
    /** Null: the job is not known, or needs it no more. */
    @Nullable JobSubmitted of(JobId job);
}
