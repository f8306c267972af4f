package dev.muster.coordinator.core.life;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.tally;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.model.Decision.Keep;
import dev.muster.coordinator.core.model.Decision.Move;
import dev.muster.coordinator.core.model.Decision.Order;
import dev.muster.coordinator.core.model.Decision.Stay;
import dev.muster.coordinator.core.model.Decision.Why;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobEvent.OpenRoles;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.JobState.Saving;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.model.Then;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The life of a job that is asked to save before it stops. */
class SavingRulesTest {
    private static final JobSpec PAIR = byFile(workers(2, 1));
    private static final Duration GRACE = Duration.ofSeconds(7);
    private static final Then PAUSE = new Then.Suspend(0, "a night off", true);
    private static final Saving SAVING = new Saving(PAUSE, GRACE);
    private static final End ERROR = new End(Phase.FAILED, "Error", "");

    @ParameterizedTest
    @MethodSource
    void whoRunsSavesBeforeWhatNobodyForcesItTo(JobEvent event, Then then, Duration grace) {
        assertThat(JobRules.decide(new Running(0), event, PAIR, NOON))
                .isEqualTo(move(new Saving(then, grace)));
    }

    static Stream<Arguments> whoRunsSavesBeforeWhatNobodyForcesItTo() {
        var own = PAIR.grace();
        var suspend = new Then.Suspend(0, "x", true);
        return Stream.of(
                Arguments.of(new JobEvent.SuspendAsked(GRACE, "x"), suspend, GRACE),
                Arguments.of(new JobEvent.SuspendAsked(null, "x"), suspend, own),
                Arguments.of(new JobEvent.Preempted("x"), new Then.Return(0, "x"), own),
                Arguments.of(new JobEvent.NodesGo("x"), new Then.Move(0, "x"), own));
    }

    @ParameterizedTest
    @MethodSource
    void whatEndsTheWait(JobEvent event, JobState next, Order.Stop stop) {
        assertThat(JobRules.decide(SAVING, event, PAIR, NOON)).isEqualTo(move(next, stop));
    }

    static Stream<Arguments> whatEndsTheWait() {
        var stopping = new Stopping(PAUSE, false, GRACE);
        var cancelled = new Then.Finish(new End(Phase.CANCELLED, "Cancelled", ""));
        var won = new JobState.Ended(End.SUCCESS, Remains.KEPT);
        var lost = new JobState.Ended(ERROR, Remains.KEPT);
        var stop = Order.Stop.sooner(GRACE);
        var tidy = new Order.Stop(Keep.FINISHED, PAIR.grace(), false);
        return Stream.of(
                argumentSet("answer", new JobEvent.CheckpointOver(), stopping, stop),
                argumentSet(
                        "restart", new JobEvent.RestartDecided(NOON, "Error", ""), stopping, stop),
                argumentSet(
                        "cancel",
                        new JobEvent.CancelAsked(Duration.ofSeconds(1), ""),
                        new Stopping(cancelled, false, Duration.ofSeconds(1)),
                        Order.Stop.sooner(Duration.ofSeconds(1))),
                argumentSet("success", ranks(0, 2, 0), won, tidy),
                argumentSet("end", new JobEvent.GaveUp(ERROR), lost, tidy),
                argumentSet("late", new JobEvent.DeadlinePassed(ERROR), lost, tidy));
    }

    @ParameterizedTest
    @MethodSource
    void whatIsAskedMeanwhileChangesWhatFollows(Saving saving, JobEvent event, Then then) {
        assertThat(JobRules.decide(saving, event, PAIR, NOON))
                .isEqualTo(move(new Saving(then, GRACE)));
    }

    static Stream<Arguments> whatIsAskedMeanwhileChangesWhatFollows() {
        var preempted = new Saving(new Then.Return(0, "x"), GRACE);
        return Stream.of(
                argumentSet(
                        "suspend",
                        preempted,
                        new JobEvent.SuspendAsked(null, "y"),
                        new Then.Suspend(0, "y", true)),
                argumentSet("resume", SAVING, new JobEvent.ResumeAsked(false), new Then.Resume(0)));
    }

    @ParameterizedTest
    @MethodSource
    void suspendThatIsAskedAgainChangesItsGrace(Saving saving, JobEvent event, Saving next) {
        assertThat(JobRules.decide(saving, event, PAIR, NOON)).isEqualTo(move(next));
    }

    static Stream<Arguments> suspendThatIsAskedAgainChangesItsGrace() {
        var soon = Duration.ofSeconds(2);
        var byQueue = new Then.Suspend(0, "its queue", false);
        return Stream.of(
                argumentSet("again", SAVING, asked(soon, "again", true), new Saving(PAUSE, soon)),
                argumentSet(
                        "by its queue", SAVING, asked(soon, "q", false), new Saving(PAUSE, soon)),
                argumentSet(
                        "by name",
                        new Saving(byQueue, GRACE),
                        asked(soon, "x", true),
                        new Saving(new Then.Suspend(0, "x", true), soon)));
    }

    private static JobEvent asked(Duration grace, String message, boolean own) {
        return new JobEvent.SuspendAsked(grace, message, own);
    }

    @Test
    void whoWasToMoveGoesOnWhereItsNodesStay() {
        var moving = new Saving(new Then.Move(0, "x"), GRACE);
        assertThat(JobRules.decide(moving, new JobEvent.NodesStay(), PAIR, NOON))
                .isEqualTo(move(new Running(0)));
    }

    @ParameterizedTest
    @MethodSource
    void newsThatChangesNothingSaysWhy(JobState state, JobEvent event, Why why) {
        assertThat(JobRules.decide(state, event, PAIR, NOON)).isEqualTo(new Stay(why));
    }

    static Stream<Arguments> newsThatChangesNothingSaysWhy() {
        return Stream.of(
                argumentSet("rank", SAVING, ranks(1, 1, 0), Why.NOTHING_NEW),
                argumentSet("again", SAVING, new JobEvent.SuspendAsked(null, ""), Why.DUPLICATE),
                argumentSet("other", SAVING, new JobEvent.Preempted(""), Why.DUPLICATE),
                argumentSet("nodes", SAVING, new JobEvent.NodesGo(""), Why.NOTHING_NEW),
                argumentSet("other", SAVING, new JobEvent.NodesStay(), Why.NOTHING_NEW),
                argumentSet("known", new Running(0), new JobEvent.NodesStay(), Why.NOTHING_NEW),
                argumentSet("gang", SAVING, new JobEvent.GangTimedOut(""), Why.STALE),
                argumentSet("runs", new Running(0), new JobEvent.CheckpointOver(), Why.STALE),
                argumentSet(
                        "starts",
                        new JobState.Starting(0, NOON, Duration.ZERO, null),
                        new JobEvent.NodesGo(""),
                        Why.NOTHING_NEW));
    }

    private static JobEvent ranks(int running, int succeeded, int failed) {
        return new JobEvent.RanksChanged(tally(2, running, succeeded, failed), OpenRoles.NONE);
    }

    private static Move move(JobState next, Order... orders) {
        return new Move(next, List.of(orders));
    }
}
