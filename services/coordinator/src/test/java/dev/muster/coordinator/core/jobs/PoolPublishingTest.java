package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.simulation.Chance;
import dev.muster.coordinator.core.state.QueueStates;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is told of a job and of its queue at once, and what gathers before. */
class PoolPublishingTest {
    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void whatHasGatheredOfAJobIsNotToldAgainOnceItWasTold() {
        one.runs(workers(2, 1));
        play.pass(Jobs.PUBLISH_DELAY);
        play.takeEffects();
        one.seeUnready(0);
        assertThat(play.job(a).due().status()).isTrue();
        assertThat(play.take(Effect.Status.class)).isEmpty();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        assertThat(play.take(Effect.Status.class)).hasSize(1);
        assertThat(play.job(a).due()).isEqualTo(Job.Due.NOTHING);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(Effect.Status.class)).isEmpty();
    }

    /** It is tried again every few seconds, which is no news. */
    @Test
    void jobThatFindsNoRoomForARankIsToldWhenItIsForAnotherReason() {
        var play = Play.withNodes(1, 1);
        var one = new OneJob(play, a);
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        one.runs(failing(policy(Otherwise.POD), workers(2, 1)));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 1)));
        play.passHeard(FailurePolicy.PLAIN.nodeLost().after().plusSeconds(30), 0);
        assertThat(firstReason(play).code()).isEqualTo(Code.NODE_LOST);
        play.takeEffects();
        play.restart();
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.take(Effect.Status.class)).isEmpty();
        play.on(new Event.NodeReleased(WATCHER, "node-1", true));
        play.passHeard(Duration.ofMinutes(1), 0);
        var reason = firstReason(play);
        assertThat(reason.code()).isNotEqualTo(Code.NODE_LOST);
        assertThat(play.takeOne(Effect.Status.class).word().message()).isEqualTo(reason.message());
    }

    private WaitReason firstReason(Play play) {
        return play.explain(a).orElseThrow().reasons().getFirst();
    }

    @Test
    void queueIsToldSoonAfterAJobOfItChanged() {
        play.on(new Event.Submitted(a, workers(1, 8), null));
        play.pass(QueueStates.GATHER);
        assertThat(play.take(Effect.QueueState.class).getLast())
                .returns(1, Effect.QueueState::waiting)
                .returns(0, Effect.QueueState::running);
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        assertThat(play.take(Effect.QueueState.class)).isEmpty();
        play.pass(QueueStates.GATHER);
        assertThat(play.take(Effect.QueueState.class)).hasSize(1);
        play.pass(QueueStates.GATHER);
        assertThat(play.take(Effect.QueueState.class)).isEmpty();
    }

    @Test
    void queueSaysWhoIsInLineAndSinceWhen() {
        play.on(new Event.Submitted(a, workers(1, 8), null));
        var first = play.now();
        play.pass(Duration.ofMinutes(1));
        play.on(new Event.Submitted(job("b", 2), workers(1, 8), null));
        var second = play.now();
        assertThat(line()).isEqualTo(List.of(2, first));
        play.on(new Event.ChangeAsked(a, new Change.Hold(""), null));
        assertThat(line()).isEqualTo(List.of(1, second));
        play.on(new Event.ChangeAsked(a, new Change.Release(), null));
        assertThat(line()).isEqualTo(List.of(2, second));
        play.on(Fixtures.cancel(job("b", 2), "", null));
        assertThat(line().getFirst()).isEqualTo(1);
    }

    private List<Object> line() {
        play.take(Effect.QueueState.class);
        play.pass(QueueStates.GATHER);
        var state = play.take(Effect.QueueState.class).getLast();
        assertThat(state.oldestInLine()).isNotNull();
        return List.of(state.inLine(), state.oldestInLine());
    }

    @Test
    void startSaysHowLongTheJobWasInLine() {
        play.on(new Event.Submitted(a, workers(1, 8), null));
        play.pass(Duration.ofMinutes(1));
        play.takeEffects();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("large", 8)));
        assertThat(play.takeOne(Effect.Started.class).waited()).isEqualTo(Duration.ofMinutes(1));
    }
}
