package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.patient;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No gang is ended for another before it has run for a while; what counts is that it runs. */
class PoolMinimumRunTest {
    private final Play play = Play.withNodes(4);
    private final JobId low = job("low", 1);

    @Test
    void gangWhoseImageIsPulledForLongRunsForTheWholeTime() {
        begin(Duration.ofMinutes(10));
        play.passHeard(Duration.ofMinutes(20), 0);
        runs();
        play.passHeard(Duration.ofMinutes(9), 0);
        assertThat(play.takePhases(low)).containsExactly(Phase.RUNNING);
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(play.takePhases(low)).containsExactly(Phase.STOPPING);
    }

    @Test
    void gangThatStillStartsMayBeEndedWhereNoTimeIsAskedFor() {
        begin(Duration.ZERO);
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(play.takePhases(low)).containsExactly(Phase.STOPPING);
    }

    private void begin(Duration minimumRun) {
        var rules = new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, minimumRun, 3);
        var spec = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", spec, null));
        var slow = patient(Duration.ofHours(2), workers(4, 1));
        play.on(new Event.Submitted(low, slow, null));
        play.on(new Event.Submitted(job("high", 2), at(9, workers(4, 1)), null));
        play.takeEffects();
    }

    private void runs() {
        for (var rank : List.copyOf(play.ranks(low))) {
            int incarnation = rank.making().incarnation();
            var mark = Fixtures.mark("worker", rank.id().index(), incarnation);
            var pod = Fixtures.pod(mark, 9, PodPhase.RUNNING, rank.making().node());
            play.on(new Event.PodSeen(WATCHER, low, pod));
        }
    }
}
