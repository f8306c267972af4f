package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Containers that their runtime cannot start: no restart makes their command exist. */
class PoolNoStartTest {
    private final Play play = Play.withNodes(4, 4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @ParameterizedTest
    @EnumSource
    void commandThatDoesNotExistEndsTheJob(Otherwise otherwise) {
        starts(policy(otherwise));
        see(PodPhase.FAILED, null);
        var end = play.takeOne(Effect.Moved.class);
        assertThat(end.to()).isEqualTo(Phase.FAILED);
        assertThat(end.reason()).isEqualTo("StartError");
        assertThat(end.message()).isEqualTo("worker-0 did not start: no such file");
        assertThat(play.job(a).past().budgets().all()).isZero();
    }

    @Test
    void soItDoesWhereTheKubeletTriesAgain() {
        starts(policy(Otherwise.GANG));
        see(PodPhase.RUNNING, new Event.EarlierRuns(1, end("")));
        assertThat(play.takeOne(Effect.Moved.class).message())
                .isEqualTo("worker-0 did not start: StartError");
    }

    @Test
    void ruleByItsReasonDecidesOtherwise() {
        var rule = new Rule(List.of(), List.of("StartError"), null, new Action.ExcludeNode());
        starts(policy(Otherwise.GANG, rule));
        see(PodPhase.FAILED, null);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(play.job(a).past().exclusions().nodes()).hasSize(1);
    }

    private void starts(FailurePolicy policy) {
        play.on(new Event.Submitted(a, failing(policy, workers(2, 4)), null));
        one.applied(false);
        play.takeEffects();
    }

    private void see(PodPhase phase, Event.EarlierRuns runs) {
        var node = one.rank(0).making().node();
        var main = phase == PodPhase.FAILED ? end("no such file") : null;
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        a,
                        new Event.Pod(
                                OneJob.mark(0),
                                one.nextVersion(),
                                phase,
                                node,
                                false,
                                false,
                                false,
                                main,
                                null,
                                "",
                                "",
                                runs)));
    }

    private static Event.ContainerEnd end(String message) {
        return new Event.ContainerEnd(128, "StartError", message);
    }
}
