package dev.muster.cli.text;

import static dev.muster.cli.text.Explained.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Standing;
import dev.muster.coordinator.core.model.Hooked;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Past;
import dev.muster.coordinator.core.model.Scaling;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is said of the hook of a job's last command. */
class ExplanationHookTest {
    private static final String OF = "The hook of its change of worker from 2 to 3: ";

    private static List<String> lines(Hooked hooked) {
        var stage = Scaling.Stage.SCALING;
        var scaling =
                new Scaling(
                        7, "r1", "worker", 2, 3, true, null, stage, "", "", NOON, hooked, false,
                        false);
        var none = new TreeSet<String>();
        var past =
                new Past(
                        List.of(), none, 0, NOON, null, null, null, null, null, null, scaling, null,
                        null, null);
        var job = Explained.job(new JobState.Running(0, none, null, null), NOON, past);
        var outlook = new Standing.Outlook(true, true, null, null, null);
        var standing =
                new Standing(
                        job, new Standing.Place(1, 1), List.of(), outlook, List.of(), List.of());
        return Explained.lines(standing, null, null);
    }

    @Test
    void itSaysHowItStandsAndWhatItLeft() {
        assertThat(lines(new Hooked(1, false, null, "", ""))).contains(OF + "runs.");
        assertThat(lines(new Hooked(2, false, 7, "Error", "a\nb\n")))
                .containsSequence(OF + "failed with exit code 7 in try 2; it left:", "  a", "  b");
        assertThat(lines(new Hooked(1, false, null, "PodLost", "")))
                .contains(OF + "failed with PodLost in try 1.");
        assertThat(lines(new Hooked(1, true, 0, "", ""))).contains(OF + "ended well.");
        assertThat(lines(new Hooked(3, true, 0, "", "told")))
                .containsSequence(OF + "ended well in try 3; it left:", "  told");
    }
}
