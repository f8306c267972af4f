package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.schemas.trainjob.TrainJobForm.Read;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
    static final Path EXAMPLES = Path.of("..", "examples");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ring",
                "torch",
                "too-big",
                "small",
                "failures",
                "elastic",
                "horovod",
                "checkpoint"
            })
    void everyExampleIsAJobOfTheFilesName(String name) throws IOException {
        var text = Files.readString(EXAMPLES.resolve(name + ".yaml"));
        assertThat(TrainJobForm.read(text))
                .isInstanceOfSatisfying(Read.class, job -> assertThat(job.name()).isEqualTo(name));
    }
}
