package dev.muster.schemas.trainjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.trainjob.QueueChangeForm.Read;
import dev.muster.schemas.trainjob.QueueChangeForm.Refused;
import dev.muster.v1.Problem;
import dev.muster.v1.QueueSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueChangeFormTest {
    @Test
    void aChangeNamesWhatItSetsAndWhatItTakesAway() {
        var patch =
                """
                {"spec": {"paused": true, "limit": {"cpu": "20", "nvidia.com/gpu": null},
                          "namespaces": ["ml"], "group": null}}
                """;
        assertThat(QueueChangeForm.read("a", patch))
                .isEqualTo(
                        new Read(
                                QueueSpec.newBuilder()
                                        .setPaused(true)
                                        .setLimit(Map.of("cpu", 20_000L))
                                        .setNamespaces(List.of("ml"))
                                        .build(),
                                List.of(
                                        "paused",
                                        "limit.cpu",
                                        "limit.nvidia.com/gpu",
                                        "namespaces",
                                        "group")));
    }

    @Test
    void aChangeMayBeOfNothing() {
        assertThat(QueueChangeForm.read("a", "{\"spec\": {}}"))
                .isEqualTo(new Read(QueueSpec.newBuilder().build(), List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "paused: true | ''",
                "[] | ''",
                "{} | spec",
                "{\"spec\": 3} | spec",
                "{\"spec\": {\"weight\": 0}} | spec.weight",
                "{\"spec\": {\"pausd\": true}} | spec.pausd",
                "{\"spec\": {\"paused\": true, \"paused\": false}} | ''",
                "{\"spec\": {}, \"more\": 1} | more"
            })
    void whatIsNoChangeIsRefusedAtItsPath(String text, String path) {
        var refused = (Refused) QueueChangeForm.read("a", text);
        assertThat(refused.problems())
                .extracting(Problem::getPath)
                .containsExactly(path.equals("''") ? "" : path);
    }
}
