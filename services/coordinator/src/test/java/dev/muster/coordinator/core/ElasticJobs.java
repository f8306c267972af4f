package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobSpec;
import java.time.Duration;
import java.util.Objects;

/** Jobs that may change their size. */
public final class ElasticJobs {
    private ElasticJobs() {}

    /** A job of workers of one core each, so many of which are wished, and which may scale. */
    public static JobSpec elastic(String queue, int min, int wished, int max) {
        return elastic(
                min,
                max,
                Fixtures.spec(queue, Fixtures.atLeast(min, Fixtures.role("worker", wished, 1))));
    }

    /** The same job, whose size follows how fast it trains. */
    static JobSpec measured(Duration cooldown, JobSpec spec) {
        var work = spec.work();
        var range = Objects.requireNonNull(work.elastic());
        var elastic = new JobSpec.Elastic(range.role(), range.min(), range.max(), cooldown);
        return Fixtures.with(
                spec, work.gang(), work.failure(), work.deadlines(), work.limits(), elastic);
    }

    /** The same with a launcher, which comes when the workers are ready and has a host list. */
    static JobSpec launched(String queue, int min, int wished, int max) {
        var launcher =
                Fixtures.after("worker", JobSpec.Milestone.READY, Fixtures.role("launcher", 1, 1));
        var worker = Fixtures.atLeast(min, Fixtures.role("worker", wished, 1));
        var spec = elastic(min, max, Fixtures.spec(queue, worker, launcher));
        return AnotherWork.of(spec, work -> work.hostList = true);
    }

    /** The same job, whose workers may be so many, and are made again one by one. */
    public static JobSpec elastic(int min, int max, JobSpec spec) {
        var work = spec.work();
        var failure = Fixtures.policy(FailurePolicy.Otherwise.POD);
        var elastic = new JobSpec.Elastic("worker", min, max);
        return Fixtures.with(spec, work.gang(), failure, work.deadlines(), work.limits(), elastic);
    }
}
