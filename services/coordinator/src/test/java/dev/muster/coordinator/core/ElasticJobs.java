package dev.muster.coordinator.core;

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

    /** The same job, whose workers may be so many, and are made again one by one. */
    static JobSpec elastic(int min, int max, JobSpec spec) {
        var work = spec.work();
        return spec.with(
                new JobSpec.Work(
                        work.gang(),
                        work.roles(),
                        work.success(),
                        work.cleanup(),
                        work.ttl(),
                        work.grace(),
                        Fixtures.policy(FailurePolicy.Otherwise.POD),
                        work.deadlines(),
                        work.limits(),
                        new JobSpec.Elastic("worker", min, max)));
    }
}
