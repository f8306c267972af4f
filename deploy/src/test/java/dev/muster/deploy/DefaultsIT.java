package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.SettingKind;
import dev.muster.cli.http.Admission;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.kafka.Requests;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What {@code muster up} makes where it is missing. */
class DefaultsIT {
    private static final String OF_AN_OPERATOR =
            """
            apiVersion: muster.dev/v1
            kind: Queue
            metadata: {name: of-an-operator}
            spec: {weight: 7, paused: true}
            """;

    private static final String AS_BUILT_IN =
            """
            apiVersion: muster.dev/v1
            kind: Queue
            metadata: {name: of-an-operator}
            spec: {}
            ---
            apiVersion: muster.dev/v1
            kind: Queue
            metadata: {name: of-nobody}
            spec: {weight: 3}
            """;

    @Test
    void whatIsThereStaysAsItIs() {
        try (var requests = Requests.open(TheSystem.context(), "test")) {
            QueueFile.read(OF_AN_OPERATOR).apply(requests, _ -> {});

            QueueFile.read(AS_BUILT_IN).applyToMissing(requests);
        }

        assertThat(spec("of-an-operator").path("weight").asInt()).isEqualTo(7);
        assertThat(spec("of-an-operator").path("paused").asBoolean()).isTrue();
        assertThat(spec("of-nobody").path("weight").asInt()).isEqualTo(3);
    }

    private static JsonNode spec(String queue) {
        var admission = new Admission(TheSystem.context());
        return admission.find(SettingKind.QUEUE, queue).orElseThrow().path("spec");
    }
}
