package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cli.CommandFailedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JobEditTest {
    private static final JsonNode JOB =
            JsonMapper.shared()
                    .readTree(
                            """
                            {"metadata": {"name": "a"},
                             "spec": {"queue": "q", "roles": [
                               {"name": "master", "replicas": 1}, {"name": "worker", "replicas": 8}]}}
                            """);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "spec.queue=b | /spec/queue | \"b\"",
                "spec.roles[worker].replicas=4 | /spec/roles/1/replicas | 4",
                "spec.roles[0].replicas=2 | /spec/roles/0/replicas | 2",
                "metadata.labels['example.org/team']=a=b | /metadata/labels/example.org~1team | \"a=b\"",
                "spec.suspend=true | /spec/suspend | true",
                "spec.after=[{job: b}] | /spec/after/0/job | \"b\"",
                "spec.failure.delay.initial=5s | /spec/failure/delay/initial | \"5s\""
            })
    void aFieldIsSet(String change, String at, String value) {
        assertThat(JobEdit.edited(JOB, List.of(change)).at(at).toString()).isEqualTo(value);
    }

    @Test
    void aFieldOrAnItemIsTakenAway() {
        var edited = JobEdit.edited(JOB, List.of("spec.queue=", "spec.roles[master]="));
        assertThat(edited.at("/spec").toString())
                .isEqualTo("{\"roles\":[{\"name\":\"worker\",\"replicas\":8}]}");
        assertThat(JOB.at("/spec/queue").asString()).isEqualTo("q");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spec.queue",
                "=b",
                "spec..queue=b",
                "spec.roles[ps].replicas=1",
                "spec.roles[7]=1",
                "spec.queue.name=b",
                "spec.queue={"
            })
    void whatTheJobHasNotIsTold(String change) {
        assertThatThrownBy(() -> JobEdit.edited(JOB, List.of(change)))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining(change);
    }
}
