package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Submission;
import java.time.Duration;
import java.util.Set;

/** A plan for tests: nothing of job ml/resnet is wanted any more. */
final class Stopping {
    static final Plan PLAN =
            new Plan(
                    new Submission(new JobName("ml", "resnet"), "3-100"),
                    "default",
                    "team-a",
                    1,
                    1,
                    false,
                    "0-7/1",
                    new Plan.Stop(
                            Duration.ofSeconds(30),
                            Keep.NONE,
                            Set.of(),
                            Backend.NONE,
                            false,
                            null));

    private Stopping() {}
}
