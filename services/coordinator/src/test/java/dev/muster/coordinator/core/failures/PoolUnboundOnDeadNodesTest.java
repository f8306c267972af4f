package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action.RestartRole;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pods whose nodes die before a scheduler has bound them: nothing of them is there. */
class PoolUnboundOnDeadNodesTest {
    private static final Duration PATIENCE = FailurePolicy.PLAIN.nodeLost().after();

    /** Until a failed pod is made again: what the verdict waits, and the first delay. */
    private static final Duration AGAIN = Duration.ofSeconds(20);

    private final Play play = Play.withNodes(1, 1, 1);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void podThatIsBoundToNoNodeIsNotLostWithTheOneThatItWasToHave() {
        one.runs(ElasticJobs.elastic("default", 1, 2, 4));
        var node = waitsForADeadNode();
        play.restart();
        play.passHeard(PATIENCE.plus(AGAIN), 0);
        seeUnbound();
        assertThat(one.rank(1).state()).isEqualTo(RankState.PENDING);
        assertThat(play.job(a).past().budgets().infrastructure()).isZero();
        play.on(new Event.OthersUse(WATCHER, "node-2", Amounts.NONE));
        play.passHeard(Alarm.RETRY_INTERVAL, 0);
        assertThat(one.rank(1).making().node()).isEqualTo("node-2").isNotEqualTo(node);
        assertThat(one.rank(1).making().former()).isNull();
        assertThat(one.rank(1).making().forces()).isFalse();
    }

    @Test
    void podThatIsMadeAgainBeforeItWasBoundGoesToRoomThatComes() {
        var rule = new Rule(List.of(new ExitCodes(1, 1)), List.of(), null, new RestartRole());
        one.runs(failing(policy(Otherwise.POD, rule), workers(2, 1)));
        var node = waitsToBeBound();
        one.fail(0, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        seeUnbound();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 1)));
        play.restart();
        play.passHeard(AGAIN, 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.ORDERED);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        play.on(new Event.OthersUse(WATCHER, "node-2", Amounts.NONE));
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        assertThat(one.rank(1).making().node()).isEqualTo("node-2");
        assertThat(one.rank(1).making().former()).isNull();
        assertThat(one.rank(1).making().forces()).isFalse();
    }

    @Test
    void podThatIsBoundToADeadNodeAfterAllIsWaitedForThere() {
        one.runs(ElasticJobs.elastic("default", 1, 2, 4));
        var node = waitsForADeadNode();
        play.passHeard(PATIENCE.plus(AGAIN), 0);
        one.seeNewest(1, PodPhase.PENDING, null);
        assertThat(play.rows.get(Row.Table.ALARM).values())
                .extracting(row -> ((Alarm) row).subject())
                .contains("%s %s worker".formatted(a, node));
        play.passHeard(PATIENCE.plus(AGAIN), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    /** Worker 1 is made again, and its node dies before a scheduler has bound it there. */
    private String waitsForADeadNode() {
        var node = waitsToBeBound();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 1)));
        return node;
    }

    /** Others have the only node that is free. */
    private String waitsToBeBound() {
        var node = one.rank(1).making().node();
        play.on(new Event.OthersUse(WATCHER, "node-2", Fixtures.cpu(1)));
        assertThat(node).isNotEqualTo("node-2");
        one.fail(1, 137);
        play.passHeard(AGAIN, 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        assertThat(one.rank(1).making().node()).isEqualTo(node);
        seeUnbound();
        return node;
    }

    private void seeUnbound() {
        var pod = Fixtures.pod(one.newest(1), one.nextVersion(), PodPhase.PENDING, null);
        play.on(new Event.PodSeen(WATCHER, a, pod));
    }
}
