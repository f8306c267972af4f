package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job that leaves its node as a whole keeps its place in the queue, also while it stops. */
class PoolMovedComebacksTest {
    private static final Duration SOON = Duration.ofSeconds(3);

    private final Play play = Play.withNodes(1, 1);
    private final JobId moved = job("moved", 1);
    private final JobId runs = job("runs", 2);
    private final JobId next = job("next", 3);
    private final OneJob one = new OneJob(play, moved);
    private final OneJob other = new OneJob(play, runs);

    @ParameterizedTest
    @CsvSource({"0, STARTING, QUEUED", "2, QUEUED, STARTING"})
    void weakerOneThatCameToHoldMeanwhileGivesTheHoldUp(int priority, Phase ofMoved, Phase ofNext) {
        var order = new QueueSpec.Order(QueueSpec.Kind.PRIORITY, 0, true, SOON);
        play.on(new Event.QueuePut("default", QueueSpecs.with(QueueSpecs.QUEUE, order), null));
        var notices = new PoolSpec.Notices(List.of(), List.of(), List.of("x/leaves"));
        play.on(new Event.PoolPut("default", Nodes.noticing(notices), null));
        one.runs(at(1, CheckpointJobs.byFile(workers(1, 1))));
        other.runs(at(9, workers(1, 1)));
        var node = one.rank(0).making().node();
        play.on(new Event.NodeSeen(WATCHER, Nodes.annotated(node, 1, "x/leaves")));
        assertThat(play.job(moved).state()).isInstanceOf(JobState.Saving.class);
        play.passHeard(CheckpointJobs.TIMEOUT, 0);
        assertThat(phase(moved)).isEqualTo(Phase.STOPPING);
        play.on(new Event.Submitted(next, at(priority, workers(1, 1)), null));
        play.passHeard(SOON.plusSeconds(1), 0);
        assertThat(play.rows(Row.Table.HOLD)).isNotEmpty();
        one.gone(0);
        one.applied(false);
        one.applied(true);
        assertThat(phase(moved)).isEqualTo(Phase.QUEUED);
        other.succeed(0);
        assertThat(phase(moved)).isEqualTo(ofMoved);
        assertThat(phase(next)).isEqualTo(ofNext);
    }

    private Phase phase(JobId id) {
        return play.job(id).state().phase();
    }
}
