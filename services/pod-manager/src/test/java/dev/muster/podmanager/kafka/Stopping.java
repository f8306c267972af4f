package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Forced;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Submission;
import java.time.Duration;
import java.util.Map;

/** Plans for tests: nothing of a job is wanted any more, but for pods that are kept. */
final class Stopping {
    static final Plan PLAN = of(new JobName("ml", "resnet"), Keep.NONE);

    private Stopping() {}

    static Plan of(JobName job, Keep keep) {
        return of(job, keep, Backend.NONE);
    }

    static Plan of(JobName job, Keep keep, Backend backend) {
        return new Plan(
                new Submission(job, "3-100"),
                "default",
                "team-a",
                1,
                1,
                false,
                "0-7/1",
                new Plan.Stop(
                        Duration.ofSeconds(30), keep, new Forced(Map.of()), backend, false, null));
    }
}
