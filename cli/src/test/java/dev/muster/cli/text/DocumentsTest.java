package dev.muster.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.trainjob.TrainJobDocument;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.schemas.trainjob.TrainJobForm.Read;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.TrainJobSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class DocumentsTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "True", "TRUE", "true", "FALSE", "False", "~", "Null", "NULL", "null", "", "007",
                "+5", "-5", "5", "0x1F", "0o7", ".5", "5.", "+1.5", "1e3", "1E+3", ".inf", "-.INF",
                ".nan", ".NaN", "1_000", "yes", "a: b", "# a", "- a", " a ", "a\nb\n", "\u0007"
            })
    void aTextThatLooksLikeSomethingElseIsTheSameTextWhenItIsReadAgain(String text) {
        var template =
                Map.of(
                        "metadata", Map.of("annotations", Map.of("a", text)),
                        "spec",
                                Map.of(
                                        "containers",
                                        List.of(Map.of("name", "main", "args", List.of(text)))));
        var worker =
                RoleSpec.newBuilder()
                        .setName("worker")
                        .setTemplate(JSON.writeValueAsString(template))
                        .build();
        var spec =
                TrainJobSpec.newBuilder()
                        .setRoles(List.of(worker))
                        .setAnnotations(Map.of("a", text))
                        .build();
        Map<?, ?> document =
                JSON.treeToValue(
                        JSON.valueToTree(TrainJobDocument.of("ml", "hello", spec)), Map.class);

        var one = TrainJobForm.read(Documents.yaml(List.of(document)));
        var oneOfMany = TrainJobForm.read(Documents.yamlOfMany(document));

        assertThat(one).isInstanceOfSatisfying(Read.class, it -> assertSame(it, spec));
        assertThat(oneOfMany).isEqualTo(one);
    }

    private static void assertSame(Read read, TrainJobSpec spec) {
        assertThat(read.spec().getAnnotations()).isEqualTo(spec.getAnnotations());
        assertThat(JSON.readTree(read.spec().getRoles().getFirst().getTemplate()))
                .isEqualTo(JSON.readTree(spec.getRoles().getFirst().getTemplate()));
    }
}
