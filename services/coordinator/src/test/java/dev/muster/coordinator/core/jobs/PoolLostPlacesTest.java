package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.simulation.Chance;
import dev.muster.coordinator.core.simulation.QuotaPromises;
import java.time.Duration;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A queue that runs a few jobs at most, of which one waits for its lost node. */
class PoolLostPlacesTest {
    private static final Duration DELAY = Duration.ofMinutes(2);

    private final Play play = Play.withNodes(1, 1, 1, 1);
    private final JobId lost = job("lost", 1);
    private final OneJob one = new OneJob(play, lost);
    private final JobId stays = job("stays", 2);
    private final OneJob other = new OneJob(play, stays);
    private final JobId next = job("next", 3);

    @BeforeEach
    void nodeOfOneOfTwoIsLost() {
        mostAre(2);
        one.runs(workers(1, 1));
        other.runs(workers(1, 1));
        play.on(new Event.Submitted(next, workers(1, 1), null));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node(), 1)));
        play.passHeard(FailurePolicy.PLAIN.nodeLost().after(), 0);
        assertThat(play.job(lost).state()).isInstanceOf(JobState.Lost.class);
        new OneJob(play, next).seeNewest(0, PodPhase.RUNNING, null);
        assertThat(play.job(next).state()).isInstanceOf(JobState.Running.class);
    }

    private void mostAre(int most) {
        put(false, most);
    }

    private void put(boolean paused, int most) {
        var doors = new QueueSpec.Doors(paused, false, 1000, most, new TreeSet<>());
        play.on(new Event.QueuePut("default", QueueSpecs.with(QueueSpecs.QUEUE, doors), null));
    }

    private String node() {
        return one.rank(0).making().node();
    }

    private void comesBack() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node(), 1)));
        one.gone(0);
        one.applied(false);
        one.applied(true);
        play.passHeard(DELAY, 0);
    }

    @Test
    void jobWhosePlaceAnotherHasTakenWaitsInItsQueue() {
        comesBack();
        var queued = (JobState.Queued) play.job(lost).state();
        assertThat(queued.takesPart()).isTrue();
        assertThat(play.started("default")).isEqualTo(2);
        play.on(Fixtures.cancel(next, "", null));
        var third = new OneJob(play, next);
        play.on(new Event.PodGone(WATCHER, next, third.newest(0)));
        third.applied(false);
        third.applied(true);
        assertThat(play.job(lost).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void jobWhosePlaceIsThereStartsAgainAtOnce() {
        mostAre(3);
        comesBack();
        assertThat(play.job(lost).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void jobWhoseQueueIsPausedMeanwhileWaitsInIt() {
        put(true, 3);
        comesBack();
        assertThat(play.job(lost).state())
                .isInstanceOfSatisfying(
                        JobState.Queued.class, queued -> assertThat(queued.takesPart()).isTrue());
        assertThat(play.started("default")).isEqualTo(2);
        play.restart();
        put(false, 3);
        assertThat(play.job(lost).state()).isInstanceOf(JobState.Starting.class);
    }

    /** It gave its place up, and gets none to end. */
    @Test
    void jobThatIsCancelledOnItsWayBackTakesNoPlace() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node(), 1)));
        one.gone(0);
        one.applied(false);
        assertThat(play.job(lost).state().phase()).isEqualTo(Phase.RESTARTING);
        play.on(Fixtures.cancel(lost, "", null));
        assertThat(play.job(lost).state()).isInstanceOf(JobState.Stopping.class);
        assertThat(play.started("default")).isEqualTo(2);
        play.restart();
        QuotaPromises.areKept(play);
    }

    /** While its pods are still being confirmed to be gone it has no place yet. */
    @Test
    void jobThatNeverGaveItsPlaceUpKeepsItWhileTheLostOneComesBack() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node(), 1)));
        one.gone(0);
        one.applied(false);
        assertThat(play.job(lost).state().phase()).isEqualTo(Phase.RESTARTING);
        other.fail(0, 1);
        play.passHeard(Duration.ofSeconds(11), 0);
        other.gone(0);
        other.applied(false);
        other.applied(true);
        play.passHeard(DELAY, 0);
        assertThat(play.job(stays).state()).isInstanceOf(JobState.Starting.class);
        play.restart();
        one.applied(true);
        play.passHeard(DELAY, 0);
        assertThat(play.job(lost).state().phase()).isEqualTo(Phase.QUEUED);
        QuotaPromises.areKept(play);
    }
}
