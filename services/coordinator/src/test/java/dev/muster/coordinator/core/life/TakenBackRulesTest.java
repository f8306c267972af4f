package dev.muster.coordinator.core.life;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.model.Decision.Move;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Gate;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.Then;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How often a gang was taken back, whatever is done to its job afterwards. */
class TakenBackRulesTest {
    @ParameterizedTest
    @MethodSource("specs")
    void nothingThatHappensToAJobForgetsIt(JobSpec spec) {
        for (var state : JobDiagram.states()) {
            for (var event : JobDiagram.events()) {
                if (JobRules.decide(state, event, spec, NOON) instanceof Move(var next, _)
                        && !next.phase().isEnd()
                        && !isToEnd(next)) {
                    int more = event instanceof JobEvent.GangTimedOut ? 1 : 0;
                    assertThat(takenBack(next))
                            .as("%s after %s", state, event)
                            .isEqualTo(takenBack(state) + more);
                }
            }
        }
    }

    static Iterable<JobSpec> specs() {
        return JobDiagram.SPECS;
    }

    @Test
    void everyStateOfALivingJobCarriesIt() {
        var states = new TreeSet<String>();
        for (var state : JobDiagram.states()) {
            if (takenBack(state) == 1) {
                states.add(state.getClass().getSimpleName());
            }
        }
        assertThat(states)
                .containsExactly(
                        "Lost",
                        "Queued",
                        "Restarting",
                        "Running",
                        "Saving",
                        "Starting",
                        "Stopping",
                        "Suspended");
    }

    /** Whether it is suspended while its pods go or when they are gone is a matter of moments. */
    @ParameterizedTest
    @MethodSource
    void whoWasTakenBackWaitsWhateverIsAskedWhileItsPodsGo(List<JobEvent> asked, JobState then) {
        JobState state = new Stopping(new Then.Requeue(3, "GangTimeout", "late"), false, null);
        for (var event : asked) {
            state = after(state, event);
        }
        state = after(state, new JobEvent.PodsGone());
        assertThat(after(state, new JobEvent.GoneConfirmed())).isEqualTo(then);
    }

    static Stream<Arguments> whoWasTakenBackWaitsWhateverIsAskedWhileItsPodsGo() {
        var suspend = new JobEvent.SuspendAsked(null, "x");
        var resume = new JobEvent.ResumeAsked(false);
        var later = new Gate.Later(NOON.plus(LeavingRules.BACKOFF.multipliedBy(4)));
        var suspended = new JobState.Suspended(3, "x", later, true);
        var queued = Gates.queued(3, later, NOON);
        var lost = new JobEvent.NodesLost("n1");
        return Stream.of(
                argumentSet("suspended", List.of(suspend), suspended),
                argumentSet("resumed", List.of(suspend, resume), queued),
                argumentSet("again", List.of(suspend, resume, suspend), suspended),
                argumentSet("twice", List.of(suspend, resume, suspend, resume), queued),
                argumentSet("lost", List.of(lost, suspend), suspended));
    }

    private static JobState after(JobState state, JobEvent event) {
        return JobRules.decide(state, event, JobDiagram.SPECS.getFirst(), NOON)
                        instanceof Move(var next, _)
                ? next
                : state;
    }

    private static boolean isToEnd(JobState state) {
        return state instanceof JobState.Stopping stopping
                && stopping.then() instanceof Then.Finish;
    }

    private static int takenBack(JobState state) {
        return switch (state) {
            case JobState.Absent _, JobState.Ended _ -> 0;
            case JobState.Queued(var times, _, _) -> times;
            case JobState.Suspended(var times, _, _, _) -> times;
            case JobState.Starting(var times, _, _, _, _) -> times;
            case JobState.Running(var times, _, _, _) -> times;
            case JobState.Saving(var then, _) -> then.takenBack();
            case JobState.Lost(var again, _) -> again.takenBack();
            case JobState.Leaving leaving -> leaving.takenBack();
        };
    }
}
