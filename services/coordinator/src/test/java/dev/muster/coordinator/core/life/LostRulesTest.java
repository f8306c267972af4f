package dev.muster.coordinator.core.life;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.coordinator.core.model.Decision.Move;
import dev.muster.coordinator.core.model.Decision.Order;
import dev.muster.coordinator.core.model.Decision.Stay;
import dev.muster.coordinator.core.model.Decision.Why;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Lost;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that stop, and of which dead nodes hold what is left. */
class LostRulesTest {
    private static final JobSpec PAIR = workers(2, 1);
    private static final JobEvent NODES_LOST = new JobEvent.NodesLost("on n2");
    private static final Then LATE = new Then.Requeue(1, "GangTimeout", "1 of 2");

    /** What is to run again waits like any other; what follows is what it stopped for. */
    @ParameterizedTest
    @MethodSource
    void jobThatIsToRunAgainWaitsInItsQueue(Then then) {
        var stopping = new Stopping(then, false, PAIR.grace());
        var lost = ((Move) JobRules.decide(stopping, NODES_LOST, PAIR, NOON)).next();
        assertThat(lost).isInstanceOf(Lost.class);
        assertThat(lost.phase()).isEqualTo(Phase.QUEUED);
        assertThat(((Lost) lost).waits().code()).isEqualTo(WaitReason.Code.NODE_LOST);
        var found = new Stopping(then, true, PAIR.grace(), true);
        var confirm = Order.Stop.confirming(PAIR.grace());
        assertThat(JobRules.decide(lost, new JobEvent.PodsGone(), PAIR, NOON))
                .isEqualTo(new Move(found, List.of(confirm)));
    }

    static Stream<Then> jobThatIsToRunAgainWaitsInItsQueue() {
        return Stream.of(LATE, new Then.Return(0, "others"), new Then.Move(0, "they go"));
    }

    /** Nothing of it runs, and its place is given away already. */
    @ParameterizedTest
    @MethodSource
    void whatIsStoppedWhileItWaitsForItsNodesTakesNoPlaceMeanwhile(
            JobState.Leaving again, @Nullable Duration grace) {
        var lost = ((Move) JobRules.decide(again, NODES_LOST, PAIR, NOON)).next();
        var cancel = new JobEvent.CancelAsked(grace, "no");
        var cancelled = ((Move) JobRules.decide(lost, cancel, PAIR, NOON)).next();
        assertThat(cancelled)
                .isEqualTo(
                        new Stopping(
                                new Then.Finish(new End(Phase.CANCELLED, "Cancelled", "no")),
                                false,
                                grace,
                                true));
        var suspend = new JobEvent.SuspendAsked(grace, "no", true);
        var suspended = ((Move) JobRules.decide(lost, suspend, PAIR, NOON)).next();
        var then = new Then.Suspend(again.takenBack(), "no", true, again instanceof Stopping);
        assertThat(suspended).isEqualTo(new Stopping(then, false, grace, true));
    }

    static Stream<Arguments> whatIsStoppedWhileItWaitsForItsNodesTakesNoPlaceMeanwhile() {
        var restarting = new JobState.Restarting(0, NOON, "NodeLost", "");
        return Stream.of(
                arguments(new Stopping(LATE, false), null),
                arguments(new Stopping(LATE, false), Duration.ofSeconds(3)),
                arguments(restarting, null));
    }

    /** Its nodes are back, and its pods are being confirmed to be gone. */
    @ParameterizedTest
    @MethodSource
    void whatIsStoppedOnItsWayBackHasNoPlaceYet(JobState.Clearing clearing, JobEvent event) {
        var back = new JobState.Restarting(0, NOON, "NodeLost", "", clearing, true);
        var stopping = (Stopping) ((Move) JobRules.decide(back, event, PAIR, NOON)).next();
        assertThat(stopping.wasLost()).isTrue();
        assertThat(stopping.confirming()).isEqualTo(clearing == JobState.Clearing.CONFIRMING);
    }

    static Stream<Arguments> whatIsStoppedOnItsWayBackHasNoPlaceYet() {
        return Stream.of(
                        new JobEvent.CancelAsked(null, "no"),
                        new JobEvent.CancelAsked(Duration.ofSeconds(3), "no"),
                        new JobEvent.SuspendAsked(null, "no", true),
                        new JobEvent.Preempted("others"))
                .flatMap(event ->
                        Stream.of(JobState.Clearing.LEAVING, JobState.Clearing.CONFIRMING)
                                .map(clearing -> arguments(clearing, event)));
    }

    @ParameterizedTest
    @MethodSource
    void othersStayWhereTheyAre(Stopping stopping) {
        assertThat(JobRules.decide(stopping, NODES_LOST, PAIR, NOON))
                .isEqualTo(new Stay(Why.STALE));
    }

    static Stream<Stopping> othersStayWhereTheyAre() {
        return Stream.of(
                new Stopping(new Then.Finish(new End(Phase.CANCELLED, "Cancelled", "")), false),
                new Stopping(new Then.Suspend(0, "later", true), false),
                new Stopping(LATE, true));
    }
}
