package dev.muster.coordinator.core.nodes;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gang of which one rank returns, and which cannot save meanwhile, on a node that goes. */
class PoolImpairedGangsTest {
    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void oneOfThreeReturnsAndThereIsRoomElsewhere() {
        one.runs(failing(policy(Otherwise.POD), byFile(workers(3, 1))));
        one.fail(2, 137);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
    }

    @Test
    void itLeavesACordonedNodeOnceItCanSave() {
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.restart();
        play.passHeard(FailurePolicy.PLAIN.delay().initial(), 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.ORDERED);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        one.seeNewest(2, PodPhase.RUNNING, null);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        new Asking(play, a).isAsked("its node node-0 is about to go");
    }

    @Test
    void itLeavesANodeThatHasAnEndAtOnce() {
        var notice = "aws-node-termination-handler/spot-itn";
        play.on(new Event.NodeSeen(WATCHER, Nodes.tainted("node-0", 4, notice)));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }
}
