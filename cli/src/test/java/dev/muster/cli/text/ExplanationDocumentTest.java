package dev.muster.cli.text;

import static dev.muster.cli.text.Explained.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Standing;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Past;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ExplanationDocumentTest {
    /** The one that the job's environment and its status have, and by which it is answered. */
    @Test
    void aCheckpointHasTheIdByWhichItIsAnswered() {
        var until = NOON.plusSeconds(120);
        var asked =
                new Checkpoint(7, 1, "it is suspended", until, Checkpoint.Stage.ASKED, "", NOON);
        var document = ExplanationDocument.of(Explained.told(standing(asked), null, null));
        assertThat(document.get("checkpoint"))
                .isEqualTo(
                        Map.of(
                                "id", "0-1.7",
                                "stage", "Asked",
                                "purpose", "it is suspended",
                                "message", "",
                                "until", until.toString(),
                                "since", NOON.toString()));
    }

    private static Standing standing(Checkpoint asked) {
        var none = new TreeSet<String>();
        var past =
                new Past(
                        List.of(), none, 0, NOON, null, null, null, null, null, null, null, null,
                        asked, null);
        var job = Explained.job(new JobState.Running(0, none, null, null), NOON, past);
        var outlook = new Standing.Outlook(true, true, null, null, null);
        return new Standing(job, null, List.of(), outlook, List.of(), List.of());
    }
}
