package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Delay;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gang that waits to be made anew, in the room that another's head needs. */
class PoolRestartPreemptionTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId low = job("low", 1);
    private final JobId high = job("high", 2);
    private final OneJob one = new OneJob(play, low);

    @BeforeEach
    void gangFailsAndWaitsForHalfAnHour() {
        var rules =
                new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, Duration.ofMinutes(10), 3);
        var spec = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", spec, null));
        var plain = FailurePolicy.PLAIN;
        var patient =
                new FailurePolicy(
                        plain.otherwise(),
                        plain.limits(),
                        new Delay(Duration.ofMinutes(30), Duration.ofMinutes(30)),
                        plain.settle(),
                        plain.nodeLost(),
                        List.of());
        one.runs(failing(patient, workers(2, 4)));
        play.on(new Event.Submitted(high, at(5, workers(2, 3)), null));
        one.fail(1, 1);
        play.passHeard(plain.settle(), 0);
        assertThat(play.takePhases(low)).containsExactly(Phase.RESTARTING);
    }

    private void gone() {
        one.gone(0);
        one.gone(1);
        one.applied(false);
        one.applied(true);
    }

    private void isBackInItsQueueAtNoCost() {
        assertThat(play.job(low).state()).isInstanceOf(JobState.Queued.class);
        assertThat(play.job(low).past().budgets().own()).isEqualTo(1);
        assertThat(play.job(low).past().preempted()).isEqualTo(1);
        assertThat(play.job(high).state()).isInstanceOf(JobState.Starting.class);
    }

    private String given(int priority) {
        var request = new Event.Request("ml/low", "r-" + priority);
        play.takeEffects();
        play.on(new Event.ChangeAsked(low, new Change.Prioritise(priority), request));
        var answer = play.takeOne(Effect.Answer.class);
        return answer.outcome() + " " + answer.message();
    }

    @Test
    void givenAHigherPriorityItKeepsItsRoomAndComesBackWithThat() {
        gone();
        assertThat(given(7)).isEqualTo("ACCEPTED ");
        play.passHeard(Duration.ofMinutes(20), 0);
        assertThat(play.job(low).state()).isInstanceOf(JobState.Restarting.class);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(play.job(low).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(low).spec().place().priority()).isEqualTo(7);
        assertThat(play.job(high).state()).isInstanceOf(JobState.Queued.class);
    }

    @Test
    void givenALowerPriorityItMakesRoomForWhoWasNotAboveItBefore() {
        assertThat(given(5)).isEqualTo("ACCEPTED ");
        gone();
        play.passHeard(Duration.ofMinutes(11), 0);
        assertThat(play.job(low).state()).isInstanceOf(JobState.Restarting.class);
        assertThat(given(4)).isEqualTo("ACCEPTED ");
        play.passHeard(Duration.ofSeconds(10), 0);
        isBackInItsQueueAtNoCost();
    }

    @Test
    void itsRoomIsItsOwnUntilItRanLongEnough() {
        gone();
        play.passHeard(Duration.ofMinutes(9), 0);
        assertThat(play.job(low).state()).isInstanceOf(JobState.Restarting.class);
        assertThat(play.job(high).state()).isInstanceOf(JobState.Queued.class);
    }

    @Test
    void whatIsGoneGoesBackToItsQueueAtOnce() {
        gone();
        play.passHeard(Duration.ofMinutes(11), 0);
        isBackInItsQueueAtNoCost();
    }

    @Test
    void whatIsStillLeavingGoesBackOnceItIsGone() {
        one.applied(false);
        play.passHeard(Duration.ofMinutes(11), 0);
        assertThat(play.takePhases(low)).containsExactly(Phase.STOPPING);
        assertThat(play.job(high).state()).isInstanceOf(JobState.Queued.class);
        play.restart();
        gone();
        isBackInItsQueueAtNoCost();
    }

    @Test
    void itIsMadeAnewInItsTurnAfterwards() {
        gone();
        play.passHeard(Duration.ofMinutes(11), 0);
        play.on(Fixtures.cancel(high, "", null));
        var other = new OneJob(play, high);
        other.gone(0);
        other.gone(1);
        other.applied(false);
        other.applied(true);
        assertThat(play.job(low).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(low).fences().attempt()).isEqualTo(2);
    }
}
