package dev.muster.coordinator.core;

import java.time.Duration;
import java.util.Objects;

/** Jobs that may change their size. */
final class ElasticJobs {
    private ElasticJobs() {}

    /** A job of workers of one core each, so many of which are wished, and which may scale. */
    static JobSpec elastic(String queue, int min, int wished, int max) {
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

    /** The same job, whose workers may be so many, and are made again one by one. */
    static JobSpec elastic(int min, int max, JobSpec spec) {
        var work = spec.work();
        var failure = Fixtures.policy(FailurePolicy.Otherwise.POD);
        var elastic = new JobSpec.Elastic("worker", min, max);
        return Fixtures.with(spec, work.gang(), failure, work.deadlines(), work.limits(), elastic);
    }
}
