package dev.muster.schemas.trainjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.trainjob.Form.Read;
import dev.muster.schemas.trainjob.Form.Refused;
import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.Problem;
import dev.muster.v1.QueueSpec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class SettingsFormTest {
    private static final String TWO =
            """
            apiVersion: muster.dev/v1
            kind: Queue
            metadata: {name: research}
            spec: {weight: 3, paused: true}
            ---
            apiVersion: muster.dev/v1
            kind: Pool
            metadata: {name: gpus}
            spec: {nodeSelector: {accelerator: "1"}}
            ---
            """;

    @Test
    void queuesAndPoolsAreReadInTheirOrder() {
        assertThat(SettingsForm.read(TWO))
                .isEqualTo(
                        new Read<>(
                                List.of(
                                        new QueueSetting(
                                                "research",
                                                QueueSpec.newBuilder()
                                                        .setWeight(3)
                                                        .setPaused(true)
                                                        .build(),
                                                unsaid("draining")),
                                        new PoolSetting(
                                                "gpus",
                                                PoolSpec.newBuilder()
                                                        .setNodeSelector(Map.of("accelerator", "1"))
                                                        .build()))));
    }

    @Test
    void aQueueMayBeJson() {
        var json =
                "{\"apiVersion\":\"muster.dev/v1\",\"kind\":\"Queue\",\"metadata\":{\"name\":\"a\"}}";
        assertThat(SettingsForm.read(json))
                .isEqualTo(
                        new Read<>(
                                List.of(
                                        new QueueSetting(
                                                "a",
                                                QueueSpec.newBuilder().build(),
                                                unsaid("paused", "draining")))));
    }

    private static TreeSet<String> unsaid(String... fields) {
        return new TreeSet<>(List.of(fields));
    }

    @Test
    void aQueueSetsEveryFieldButWhatItLeavesToOperators() throws IOException {
        var spec = QueueSpec.newBuilder().build();
        var all = new QueueSetting("a", spec);
        try (var form = getClass().getResourceAsStream("/dev/muster/queue-v1.schema.json")) {
            var fields = JsonMapper.shared().readTree(form).at("/properties/spec/properties");
            assertThat(all.fields()).containsExactlyInAnyOrderElementsOf(fields.propertyNames());
        }
        assertThat(new QueueSetting("a", spec, unsaid("paused", "draining")).fields())
                .hasSize(all.fields().size() - 2)
                .doesNotContain("paused", "draining");
    }

    @Test
    void problemsOfAllDocumentsAreTold() {
        var text = TWO.replace("weight: 3", "wieght: 3").replace("\"1\"", "1");
        assertThat(SettingsForm.read(text))
                .isEqualTo(
                        new Refused<>(
                                List.of(
                                        new Problem(
                                                "[0].spec.wieght",
                                                "",
                                                "is not a known field; did you mean weight?"),
                                        new Problem(
                                                "[1].spec.nodeSelector.accelerator",
                                                "1",
                                                "must be text (in quotes if it looks like a"
                                                        + " number)"))));
    }

    @Test
    void everyFieldIsCheckedAtItsPath() {
        var text =
                """
                apiVersion: muster.dev/v1
                kind: Queue
                metadata: {name: research}
                spec:
                  guaranteed: {cpu: lots, memory: 9Ei}
                  limit: {nvidia.com/gpu: -1}
                  order: Shortest
                  reserveAfter: -5m
                  namespaces: [ml, No_Label]
                  maxRunning: 0
                ---
                apiVersion: muster.dev/v1
                kind: Pool
                metadata: {name: gpus}
                spec:
                  policy: Random
                  priorityClasses: {high: 2000000000}
                  aging: {steps: 1m}
                  spot: {tolerations: [{operator: Like}]}
                """;
        assertThat(((Refused<?>) SettingsForm.read(text)).problems())
                .extracting(Problem::getPath)
                .containsExactlyInAnyOrder(
                        "[0].spec.guaranteed.cpu",
                        "[0].spec.limit['nvidia.com/gpu']",
                        "[0].spec.order",
                        "[0].spec.reserveAfter",
                        "[0].spec.namespaces[1]",
                        "[0].spec.maxRunning",
                        "[1].spec.policy",
                        "[1].spec.priorityClasses.high",
                        "[1].spec.aging.steps",
                        "[1].spec.spot.tolerations[0].operator");
    }

    @Test
    void anAmountThatDoesNotFitIsRefused() {
        var text = TWO.replace("weight: 3", "limit: {memory: 9Ei}");
        assertThat(SettingsForm.read(text))
                .isEqualTo(
                        new Refused<>(
                                List.of(
                                        new Problem(
                                                "[0].spec.limit.memory", "9Ei", "is too large"))));
    }

    @Test
    void queueThatIsNamedTwiceIsRefused() {
        assertThat(SettingsForm.read(TWO + TWO.replace("gpus", "research")))
                .isEqualTo(
                        new Refused<>(
                                List.of(
                                        new Problem(
                                                "[2].metadata.name",
                                                "research",
                                                "is the name of an earlier document of its kind"))));
    }

    @Test
    void aTextWithoutSettingsIsRefused() {
        assertThat(SettingsForm.read("---\n"))
                .isEqualTo(
                        new Refused<>(
                                List.of(
                                        new Problem(
                                                "", "", "the text holds no queue and no pool"))));
    }
}
