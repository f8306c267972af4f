package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two roles on one node that falls silent, one of which has more patience with it. */
class PoolPatienceTest {
    private static final Duration SHORT = Duration.ofMinutes(2);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final RankId PS = new RankId("ps", 0);
    private static final RankId WORKER = new RankId("worker", 0);

    private final Play play = Play.withNodes(2);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void bothRunOnTheNodeWhichFallsSilent() {
        var ps = caring(lostAfter(LONG), role("ps", 1, 1));
        var spec = spec("default", ps, role("worker", 1, 1));
        play.on(new Event.Submitted(a, failing(lostAfter(SHORT), spec), null));
        one.applied(false);
        one.see("ps", PodPhase.RUNNING, null);
        one.seeNewest(0, PodPhase.RUNNING, null);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-0", 2)));
        play.restart();
        play.takeEffects();
    }

    @Test
    void eachRoleIsLostWithTheNodeInItsOwnTime() {
        play.passHeard(SHORT, 0);
        assertThat(state(WORKER)).isEqualTo(RankState.FAILED);
        assertThat(state(PS)).isEqualTo(RankState.RUNNING);
        play.passHeard(LONG.minus(SHORT).minusSeconds(1), 0);
        assertThat(state(PS)).isEqualTo(RankState.RUNNING);
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(state(PS)).isEqualTo(RankState.FAILED);
    }

    @Test
    void nodeThatIsHeardOfMeanwhileHasLostOnlyWhatHadLessPatience() {
        play.passHeard(SHORT.plusSeconds(30), 0);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 2)));
        play.passHeard(LONG, 0);
        assertThat(state(PS)).isEqualTo(RankState.RUNNING);
    }

    @Test
    void nothingIsForcedBeforeTheMostPatientHasLostIt() {
        play.on(Fixtures.cancel(a, "", null));
        one.applied(false);
        play.takeEffects();
        play.passHeard(LONG.minusSeconds(1), 0);
        assertThat(play.take(StopPlan.class)).isEmpty();
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(play.takeOne(StopPlan.class).stop().forced())
                .containsExactly(ForcedPods.of(PS), ForcedPods.of(WORKER));
    }

    private RankState state(RankId id) {
        return play.ranks(a).stream()
                .filter(rank -> rank.id().equals(id))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private static FailurePolicy lostAfter(Duration time) {
        return Fixtures.losing(time, true, Fixtures.policy(Otherwise.POD));
    }

    private static JobSpec.Role caring(FailurePolicy own, JobSpec.Role role) {
        return Fixtures.caring(new JobSpec.Care(own, new TreeSet<>()), role);
    }
}
