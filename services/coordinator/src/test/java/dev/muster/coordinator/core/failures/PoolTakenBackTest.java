package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState.Queued;
import dev.muster.coordinator.core.model.JobState.Restarting;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.JobState.Starting;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.JobState.Suspended;
import dev.muster.coordinator.core.model.Then;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often a gang was taken back since it last ran for long. */
class PoolTakenBackTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration LONG = FailurePolicy.PLAIN.delay().max();

    private final Play play = Play.withNodes(2);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @ParameterizedTest
    @CsvSource({"0, 1", "-10, 2"})
    void backOffBeginsAnewOnceItRanForAsLongAsRestartsAskFor(int seconds, int times) {
        startsAfterItWasTakenBack(Otherwise.POD);
        runsFor(LONG.plusSeconds(seconds));
        one.seeNewest(1, PodPhase.FAILED, 137);
        play.passHeard(Duration.ofSeconds(10), 0);
        isTakenBack(times);
    }

    @Test
    void whoIsSuspendedBeforeItRunsGoesOnWithTheNextBackOff() {
        startsAfterItWasTakenBack(Otherwise.POD);
        isSuspendedAndResumed();
        isTakenBack(2);
        one.applied(false);
        one.applied(true);
        var gate = ((Queued) play.job(a).state()).gate();
        assertThat(gate).hasToString("Later[until=%s]".formatted(play.now().plusSeconds(120)));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "-10, 2"})
    void whoIsSuspendedBeginsAnewOnceItRanForAsLong(int seconds, int times) {
        startsAfterItWasTakenBack(Otherwise.POD);
        runsFor(LONG.plusSeconds(seconds));
        isSuspendedAndResumed();
        isTakenBack(times);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "-10, 2"})
    void whoIsMadeAnewBeginsAnewOnceItRanForAsLong(int seconds, int times) {
        startsAfterItWasTakenBack(Otherwise.GANG);
        runsFor(LONG.plusSeconds(seconds));
        isMadeAnew();
        isTakenBack(times);
    }

    @Test
    void whoIsMadeAnewBeforeItRunsGoesOnWithTheNextBackOff() {
        startsAfterItWasTakenBack(Otherwise.GANG);
        isMadeAnew();
        isTakenBack(2);
    }

    /** What fails is charged before it is judged, and its minimum has run all the time. */
    @Test
    void whoIsMadeAnewForOneBeyondItsMinimumBeginsAnewToo() {
        startsAfterItWasTakenBack(
                failing(
                        policy(Otherwise.GANG),
                        Fixtures.spec("default", atLeast(1, role("worker", 2, 1)))));
        runsFor(LONG);
        isMadeAnew();
        isTakenBack(1);
    }

    private void startsAfterItWasTakenBack(Otherwise otherwise) {
        startsAfterItWasTakenBack(failing(policy(otherwise), workers(2, 1)));
    }

    private void startsAfterItWasTakenBack(JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        isTakenBack(1);
        one.applied(false);
        one.applied(true);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(a).state())
                .isInstanceOfSatisfying(
                        Starting.class, starting -> assertThat(starting.takenBack()).isEqualTo(1));
        one.applied(false);
    }

    private void runsFor(Duration time) {
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        assertThat(play.job(a).state()).isEqualTo(new Running(1));
        play.passHeard(time, 0);
    }

    private void isSuspendedAndResumed() {
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        leaves();
        assertThat(play.job(a).state()).isInstanceOf(Suspended.class);
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        assertThat(play.job(a).state()).isInstanceOf(Starting.class);
        one.applied(false);
    }

    private void isMadeAnew() {
        one.seeNewest(1, PodPhase.FAILED, 137);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).state()).isInstanceOf(Restarting.class);
        leaves();
        play.passHeard(FailurePolicy.PLAIN.delay().initial(), 0);
        assertThat(play.job(a).state()).isInstanceOf(Starting.class);
        one.applied(false);
    }

    private void leaves() {
        for (int i = 0; i < 2; i++) {
            play.on(new Event.PodGone(WATCHER, a, one.newest(i)));
        }
        one.applied(false);
        one.applied(true);
    }

    /** It does not run in time. */
    private void isTakenBack(int times) {
        play.passHeard(TIMEOUT.plusSeconds(10), 0);
        assertThat(((Stopping) play.job(a).state()).then())
                .isInstanceOfSatisfying(
                        Then.Requeue.class, then -> assertThat(then.takenBack()).isEqualTo(times));
    }
}
