package dev.muster.coordinator.core.life;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Decision.Move;
import dev.muster.coordinator.core.model.Decision.Order;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobEvent.CancelAsked;
import dev.muster.coordinator.core.model.JobEvent.PodsGone;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Then;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How long pods have that are to go, by whoever stops their job. */
class StopGraceTest {
    private static final JobSpec PAIR = workers(2, 1);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final End CANCELLED = new End(Phase.CANCELLED, "Cancelled", "enough");
    private static final Then FINISH = new Then.Finish(CANCELLED);
    private static final CancelAsked CANCEL = new CancelAsked(null, "enough");
    private static final JobState.Restarting RESTARTING =
            new JobState.Restarting(0, NOON.plusSeconds(10), "Error", "worker-1 exited");

    @ParameterizedTest
    @MethodSource
    void theNewestGraceHoldsUntilTheJobHasStopped(JobState state, JobEvent event, Move expected) {
        assertThat(JobRules.decide(state, event, PAIR, NOON)).isEqualTo(expected);
    }

    static Stream<Arguments> theNewestGraceHoldsUntilTheJobHasStopped() {
        var confirm = Order.Stop.confirming(PAIR.grace());
        return Stream.of(
                argumentSet(
                        "cancelled fast",
                        new Running(0),
                        new CancelAsked(SOON, "enough"),
                        move(new Stopping(FINISH, false, SOON), Order.Stop.sooner(SOON))),
                argumentSet(
                        "cancelled faster than it is suspended",
                        new Stopping(new Then.Suspend(0, "later", true), false),
                        new CancelAsked(SOON, "enough"),
                        move(new Stopping(FINISH, false, SOON), Order.Stop.sooner(SOON))),
                argumentSet(
                        "cancelled again, and faster",
                        new Stopping(FINISH, false),
                        new CancelAsked(SOON, "now"),
                        move(new Stopping(FINISH, false, SOON), Order.Stop.sooner(SOON))),
                argumentSet(
                        "cancelled fast when all was seen gone",
                        new Stopping(new Then.Suspend(0, "later", true), true),
                        new CancelAsked(SOON, "enough"),
                        move(new Stopping(FINISH, true))),
                argumentSet(
                        "suspended again, and faster",
                        new Stopping(new Then.Suspend(0, "later", true), false),
                        new JobEvent.SuspendAsked(SOON, "now"),
                        move(
                                new Stopping(new Then.Suspend(0, "later", true), false, SOON),
                                Order.Stop.sooner(SOON))),
                argumentSet(
                        "cancelled fast while it is made anew",
                        RESTARTING,
                        new CancelAsked(SOON, "enough"),
                        move(new Stopping(FINISH, false, SOON), Order.Stop.sooner(SOON))),
                argumentSet(
                        "it saw pods",
                        new Stopping(FINISH, true, SOON),
                        new JobEvent.GoneDenied(),
                        move(new Stopping(FINISH, false, SOON))),
                argumentSet(
                        "cancelled faster, and all seen gone",
                        new Stopping(FINISH, false, SOON),
                        new PodsGone(),
                        move(new Stopping(FINISH, true, SOON), confirm)),
                argumentSet(
                        "suspended fast, and resumed",
                        new Stopping(new Then.Suspend(0, "later", true), false, SOON),
                        new JobEvent.ResumeAsked(false),
                        move(new Stopping(new Then.Resume(0), false, SOON))),
                argumentSet(
                        "cancelled when it was suspended fast",
                        new Stopping(new Then.Suspend(0, "later", true), false, SOON),
                        CANCEL,
                        move(new Stopping(FINISH, false, SOON))));
    }

    @ParameterizedTest
    @MethodSource
    void jobThatIsBeingCancelledIsNeitherSuspendedNorResumed(Change change) {
        var play = Play.withNodes(4);
        var id = Fixtures.job("a", 1);
        new OneJob(play, id).runs(PAIR);
        play.on(Fixtures.cancel(id, "enough", null));
        play.takeEffects();
        play.on(new Event.ChangeAsked(id, change, new Event.Request("ml/a", "r-1")));
        var answer = play.takeOne(Effect.Answer.class);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message()).isEqualTo("it is being cancelled");
        play.on(Fixtures.cancel(id, "", new Event.Request("ml/a", "r-2")));
        assertThat(play.takeOne(Effect.Answer.class).outcome()).isEqualTo(Outcome.ACCEPTED);
    }

    static Stream<Change> jobThatIsBeingCancelledIsNeitherSuspendedNorResumed() {
        return Stream.of(new Change.Suspend(null, ""), new Change.Resume());
    }

    private static Move move(JobState next, Order... orders) {
        return new Move(next, List.of(orders));
    }
}
