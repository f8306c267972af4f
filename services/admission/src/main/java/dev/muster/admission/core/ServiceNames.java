package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.Framework;
import java.util.List;

/** A job's service has its name, which not every Kubernetes takes for one. */
public final class ServiceNames {
    private ServiceNames() {}

    /** Those whose pods need a service whoever binds them. */
    static void check(TrainJob job, Problems warnings) {
        if (isUntaken(job) && needsOne(job.spec())) {
            warn(job, warnings);
        }
    }

    /**
     * The same for those that have a service only because their pool's backend needs a group, which
     * it owns. What is known of the pool may be older than its backend.
     */
    public static List<Problem> warnings(TrainJob job, Queues queues) {
        boolean mayNeedOne = isUntaken(job) && !needsOne(job.spec());
        var queue = mayNeedOne ? queues.find(job.spec().queue()) : null;
        var warnings = new Problems();
        if (queue != null && queues.hasBackend(queue.pool())) {
            warn(job, warnings);
        }
        return warnings.all();
    }

    /** By which its pods find each other, or which owns what it has besides its pod. */
    private static boolean needsOne(TrainJob.Spec spec) {
        return spec.framework() != Framework.NONE
                || spec.podDisruptionBudget()
                || spec.elastic() != null
                || spec.roles().stream().mapToLong(TrainJob.Role::replicas).sum() > 1;
    }

    /** Every Kubernetes takes it for the name of a pod. */
    private static boolean isUntaken(TrainJob job) {
        return Names.beginsWithDigit(job.name());
    }

    private static void warn(TrainJob job, Problems warnings) {
        warnings.add(
                "metadata.name",
                job.name(),
                "begins with a digit: its service has the same name, which Kubernetes before 1.36"
                        + " does not take, so that the job fails there");
    }
}
