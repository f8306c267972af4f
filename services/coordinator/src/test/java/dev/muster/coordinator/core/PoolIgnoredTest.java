package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.after;
import static dev.muster.coordinator.core.Fixtures.failing;
import static dev.muster.coordinator.core.Fixtures.job;
import static dev.muster.coordinator.core.Fixtures.policy;
import static dev.muster.coordinator.core.Fixtures.role;
import static dev.muster.coordinator.core.Fixtures.rule;
import static dev.muster.coordinator.core.Fixtures.spec;
import static dev.muster.coordinator.core.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Effect.RunPlan;
import dev.muster.coordinator.core.Event.PodPhase;
import dev.muster.coordinator.core.FailurePolicy.Action;
import dev.muster.coordinator.core.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.JobSpec.Milestone;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Failures that a rule has count as an end like any other, before a gang runs and later. */
class PoolIgnoredTest {
    private static final FailurePolicy IGNORING = policy(Otherwise.GANG, rule(new Action.Ignore()));

    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void gangOfWhichOneWasIgnoredBeforeAllRanRuns() {
        play.on(new Event.Submitted(a, failing(IGNORING, workers(3, 1)), null));
        one.applied(false);
        one.fail(0, 1);
        one.see(1, PodPhase.RUNNING, null);
        play.takeEffects();
        one.see(2, PodPhase.RUNNING, null);
        assertThat(play.takePhases(a)).containsExactly(Phase.RUNNING);
    }

    @Test
    void gangOfWhichAllWereIgnoredIsOver() {
        play.on(new Event.Submitted(a, failing(IGNORING, workers(2, 1)), null));
        one.applied(false);
        play.takeEffects();
        one.fail(0, 1);
        one.fail(1, 1);
        assertThat(play.takePhases(a)).containsExactly(Phase.RUNNING, Phase.SUCCEEDED);
    }

    @ParameterizedTest
    @EnumSource
    void rolesThatWaitForAnIgnoredOneGoOn(Milestone until) {
        var second = after("worker", until, role("helper", 1, 1));
        var spec = spec("default", role("worker", 1, 1), second);
        play.on(new Event.Submitted(a, failing(IGNORING, spec), null));
        one.applied(false);
        play.takeEffects();
        one.fail(0, 1);
        play.passHeard(Duration.ofSeconds(5), 0);
        assertThat(play.takeOne(RunPlan.class).pods())
                .extracting(pod -> pod.rank().role())
                .contains("helper");
    }
}
