package dev.muster.coordinator.core.life;

import static dev.muster.coordinator.core.fixtures.Fixtures.behind;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.suspended;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.BusyPool;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that do not start though there is room: they are held, suspended or back off. */
class PoolGatesTest {
    private final BusyPool pool = new BusyPool();
    private final Play play = pool.play;
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);

    @Test
    void heldJobStartsOnlyWhenItIsReleased() {
        pool.fill();
        pool.submit(a, workers(1, 1));
        pool.change(a, new Change.Hold("until Monday"));
        assertThat(play.take(Effect.Status.class).getLast().job().state())
                .isInstanceOf(JobState.Queued.class);
        pool.empty();
        assertThat(play.takeStarted()).isEmpty();
        pool.change(a, new Change.Release());
        assertThat(play.takeStarted()).containsExactly("a");
    }

    @Test
    void jobThatIsHeldWhileSuspendedStaysHeldWhenItIsResumed() {
        pool.submit(a, suspended(workers(1, 1)));
        pool.change(a, new Change.Hold("until Monday"));
        pool.change(a, new Change.Resume());
        assertThat(play.takeStarted()).isEmpty();
        var state = (JobState.Queued) play.job(a).state();
        assertThat(state.reason().message()).isEqualTo("until Monday");
        pool.change(a, new Change.Release());
        assertThat(play.takeStarted()).containsExactly("a");
    }

    @Test
    void suspendedJobSaysThatItIsHeldToo() {
        pool.submit(a, suspended(workers(1, 1)));
        play.takeEffects();
        pool.change(a, new Change.Hold("until Monday"));
        var held = play.takeOne(Effect.Status.class);
        assertThat(held.job().state().isHeld()).isTrue();
        assertThat(held.word().reason()).isEqualTo("Suspended");
        assertThat(held.word().message())
                .isEqualTo("it was submitted suspended; it is held back, too: until Monday");
        pool.change(a, new Change.Release());
        var released = play.take(Effect.Status.class).getLast();
        assertThat(released.job().state().isHeld()).isFalse();
        assertThat(released.word().message()).isEqualTo("it was submitted suspended");
    }

    @Test
    void heldJobThatIsSuspendedSaysBoth() {
        pool.fill();
        pool.submit(a, workers(1, 1));
        pool.change(a, new Change.Hold(""));
        play.takeEffects();
        pool.change(a, new Change.Suspend(null, "no money"));
        var both = play.takeOne(Effect.Status.class);
        assertThat(both.job().state().isHeld()).isTrue();
        assertThat(both.word().message()).isEqualTo("no money; it is held back, too");
    }

    @Test
    void jobThatIsReleasedWhileSuspendedStartsWhenItIsResumed() {
        pool.submit(a, suspended(workers(1, 1)));
        pool.change(a, new Change.Hold(""));
        pool.change(a, new Change.Release());
        assertThat(play.takeStarted()).isEmpty();
        pool.change(a, new Change.Resume());
        assertThat(play.takeStarted()).containsExactly("a");
    }

    @Test
    void heldJobsAreHeldAfterTheirQueueWasSuspendedAndResumed() {
        pool.fill();
        pool.submit(a, workers(1, 1));
        pool.submit(b, workers(1, 1));
        pool.change(a, new Change.Hold("until Monday"));
        play.restart();
        pool.all(new Change.Suspend(null, ""));
        pool.all(new Change.Resume());
        pool.empty();
        assertThat(play.takeStarted()).containsExactly("b");
    }

    @Test
    void jobThatBacksOffDoesSoAfterItWasHeldOrSuspended() {
        pool.submit(a, workers(1, 1));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(10), 0);
        pool.gone(a, play.take(Effect.StopPlan.class).getLast().version());
        pool.change(a, new Change.Hold(""));
        pool.change(a, new Change.Suspend(null, ""));
        pool.change(a, new Change.Resume());
        pool.change(a, new Change.Release());
        assertThat(play.takeStarted()).isEmpty();
        var state = (JobState.Queued) play.job(a).state();
        assertThat(state.reason().code()).isEqualTo(Code.BACKING_OFF);
        play.passHeard(LeavingRules.BACKOFF, 0);
        assertThat(play.takeStarted()).containsExactly("a");
    }

    /** Why it waits then is said of the queue alone. */
    @Test
    void jobThatBackedOffSaysSoNoMoreWhereItsQueueIsShut() {
        pool.submit(a, workers(1, 1));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(10), 0);
        pool.gone(a, play.take(Effect.StopPlan.class).getLast().version());
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, true, true, 100), null));
        play.passHeard(LeavingRules.BACKOFF, 0);
        assertThat(play.job(a).state().takesPart()).isTrue();
        assertThat(play.take(Effect.Status.class).getLast().word().reason()).isEmpty();
        assertThat(((JobState.Queued) play.job(a).state()).reason()).isNull();
    }

    @Test
    void jobThatBackedOffLongEnoughWhileItWasHeldStartsWhenItIsReleased() {
        pool.submit(a, workers(1, 1));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(10), 0);
        pool.gone(a, play.take(Effect.StopPlan.class).getLast().version());
        pool.change(a, new Change.Hold(""));
        play.passHeard(LeavingRules.BACKOFF, 0);
        assertThat(play.takeStarted()).isEmpty();
        pool.change(a, new Change.Release());
        assertThat(play.takeStarted()).containsExactly("a");
    }

    @Test
    void heldJobSaysSo() {
        pool.fill();
        pool.submit(a, workers(1, 1));
        play.takeEffects();
        pool.change(a, new Change.Hold("until Monday"));
        var state = (JobState.Queued) play.job(a).state();
        assertThat(state.reason().code()).isEqualTo(Code.HELD);
        assertThat(state.reason().message()).isEqualTo("until Monday");
        assertThat(play.takeOne(Effect.Waits.class))
                .isEqualTo(new Effect.Waits(a, "default", state.reason()));
        pool.change(a, new Change.Hold("until Monday"));
        assertThat(play.take(Effect.Waits.class)).isEmpty();
    }

    @Test
    void everyGateThatAJobComesToIsTold() {
        pool.submit(a, workers(1, 1));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(10), 0);
        pool.gone(a, play.take(Effect.StopPlan.class).getLast().version());
        assertThat(play.takeOne(Effect.TakenBack.class).reason().code())
                .isEqualTo(Code.BACKING_OFF);
        assertThat(told()).isEmpty();
        pool.change(a, new Change.Hold(""));
        assertThat(told()).containsExactly(Code.HELD);
        pool.change(a, new Change.Suspend(null, ""));
        assertThat(told()).isEmpty();
        pool.change(a, new Change.Resume());
        assertThat(told()).containsExactly(Code.HELD);
        pool.change(a, new Change.Release());
        assertThat(told()).containsExactly(Code.BACKING_OFF);
    }

    private List<Code> told() {
        return play.take(Effect.Waits.class).stream().map(waits -> waits.reason().code()).toList();
    }

    @Test
    void jobSubmittedSuspendedHasNoPodUntilItIsResumed() {
        pool.submit(a, suspended(workers(1, 1)));
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.SUSPENDED);
        assertThat(effects).noneMatch(Effect.Plan.class::isInstance);
        pool.change(a, new Change.Resume());
        assertThat(play.takeStarted()).containsExactly("a");
    }

    @Test
    void runningJobIsSuspendedAndStartsAnewWhenItIsResumed() {
        pool.submit(a, workers(1, 1));
        play.takeEffects();
        pool.change(a, new Change.Suspend(null, "not now"));
        var stop = play.takeOne(Effect.StopPlan.class);
        pool.gone(a, stop.version());
        assertThat(play.takePhases(a)).containsExactly(Phase.SUSPENDED);
        pool.change(a, new Change.Resume());
        var plan = play.takeOne(RunPlan.class);
        assertThat(plan.attempt()).isEqualTo(2);
    }

    @Test
    void resumedJobStartsByItselfOnceItsWholeGangFits() {
        pool.submit(a, suspended(workers(8, 1)));
        pool.fill();
        pool.change(a, new Change.Resume());
        play.passHeard(Duration.ofHours(1), 0);
        assertThat(play.takeStarted()).isEmpty();
        pool.empty();
        assertThat(play.takeStarted()).containsExactly("a");
    }

    @Test
    void jobResumedWhileItStopsGoesBackToItsQueue() {
        pool.submit(a, workers(1, 1));
        play.takeEffects();
        pool.change(a, new Change.Suspend(null, "not now"));
        var stop = play.takeOne(Effect.StopPlan.class);
        pool.change(a, new Change.Resume());
        pool.gone(a, stop.version());
        assertThat(play.takePhases(a)).containsExactly(Phase.QUEUED, Phase.STARTING);
    }

    /** All that it takes to make room for others may be asked at once, in any order. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jobThatStopsComesBackBehindThoseThatItWasToMakeRoomFor(boolean isResumedFirst) {
        pool.submit(a, workers(8, 1));
        pool.submit(b, workers(8, 1));
        play.takeEffects();
        pool.change(a, new Change.Suspend(null, "others first"));
        var stop = play.takeOne(Effect.StopPlan.class);
        var last = new Change.Prioritise(-1);
        pool.change(a, isResumedFirst ? new Change.Resume() : last);
        pool.change(a, isResumedFirst ? last : new Change.Resume());
        assertThat(play.take(Effect.Status.class).getLast().job().spec().place().priority())
                .isEqualTo(-1);
        play.restart();
        pool.gone(a, stop.version());
        assertThat(play.takeStarted()).containsExactly("b");
    }

    @Test
    void jobsOfAQueueThatStopAreGivenAnotherPriorityTogether() {
        pool.submit(a, workers(1, 1));
        pool.all(new Change.Suspend(null, ""));
        pool.all(new Change.Prioritise(7));
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.STOPPING);
        assertThat(play.job(a).spec().place().priority()).isEqualTo(7);
    }

    @Test
    void jobThatStopsForGoodKeepsItsPriority() {
        pool.submit(a, workers(1, 1));
        pool.change(a, new Change.Cancel(null, ""));
        play.takeEffects();
        var request = new Event.Request("ml/a", "r");
        play.on(new Event.ChangeAsked(a, new Change.Prioritise(7), request));
        assertThat(play.takeOne(Effect.Answer.class).message())
                .isEqualTo("ml/a does not wait any more: it is Stopping");
    }

    @Test
    void suspendedJobStillWaitsForOthersWhenItIsResumed() {
        pool.submit(a, workers(1, 1));
        pool.submit(b, suspended(behind("a", true, workers(1, 1))));
        play.takeEffects();
        pool.change(b, new Change.Resume());
        assertThat(play.takePhases(b)).containsExactly(Phase.QUEUED);
    }
}
