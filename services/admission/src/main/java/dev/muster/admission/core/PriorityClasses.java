package dev.muster.admission.core;

import java.util.List;

/**
 * Whether a job's priority class is one of its pool's. What is known of those may be older than the
 * class, so this alone is no reason to refuse a job: it is told beside other problems, and else the
 * pool says so.
 */
public final class PriorityClasses {
    private PriorityClasses() {}

    public static List<Problem> problems(TrainJob job, Queues queues) {
        var asked = job.spec().priorityClass();
        var queue = asked == null ? null : queues.find(job.spec().queue());
        var classes = queue == null ? null : queues.priorityClasses(queue.pool());
        return asked == null || queue == null || classes == null || classes.contains(asked)
                ? List.of()
                : List.of(
                        new Problem(
                                "spec.priorityClass",
                                asked,
                                "must be a priority class of pool %s".formatted(queue.pool())));
    }
}
