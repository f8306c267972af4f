package dev.muster.coordinator.core.life;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.tally;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.model.JobState.Clearing.CONFIRMING;
import static dev.muster.coordinator.core.model.JobState.Clearing.DONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.model.Decision.Keep;
import dev.muster.coordinator.core.model.Decision.Move;
import dev.muster.coordinator.core.model.Decision.Order;
import dev.muster.coordinator.core.model.Decision.Stay;
import dev.muster.coordinator.core.model.Decision.Why;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobEvent.CancelAsked;
import dev.muster.coordinator.core.model.JobEvent.GangPlaced;
import dev.muster.coordinator.core.model.JobEvent.GoneConfirmed;
import dev.muster.coordinator.core.model.JobEvent.KeepingOver;
import dev.muster.coordinator.core.model.JobEvent.PodsGone;
import dev.muster.coordinator.core.model.JobEvent.RanksChanged;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Ended;
import dev.muster.coordinator.core.model.JobState.Queued;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.JobState.StageClock;
import dev.muster.coordinator.core.model.JobState.Starting;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.model.Tally;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JobRulesTest {
    private static final JobSpec PAIR = workers(2, 1);
    private static final Duration GRACE = PAIR.grace();
    private static final Queued QUEUED = new Queued(0, new JobState.Gate.Open(), null);
    private static final Starting STARTING = new Starting(0, NOON, Duration.ZERO, null);
    private static final End CRASHED = new End(Phase.FAILED, "Error", "worker-1 exited with 3");
    private static final JobState.Restarting RESTARTING =
            new JobState.Restarting(0, NOON.plusSeconds(10), "Error", CRASHED.message());
    private static final End CANCELLED = new End(Phase.CANCELLED, "Cancelled", "enough");
    private static final CancelAsked CANCEL = new CancelAsked(null, "enough");

    @ParameterizedTest
    @MethodSource
    void jobMoves(JobState state, JobEvent event, Move expected) {
        assertThat(JobRules.decide(state, event, PAIR, NOON)).isEqualTo(expected);
    }

    static Stream<Arguments> jobMoves() {
        var stop = Order.Stop.sooner(GRACE);
        var remove = new Order.Stop(Keep.NONE, GRACE, false);
        var confirm = Order.Stop.confirming(GRACE);
        var tidy = new Order.Stop(Keep.FINISHED, GRACE, false);
        var finish = new Then.Finish(CANCELLED);
        return Stream.of(
                argumentSet(
                        "submitted",
                        new JobState.Absent(),
                        new JobEvent.Submitted(false, false),
                        move(QUEUED)),
                argumentSet(
                        "placed",
                        QUEUED,
                        new GangPlaced(Duration.ZERO),
                        move(STARTING, new Order.Run())),
                argumentSet(
                        "cancelled while waiting",
                        QUEUED,
                        CANCEL,
                        move(new Ended(CANCELLED, Remains.GONE), new Order.Gone())),
                argumentSet("all run", STARTING, ranks(2, 0, 0), move(new Running(0))),
                argumentSet("short job", STARTING, ranks(0, 2, 0), move(new Running(0))),
                argumentSet(
                        "one crashed early",
                        STARTING,
                        new JobEvent.GaveUp(CRASHED),
                        move(kept(CRASHED), tidy)),
                argumentSet("template refused", STARTING, refused(), move(kept(badPod()), tidy)),
                argumentSet(
                        "cancelled",
                        STARTING,
                        CANCEL,
                        move(new Stopping(finish, false, GRACE), stop)),
                argumentSet(
                        "all done", new Running(0), ranks(0, 2, 0), move(kept(End.SUCCESS), tidy)),
                argumentSet(
                        "one crashed",
                        new Running(0),
                        new JobEvent.GaveUp(CRASHED),
                        move(kept(CRASHED), tidy)),
                argumentSet(
                        "made anew",
                        new Running(0),
                        new JobEvent.RestartDecided(RESTARTING.until(), "Error", CRASHED.message()),
                        move(RESTARTING, remove)),
                argumentSet(
                        "failed attempt left",
                        RESTARTING,
                        new PodsGone(),
                        move(RESTARTING.at(CONFIRMING), confirm)),
                argumentSet(
                        "failed attempt is gone",
                        RESTARTING.at(CONFIRMING),
                        new GoneConfirmed(),
                        move(RESTARTING.at(DONE))),
                argumentSet(
                        "failed attempt is still there",
                        RESTARTING.at(CONFIRMING),
                        new JobEvent.GoneDenied(),
                        move(RESTARTING)),
                argumentSet(
                        "next attempt",
                        RESTARTING.at(DONE),
                        new GangPlaced(Duration.ZERO),
                        move(STARTING, new Order.Run())),
                argumentSet(
                        "cancelled between attempts",
                        RESTARTING.at(DONE),
                        CANCEL,
                        move(new Ended(CANCELLED, Remains.GONE), new Order.Gone())),
                argumentSet(
                        "cancelled while a failed attempt leaves",
                        RESTARTING.at(CONFIRMING),
                        CANCEL,
                        move(new Stopping(finish, true))),
                argumentSet(
                        "suspended while a failed attempt leaves",
                        RESTARTING,
                        new JobEvent.SuspendAsked(null, "later"),
                        move(new Stopping(new Then.Suspend(0, "later", true), false))),
                argumentSet(
                        "suspended between attempts",
                        RESTARTING.at(DONE),
                        new JobEvent.SuspendAsked(null, "later"),
                        move(new JobState.Suspended(0, "later", true))),
                argumentSet(
                        "first witness",
                        new Stopping(finish, false),
                        new PodsGone(),
                        move(new Stopping(finish, true), confirm)),
                argumentSet(
                        "second witness",
                        new Stopping(finish, true),
                        new GoneConfirmed(),
                        move(new Ended(CANCELLED, Remains.GONE), new Order.Gone())),
                argumentSet(
                        "cancelled while taken back",
                        new Stopping(requeue(1), false),
                        CANCEL,
                        move(new Stopping(finish, false))),
                argumentSet(
                        "kept long enough",
                        kept(End.SUCCESS),
                        new KeepingOver(),
                        move(new Ended(End.SUCCESS, Remains.LEAVING), remove)),
                argumentSet(
                        "left",
                        new Ended(End.SUCCESS, Remains.LEAVING),
                        new PodsGone(),
                        move(new Ended(End.SUCCESS, Remains.CONFIRMING), confirm)),
                argumentSet(
                        "gone",
                        new Ended(End.SUCCESS, Remains.CONFIRMING),
                        new GoneConfirmed(),
                        move(new Ended(End.SUCCESS, Remains.GONE), new Order.Gone())));
    }

    @ParameterizedTest
    @MethodSource
    void newsThatChangesNothingSaysWhy(JobState state, JobEvent event, Why why) {
        assertThat(JobRules.decide(state, event, PAIR, NOON)).isEqualTo(new Stay(why));
    }

    static Stream<Arguments> newsThatChangesNothingSaysWhy() {
        var backingOff = new Queued(1, new JobState.Gate.Later(NOON.plusSeconds(60)), null);
        return Stream.of(
                argumentSet(
                        "submitted again",
                        new Running(0),
                        new JobEvent.Submitted(false, false),
                        Why.DUPLICATE),
                argumentSet(
                        "late timeout", new Running(0), new JobEvent.GangTimedOut(""), Why.STALE),
                argumentSet("half is gone", RESTARTING, new GoneConfirmed(), Why.STALE),
                argumentSet(
                        "placed too early",
                        RESTARTING.at(CONFIRMING),
                        new GangPlaced(Duration.ZERO),
                        Why.IMPOSSIBLE),
                argumentSet("late crash", RESTARTING, ranks(0, 0, 1), Why.STALE),
                argumentSet("one crashed", new Running(0), ranks(1, 0, 1), Why.NOTHING_NEW),
                argumentSet("half runs", STARTING, ranks(1, 0, 0), Why.NOTHING_NEW),
                argumentSet("cancelled twice", stopping(), CANCEL, Why.DUPLICATE),
                argumentSet("cancelled after the end", kept(CRASHED), CANCEL, Why.FINISHED),
                argumentSet("unasked second word", stopping(), new GoneConfirmed(), Why.STALE),
                argumentSet(
                        "placed while backing off",
                        backingOff,
                        new GangPlaced(Duration.ZERO),
                        Why.IMPOSSIBLE));
    }

    @Test
    void gangThatDidNotRunInTimeIsTakenBackAndBacksOff() {
        var timedOut = JobRules.decide(STARTING, new JobEvent.GangTimedOut("1 of 2"), PAIR, NOON);
        assertThat(timedOut)
                .isEqualTo(
                        move(
                                new Stopping(
                                        new Then.Requeue(1, "GangTimeout", "1 of 2"), false, GRACE),
                                Order.Stop.sooner(GRACE)));
        var gone = new Stopping(requeue(1), true);
        var back = ((Move) JobRules.decide(gone, new GoneConfirmed(), PAIR, NOON)).next();
        assertThat(back).isInstanceOf(Queued.class);
        assertThat(((Queued) back).gate()).isEqualTo(new JobState.Gate.Later(NOON.plusSeconds(60)));
        assertThat(((Queued) back).reason().code()).isEqualTo(WaitReason.Code.BACKING_OFF);
    }

    private static final StageClock CLOCK = new StageClock(roles("b"), NOON, Duration.ZERO, null);

    @ParameterizedTest
    @MethodSource
    void laterStagesHaveTheirTimeOnce(Running before, JobEvent event, Running after) {
        var later = NOON.plusSeconds(60);
        assertThat(JobRules.decide(before, event, PAIR, later))
                .isEqualTo(
                        before.equals(after)
                                ? new Stay(Why.NOTHING_NEW)
                                : new Move(after, List.of()));
    }

    static Stream<Arguments> laterStagesHaveTheirTimeOnce() {
        var later = NOON.plusSeconds(60);
        var blind = Duration.ofSeconds(9);
        var both = new StageClock(roles("b", "c"), later, blind, null);
        var waits = new Running(1, roles(), CLOCK);
        var arrived = new Running(1, roles("b"), null);
        return Stream.of(
                argumentSet(
                        "its turn comes",
                        new Running(1),
                        stages(roles("b", "c"), roles(), blind),
                        new Running(1, roles(), both)),
                argumentSet("it goes on", waits, stages(roles("b"), roles(), blind), waits),
                argumentSet("it runs", waits, stages(roles(), roles("b"), blind), arrived),
                argumentSet(
                        "it ran and its pod is made again",
                        arrived,
                        stages(roles("b"), roles(), blind),
                        new Running(1, roles("b"), new StageClock(roles("b"), later, blind, null))),
                argumentSet(
                        "it runs again",
                        new Running(1, roles("b"), CLOCK),
                        stages(roles(), roles("b"), blind),
                        arrived),
                argumentSet(
                        "another's turn comes",
                        waits,
                        stages(roles("b", "c"), roles(), blind),
                        new Running(1, roles(), both)),
                argumentSet(
                        "one of two runs",
                        new Running(1, roles(), both),
                        stages(roles("b"), roles("c"), Duration.ZERO),
                        new Running(1, roles("c"), new StageClock(roles("b"), later, blind, null))),
                argumentSet(
                        "it is ordered",
                        waits,
                        new JobEvent.StageOrdered(blind),
                        new Running(1, roles(), new StageClock(roles("b"), later, blind, null))),
                argumentSet("none is awaited", arrived, new JobEvent.StageOrdered(blind), arrived));
    }

    @Test
    void stageThatDidNotRunInTimeIsTakenBackLikeAGang() {
        var timedOut = new JobEvent.GangTimedOut("0 of 2");
        assertThat(JobRules.decide(new Running(1, roles(), CLOCK), timedOut, PAIR, NOON))
                .isEqualTo(
                        move(
                                new Stopping(
                                        new Then.Requeue(2, "GangTimeout", "0 of 2"), false, GRACE),
                                Order.Stop.sooner(GRACE)));
    }

    @Test
    void tryCountsOnWhileAGangsLaterStagesHaveNotRun() {
        assertThat(JobRules.decide(new Starting(3, NOON, GRACE, null), ranks(2, 0, 0), PAIR, NOON))
                .isEqualTo(move(new Running(3)));
    }

    @Test
    void triesBeforeALongRunCountNoMoreUnlessItsMinimumHasCeasedToRun() {
        var clock = new StageClock(roles("worker"), NOON, Duration.ZERO, null);
        var lacking = new Running(5, roles(), clock);
        assertThat(new Running(5, roles("ps"), null).rested())
                .isEqualTo(new Running(0, roles("ps"), null));
        assertThat(lacking.rested()).isEqualTo(lacking);
    }

    private static SortedSet<String> roles(String... names) {
        return new TreeSet<>(List.of(names));
    }

    private static RanksChanged stages(
            SortedSet<String> lacking, SortedSet<String> later, Duration blind) {
        return new RanksChanged(tally(2, 2, 0, 0), new JobEvent.OpenRoles(lacking, later, blind));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "6, 32", "7, 60", "8, 60", "1000000, 60"})
    void backOffDoublesUpToAnHour(int times, int minutes) {
        assertThat(LeavingRules.backoff(times)).isEqualTo(Duration.ofMinutes(minutes));
    }

    @ParameterizedTest
    @MethodSource
    void successIsWhatThePolicySays(JobSpec.Success success, Tally tally, boolean expected) {
        assertThat(tally.satisfies(success)).isEqualTo(expected);
    }

    static Stream<Arguments> successIsWhatThePolicySays() {
        var all = new JobSpec.Success.All();
        var any = new JobSpec.Success.Any();
        var worker = new JobSpec.Success.OfRole("worker");
        var other = new JobSpec.Success.OfRole("master");
        return Stream.of(
                Arguments.of(all, tally(2, 1, 1, 0), false),
                Arguments.of(all, tally(2, 0, 2, 0), true),
                Arguments.of(any, tally(2, 1, 1, 0), true),
                Arguments.of(any, tally(2, 2, 0, 0), false),
                Arguments.of(worker, tally(2, 0, 2, 0), true),
                Arguments.of(worker, tally(2, 1, 1, 0), false),
                Arguments.of(other, tally(2, 0, 2, 0), false));
    }

    @Test
    void everyEventHasAnAnswerInEveryState() {
        for (var state : JobDiagram.states()) {
            for (var event : JobDiagram.events()) {
                assertThat(JobRules.decide(state, event, PAIR, NOON)).isNotNull();
            }
        }
    }

    private static RanksChanged ranks(int running, int succeeded, int failed) {
        return new RanksChanged(tally(2, running, succeeded, failed), JobEvent.OpenRoles.NONE);
    }

    private static JobEvent refused() {
        return new JobEvent.PlanRefused("PodRefused", "no such field");
    }

    private static End badPod() {
        return new End(Phase.FAILED, "PodRefused", "no such field");
    }

    private static Ended kept(End end) {
        return new Ended(end, Remains.KEPT);
    }

    private static Stopping stopping() {
        return new Stopping(new Then.Finish(CANCELLED), false);
    }

    private static Then requeue(int times) {
        return new Then.Requeue(times, "GangTimeout", "1 of 2 pods ran within 5m");
    }

    private static Move move(JobState next, Order... orders) {
        return new Move(next, List.of(orders));
    }
}
