package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.role;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.TrainJob.Checkpoint;
import dev.muster.admission.core.TrainJob.CheckpointSignal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that are asked to save. */
class CheckpointTest {
    @Test
    void whatPodsGetThatAreAskedByAFileMustNotBeThereAlready() {
        var pod =
                Map.of(
                        "containers",
                        List.of(Map.of("name", "main", "image", "python:3.12")),
                        "volumes",
                        List.of(Map.of("name", "muster-checkpoint")));
        var asked = new Checkpoint(CheckpointSignal.FILE, Duration.ofMinutes(2));
        var told = new Checkpoint(CheckpointSignal.EVENT, Duration.ofMinutes(2));
        assertThat(problems(job(asked, role("worker", 1, pod))))
                .extracting(Problem::path)
                .containsExactly("spec.roles[0].template.spec.volumes[0].name");
        assertThat(problems(job(told, role("worker", 1, pod)))).isEmpty();
    }

    private static TrainJob job(Checkpoint checkpoint, TrainJob.Role role) {
        return Jobs.with(j -> {
            j.checkpoint = checkpoint;
            j.roles = List.of(role);
        });
    }

    private static List<Problem> problems(TrainJob job) {
        return Validation.examine(job, 1000).problems();
    }
}
