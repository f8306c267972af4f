package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.BackedPools.OBSERVED;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.lying;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.InPlaceJob.ON_42;
import static dev.muster.coordinator.core.fixtures.InPlaceJob.SETTLE_AND_DELAY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.BackedPools;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Topology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gang that is to lie in one domain, and that a backend has bound in two of them. */
class PoolBoundOutsideTest {
    private static final Topology ON_ONE_NODE = new Topology(Topology.Policy.REQUIRE, null);

    private final Play play = BackedPools.play(OBSERVED);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    /** Two of its workers on each node, of which others fill the first. */
    @BeforeEach
    void isBoundOnTwoNodes() {
        one.runs(lying(ON_ONE_NODE, failing(policy(Otherwise.POD, ON_42), workers(4, 1))));
        for (int i = 0; i < 4; i++) {
            bound(a, i, i < 2 ? "node-0" : "node-1");
        }
        var b = job("b", 2);
        play.on(new Event.Submitted(b, workers(2, 1), null));
        bound(b, 0, "node-0");
        bound(b, 1, "node-0");
        play.takeEffects();
    }

    private void bound(JobId job, int index, String node) {
        var pod = Fixtures.pod(OneJob.mark(index), one.nextVersion(), PodPhase.RUNNING, node, null);
        play.on(new Event.PodSeen(WATCHER, job, pod));
    }

    @Test
    void whoStartsAgainInItsPodOutsideOfTheDomainRuns() {
        one.seeAgain(3, 1, 42);
        play.passHeard(SETTLE_AND_DELAY, 0);
        assertThat(one.rank(3).state()).isEqualTo(RankState.RUNNING);
        assertThat(one.rank(3).making().incarnation()).isEqualTo(4);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void whoFailsOutsideOfTheDomainIsMadeAgainWhereItWas() {
        one.fail(3, 42);
        play.passHeard(SETTLE_AND_DELAY, 0);
        assertThat(one.rank(3).state()).isEqualTo(RankState.ORDERED);
        assertThat(one.rank(3).making().incarnation()).isGreaterThan(4);
        assertThat(one.rank(3).making().node()).isEqualTo("node-1");
    }
}
