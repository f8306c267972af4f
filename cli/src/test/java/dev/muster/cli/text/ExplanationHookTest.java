package dev.muster.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Standing;
import dev.muster.coordinator.core.model.Hooked;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Past;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.coordinator.history.Explanation;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is said of the hook of a job's last command. */
class ExplanationHookTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final JobId RING = new JobId("ml", "ring", new Uid(0, 1));
    private static final String OF = "The hook of its change of worker from 2 to 3: ";

    private static List<String> lines(Hooked hooked) {
        var stage = Scaling.Stage.SCALING;
        var scaling =
                new Scaling(
                        7, "r1", "worker", 2, 3, true, null, stage, "", "", NOON, hooked, false);
        var none = new TreeSet<String>();
        var past = new Past(List.of(), none, 0, NOON, null, null, null, null, scaling, null, null);
        var place = new JobSpec.Place("research", 0, null, false, List.of(), new TreeMap<>());
        var job =
                new Job(
                        RING,
                        new JobSpec(place, null),
                        1,
                        new JobState.Running(0, none, null, null),
                        new Job.Fences(1, 0, 0, 0),
                        new Job.Times(NOON, NOON, null, null, null, Duration.ZERO),
                        1,
                        new Job.Due(false, false),
                        List.of(),
                        past);
        var outlook = new Standing.Outlook(true, true, null, null, null);
        var standing =
                new Standing(
                        job, new Standing.Place(1, 1), List.of(), outlook, List.of(), List.of());
        var basis = new Explanation.Basis(NOON, 1, Duration.ofMillis(1));
        var told = new Explanation(RING, "default", NOON, null, null, standing, null, null, basis);
        return ExplanationText.of(told, new Moments(NOON, ZoneOffset.UTC));
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
