package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.life.JobAlarms;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.simulation.Chance;
import dev.muster.coordinator.core.state.Effect;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that do not go though their nodes live: after a while their job says so. */
class PoolStuckPodsTest {
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private Duration patience = Duration.ZERO;

    @BeforeEach
    void runs() {
        one.runs(failing(policy(Otherwise.GANG), workers(3, 1)));
        patience = play.job(a).spec().grace().plus(JobAlarms.TO_GO);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jobThatStopsSaysForWhichPodOnWhichNodeItWaits(boolean isCancelled) {
        var change = isCancelled ? new Change.Cancel(null, "") : new Change.Suspend(null, "");
        play.on(new Event.ChangeAsked(a, change, null));
        one.gone(0);
        play.passHeard(patience.minus(MOMENT), 0);
        assertThat(reasons()).isEmpty();
        play.takeEffects();
        play.restart();
        play.passHeard(MOMENT.plus(Jobs.PUBLISH_DELAY), 0);
        var node = one.rank(1).making().node();
        var message = "the pod of worker-1 was told to go and is still there, on %s (and 1 more)";
        assertThat(reasons())
                .singleElement()
                .returns(Code.EARLIER_PODS, WaitReason::code)
                .returns("worker-1", WaitReason::scope)
                .returns(message.formatted(node), WaitReason::message);
        assertThat(play.take(Effect.Status.class).getLast().word().waits())
                .isNotNull()
                .returns("worker-1", WaitReason::scope);
        one.gone(1);
        one.gone(2);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(reasons()).isEmpty();
        assertThat(play.take(Effect.Status.class).getLast().word().waits()).isNull();
    }

    @Test
    void soDoesAGangThatStartsAnew() {
        one.fail(0, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        one.gone(0);
        one.gone(1);
        play.passHeard(patience, 0);
        assertThat(reasons()).extracting(WaitReason::scope).containsExactly("worker-2");
    }

    @Test
    void whoGivesLessTimeHearsOfItSooner() {
        play.on(new Event.ChangeAsked(a, new Change.Cancel(Duration.ofSeconds(1), ""), null));
        play.passHeard(JobAlarms.TO_GO.plusSeconds(1), 0);
        assertThat(reasons()).hasSize(1);
    }

    /** What is not heard of may be gone. */
    @Test
    void itIsNotSaidWhileNobodyLooks() {
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        play.pass(patience.plusMinutes(5));
        assertThat(reasons()).isEmpty();
    }

    @Test
    void ofDeadNodesItSaysThatTheyAreDead() {
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        for (var name : List.of("node-0", "node-1")) {
            play.on(new Event.NodeSeen(WATCHER, Chance.unready(name, 4)));
        }
        play.passHeard(patience, 0);
        assertThat(reasons()).extracting(WaitReason::code).containsExactly(Code.NODE_LOST);
    }

    private List<WaitReason> reasons() {
        return play.explain(a).orElseThrow().reasons();
    }
}
