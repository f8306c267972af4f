package dev.muster.coordinator.core.queue;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.within;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A gang that did not run in time is not in line while it backs off. */
class PoolBackingOffTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);
    private static final Duration FOURTH_BACK_OFF = Duration.ofMinutes(8);

    private final Play play = Play.withNodes(2);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    /** For longer than a queue lets others pass; meanwhile another uses all that there is. */
    private void backsOffForTheFourthTime(JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
        for (int i = 0; i < 4; i++) {
            assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
            one.applied(false);
            play.passHeard(TIMEOUT.plusSeconds(10), 0);
            one.applied(false);
            one.applied(true);
            if (i < 3) {
                play.passHeard(Duration.ofMinutes(1L << i), 0);
            }
        }
        new OneJob(play, job("filler", 2)).runs(workers(2, 1));
    }

    @Test
    void nothingIsHeldForWhoHasJustBackedOff() {
        backsOffForTheFourthTime(workers(2, 1));
        play.passHeard(FOURTH_BACK_OFF, 0);
        assertThat(play.job(a).state().takesPart()).isTrue();
        play.restart();
        play.passHeard(RESERVE_AFTER.minusSeconds(1), 0);
        assertThat(play.take(Effect.Held.class)).isEmpty();
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(play.takeOne(Effect.Held.class).job()).isEqualTo(a);
    }

    @Test
    void itsDeadlineInTheQueueCountsFromWhenItWasBackInIt() {
        var limit = FOURTH_BACK_OFF.plusMinutes(1);
        var deadlines = new JobSpec.Deadlines(limit, Duration.ZERO, Duration.ZERO);
        backsOffForTheFourthTime(within(deadlines, workers(2, 1)));
        play.passHeard(limit.minusSeconds(1), 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.FAILED);
    }
}
