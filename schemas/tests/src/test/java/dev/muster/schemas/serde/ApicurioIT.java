package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.TestParts;
import dev.muster.v1.JobRequest;
import io.apicurio.registry.serde.avro.AvroKafkaDeserializer;
import io.apicurio.registry.serde.avro.AvroKafkaSerializer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wire format, as another implementation reads and writes it. */
class ApicurioIT {
    private static final Map<String, Object> THEIRS =
            Map.of(
                    "apicurio.registry.url",
                    TestParts.registryUrl().replace("/ccompat/v7", "/registry/v3"),
                    "apicurio.registry.auto-register",
                    true,
                    "apicurio.registry.use-specific-avro-reader",
                    true);
    private static final Map<String, String> OURS =
            Map.of("schema.registry.url", TestParts.registryUrl());

    private final JobRequest submit = Records.submit("crossed");

    @Test
    void whatWeWriteTheyRead() {
        try (var ours = AvroSerde.of(JobRequest.class, OURS);
                var theirs = new AvroKafkaDeserializer<JobRequest>()) {
            theirs.configure(THEIRS, false);
            var bytes = ours.serializer().serialize("to-apicurio", submit);

            assertThat(theirs.deserialize("to-apicurio", bytes)).isEqualTo(submit);
        }
    }

    /** By default they keep every nested type under a subject of its own. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatTheyWriteWeRead(boolean inOnePiece) {
        var topic = "from-apicurio-" + inOnePiece;
        var config = new HashMap<>(THEIRS);
        config.put("apicurio.registry.dereference-schema", inOnePiece);
        try (var ours = AvroSerde.of(JobRequest.class, OURS);
                var theirs = new AvroKafkaSerializer<JobRequest>()) {
            theirs.configure(config, false);
            var bytes = theirs.serialize(topic, submit);

            assertThat(ours.deserializer().deserialize(topic, bytes)).isEqualTo(submit);
        }
    }

    @Test
    void theSameRecordHasTheSameBytes() {
        try (var ours = AvroSerde.of(JobRequest.class, OURS);
                var theirs = new AvroKafkaSerializer<JobRequest>()) {
            theirs.configure(THEIRS, false);
            var our = ours.serializer().serialize("same", submit);
            var their = theirs.serialize("same-theirs", submit);

            assertThat(their).hasSameSizeAs(our).startsWith(0);
            assertThat(Arrays.copyOfRange(their, 5, their.length))
                    .isEqualTo(Arrays.copyOfRange(our, 5, our.length));
        }
    }
}
