package dev.muster.coordinator.core.nodes;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Gangs that can save, on nodes that are about to go. */
class PoolGoingNodesTest {
    private static final String NOTICE = "aws-node-termination-handler/spot-itn";

    private Play play = Play.withNodes(4);

    @Test
    void gangStaysOnACordonedNodeUntilThereIsRoomElsewhere() {
        var gang = run(1, byFile(workers(2, 2)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        var other = run(2, workers(1, 1));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        play.passHeard(Duration.ofMinutes(5), 0);
        assertThat(play.job(gang).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(gang).past().checkpoint()).isNull();
        play.restart();
        ends(other);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(saving(List.of(gang))).containsExactly(gang);
    }

    @Test
    void gangStaysWhereTheNodeIsNotToGoAnyMore() {
        var gang = run(1, byFile(workers(2, 2)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 4)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(gang).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void asManyGangsLeaveAsFitElsewhereAndTheOthersFollow() {
        var gangs = run(4);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 2)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        var first = saving(gangs);
        assertThat(first).hasSize(2);
        play.restart();
        first.forEach(this::saves);
        assertThat(first)
                .allSatisfy(id ->
                        assertThat(play.job(id).state()).isInstanceOf(JobState.Starting.class));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(saving(gangs)).isEmpty();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 2)));
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(saving(gangs)).hasSize(2).doesNotContainAnyElementsOf(first);
    }

    @Test
    void gangsThatFitElsewhereLeaveAFewAtATime() {
        play = Play.withNodes(40);
        var gangs = run(20);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 40)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 40)));
        assertThat(saving(gangs)).hasSize(Elsewhere.MOST);
        saving(gangs).forEach(this::saves);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(saving(gangs)).hasSize(Elsewhere.MOST);
        saving(gangs).forEach(this::saves);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(saving(gangs)).hasSize(20 - 2 * Elsewhere.MOST);
    }

    @Test
    void allLeaveANodeThatHasAnEndWhateverRoomThereIs() {
        var gangs = run(4);
        var elastic = run(9, ElasticJobs.elastic("default", 1, 1, 2));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        assertThat(saving(gangs)).isEmpty();
        play.on(new Event.NodeSeen(WATCHER, Nodes.tainted("node-0", 4, NOTICE)));
        assertThat(saving(gangs)).isEqualTo(gangs);
        assertThat(play.job(elastic).state()).isInstanceOf(JobState.Queued.class);
    }

    @Test
    void gangThatMayNotStartAgainKeepsNobodyOnItsNode() {
        var gang = run(1, byFile(workers(1, 3)));
        play.on(new Event.QueuePut("other", QueueSpecs.queue(1, false, true, 10), null));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        var other = run(2, byFile(Fixtures.spec("other", Fixtures.role("worker", 1, 4))));
        play.on(new Event.QueuePut("other", QueueSpecs.queue(1, true, true, 10), null));
        play.on(new Event.NodeSeen(WATCHER, Nodes.tainted("node-1", 4, NOTICE)));
        saves(other);
        assertThat(play.job(other).state().isMoving()).isTrue();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));

        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));

        assertThat(saving(List.of(gang))).containsExactly(gang);
    }

    @Test
    void noticeThatMovesManyGangsIsCarriedOutInSteps() {
        play = Play.withNodes();
        for (int i = 0; i < 3; i++) {
            play.on(new Event.NodeSeen(WATCHER, Nodes.annotated("node-" + i, 100, "x/leaves")));
        }
        var gangs = run(300);
        play.restart();
        var notices = new PoolSpec.Notices(List.of(), List.of(), List.of("x/leaves"));
        var spec = Nodes.noticing(notices);
        play.on(new Event.PoolPut("default", spec, null));
        assertThat(saving(gangs)).isEqualTo(gangs);
        assertThat(play.largestStep()).isBetween(Play.EFFECTS, 500);
    }

    @Test
    void minimumOfAnElasticJobLeavesAsAWholeIfItCanSave() {
        var saves = run(1, byFile(ElasticJobs.elastic("default", 2, 2, 2)));
        var plain = run(2, ElasticJobs.elastic("default", 2, 2, 2));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(saves).state()).isInstanceOf(JobState.Saving.class);
        assertThat(play.job(plain).state()).isInstanceOf(JobState.Running.class);
    }

    /** So many gangs of one core each. */
    private List<JobId> run(int gangs) {
        return IntStream.range(0, gangs).mapToObj(i -> run(10 + i, byFile(workers(1, 1)))).toList();
    }

    private JobId run(int number, JobSpec spec) {
        var id = job("j%03d".formatted(number), number);
        var one = new OneJob(play, id);
        play.on(new Event.Submitted(id, spec, null));
        if (!(play.job(id).state() instanceof JobState.Queued)) {
            one.applied(false);
            for (int i = 0; i < spec.pods(); i++) {
                one.see(i, Event.PodPhase.RUNNING, null);
            }
            assertThat(play.job(id).state()).isInstanceOf(JobState.Running.class);
        }
        return id;
    }

    private List<JobId> saving(List<JobId> gangs) {
        var saving = new ArrayList<JobId>();
        for (var id : gangs) {
            if (play.job(id).state() instanceof JobState.Saving) {
                saving.add(id);
            }
        }
        return saving;
    }

    private void saves(JobId id) {
        new Asking(play, id).answer(true);
        goes(id);
    }

    private void ends(JobId id) {
        play.on(Fixtures.cancel(id, "", null));
        goes(id);
    }

    private void goes(JobId id) {
        var one = new OneJob(play, id);
        one.applied(false);
        one.gone(0);
        if (play.job(id).state() instanceof JobState.Stopping) {
            one.applied(true);
        }
    }
}
