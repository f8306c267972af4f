package dev.muster.coordinator.core.life;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Decision.Move;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Then;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
