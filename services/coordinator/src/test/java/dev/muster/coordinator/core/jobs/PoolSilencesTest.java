package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that falls silent twice: the second time counts from its own beginning. */
class PoolSilencesTest {
    private static final Duration AFTER = FailurePolicy.PLAIN.nodeLost().after();
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Play play = Play.withNodes(1);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void itsOnlyNodeFallsSilent() {
        one.runs(workers(1, 1));
        silence();
    }

    @Test
    void silenceThatAnOlderRowWaitsForEndsWithIt() {
        var table = play.rows.get(Row.Table.ALARM);
        var alarm = (Alarm) table.remove("NODE_LOST " + a + " node-0 worker");
        var older = new Alarm(Alarm.Kind.NODE_LOST, a + " node-0", alarm.at());
        table.put(older.key().id(), older);
        play.restart().restart(); // Whoever never was made again knows nothing of the older row.
        play.passHeard(MINUTE, 0);
        hear();
        isLostOnlyAfterASilenceOfItsOwn();
    }

    /** Its pod is seen gone meanwhile, and it starts there again. */
    @Test
    void silenceEndsForRolesOfWhichNothingIsLeftThereToo() {
        play.passHeard(MINUTE, 0);
        one.gone(0);
        one.applied(false);
        one.applied(true);
        play.passHeard(MINUTE, 0);
        hear();
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        isLostOnlyAfterASilenceOfItsOwn();
    }

    @Test
    void silenceEndsWithTheNodeThatComesBackUnderItsName() {
        play.on(new Event.NodeReleased(WATCHER, "node-0", false));
        play.passHeard(MINUTE, 0);
        hear();
        isLostOnlyAfterASilenceOfItsOwn();
    }

    /** It falls silent again before the time of the first silence would have been over. */
    private void isLostOnlyAfterASilenceOfItsOwn() {
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.passHeard(MINUTE, 0);
        silence();
        play.restart();
        play.takeEffects();
        play.passHeard(AFTER.minusSeconds(1), 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(play.takePhases(a)).startsWith(Phase.RESTARTING);
    }

    private void silence() {
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-0", 1)));
    }

    private void hear() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 1)));
    }
}
