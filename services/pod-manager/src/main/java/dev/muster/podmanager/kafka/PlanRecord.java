package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Submission;
import org.jspecify.annotations.Nullable;

/** What one record of job-plans says. */
sealed interface PlanRecord {
    record Known(Plan plan) implements PlanRecord {}

    /** A null: the submission is to be forgotten. */
    record Removed(Submission job) implements PlanRecord {}

    /**
     * Makes no sense to us.
     *
     * @param job whose record it is, by its key; null where the key makes no sense either
     */
    record Unreadable(@Nullable Submission job, String error) implements PlanRecord {}
}
