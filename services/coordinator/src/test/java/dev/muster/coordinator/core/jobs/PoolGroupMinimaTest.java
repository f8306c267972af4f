package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.BackedPools.DELEGATED;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Grouping.PodGroup;
import dev.muster.coordinator.core.fixtures.BackedPools;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For how many pods of a group a backend waits once some of them have ended. */
class PoolGroupMinimaTest {
    private static final FailurePolicy IGNORES_3 =
            policy(Otherwise.GANG, rule(3, new Action.Ignore()), rule(4, new Action.RestartPod()));
    private static final Duration SETTLE = FailurePolicy.PLAIN.settle();
    private static final Duration DELAY = FailurePolicy.PLAIN.delay().initial();

    private final Play play = BackedPools.play(DELEGATED);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    private static Rule rule(int code, Action action) {
        return new Rule(List.of(new ExitCodes(code, code)), List.of(), null, action);
    }

    @Test
    void whatIsMadeAgainDoesNotWaitForOneThatIsIgnored() {
        one.runs(failing(IGNORES_3, workers(4, 1)));
        one.fail(1, 3);
        play.passHeard(SETTLE.plus(Jobs.PUBLISH_DELAY), 0);
        assertThat(newest().grouping().groups()).containsExactly(group(3));
        one.fail(2, 4);
        play.passHeard(SETTLE.plus(DELAY).plus(Jobs.PUBLISH_DELAY), 0);
        var plan = newest();
        assertThat(plan.pods()).extracting(PlannedPod::incarnation).containsExactly(1, 2, 5, 4);
        assertThat(plan.grouping().groups()).containsExactly(group(3));
    }

    /** Whose pod somebody has deleted, say. */
    @Test
    void whatIsMadeAgainDoesNotWaitForOneThatHasSucceededAndIsGone() {
        one.runs(failing(IGNORES_3, workers(4, 1)));
        one.succeed(1);
        one.fail(2, 4);
        play.passHeard(SETTLE.plus(DELAY).plus(Jobs.PUBLISH_DELAY), 0);
        assertThat(newest().grouping().groups()).containsExactly(group(4));
        one.gone(1);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(newest().grouping().groups()).containsExactly(group(3));
    }

    /** It is back before the gang runs again. */
    @Test
    void whoComesBackIsWaitedFor() {
        one.runs(failing(IGNORES_3, workers(4, 1)));
        one.fail(1, 4);
        one.gone(1);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(newest().grouping().groups()).containsExactly(group(4));
    }

    @ParameterizedTest
    @CsvSource({"true, 3", "false, 1"})
    void whatAScaleBringsDoesNotWaitForOneThatIsIgnored(boolean atomic, int together) {
        one.runs(failing(IGNORES_3, ElasticJobs.elastic("default", 2, 3, 6)));
        one.fail(1, 3);
        play.passHeard(SETTLE.plus(Jobs.PUBLISH_DELAY), 0);
        play.takeEffects();
        var terms = new Change.Terms(Duration.ZERO, atomic, Duration.ZERO, false);
        var out = new Change.ScaleOut("worker", 1, terms);
        play.on(new Event.ChangeAsked(a, out, new Event.Request("ml/a", "out")));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(newest().grouping().groups()).containsExactly(group(together));
        one.seeNewest(3, PodPhase.RUNNING, null);
        assertThat(play.job(a).past().scaling().to()).isEqualTo(4);
    }

    private RunPlan newest() {
        return play.take(RunPlan.class).getLast();
    }

    private static PodGroup group(int pods) {
        var least = Amounts.of(Map.of("cpu", pods * 1000L, "pods", (long) pods));
        return new PodGroup(null, new TreeMap<>(Map.of("worker", pods)), least);
    }
}
