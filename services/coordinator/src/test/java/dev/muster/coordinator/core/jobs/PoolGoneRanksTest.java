package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Planned;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod-manager that begins makes what the newest plan wants and is not there. */
class PoolGoneRanksTest {
    private static final FailurePolicy PODS =
            new FailurePolicy(
                    Otherwise.POD,
                    new FailurePolicy.Limits(20, 100, Duration.ofHours(24)),
                    FailurePolicy.PLAIN.delay(),
                    FailurePolicy.PLAIN.settle(),
                    FailurePolicy.PLAIN.nodeLost(),
                    List.of());

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void itRuns() {
        one.runs(failing(PODS, workers(3, 1)));
        play.pass(Jobs.PUBLISH_DELAY);
        play.takeEffects();
    }

    @Test
    void ranksThatHaveSucceededAreNotWantedOnceTheirPodsAreGone() {
        one.succeed(0);
        one.succeed(1);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(RunPlan.class)).isEmpty();
        one.gone(0);
        one.gone(1);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(Planned.pods(play.takeOne(RunPlan.class))).containsExactly("worker-2");
        one.gone(1);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(RunPlan.class)).isEmpty();
    }

    @Test
    void rankThatHasFailedIsNotWantedBeforeItIsDueAgain() {
        one.fail(1, 137);
        one.gone(1);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(Planned.pods(play.takeOne(RunPlan.class)))
                .containsExactly("worker-0", "worker-2");
    }

    @Test
    void jobThatEndsWithItsLastPodsIsOnlyStopped() {
        for (int i = 0; i < 3; i++) {
            one.succeed(i);
        }
        for (int i = 0; i < 3; i++) {
            one.gone(i);
        }
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(StopPlan.class)).hasSize(1);
        assertThat(play.take(RunPlan.class)).isEmpty();
    }
}
