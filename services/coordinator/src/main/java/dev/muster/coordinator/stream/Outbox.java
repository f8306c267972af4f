package dev.muster.coordinator.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.coordinator.stream.avro.Output;
import dev.muster.schemas.contract.Limits;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.processor.api.Record;

/** Outputs on their way to the topics: written first, all of them, and only then sent. */
final class Outbox {
    private final Wire wire;
    private final Sink sink;
    private final Counters counters;

    /** Where the outputs go, by topic. */
    @FunctionalInterface
    interface Sink {
        void publish(String topic, Record<byte[], byte[]> record);
    }

    /** An output as bytes. */
    record Written(String topic, Record<byte[], byte[]> record) {}

    Outbox(Wire wire, Sink sink, Counters counters) {
        this.wire = wire;
        this.sink = sink;
        this.counters = counters;
    }

    /**
     * Outputs as bytes, stamped with the pool's time.
     *
     * @throws SerializationException when one is not what its schema asks for, or too large
     */
    List<Written> written(List<Output> outputs, Instant at) {
        return outputs.stream().map(output -> written(output, at)).toList();
    }

    private Written written(Output output, Instant at) {
        var value = output.value();
        var bytes = value == null ? null : wire.bytes(output.topic(), value);
        if (bytes != null && bytes.length > Limits.VALUE_BYTES) {
            throw new SerializationException(
                    "a record for %s under %s has %d bytes, %d are allowed"
                            .formatted(
                                    output.topic().name(),
                                    output.key(),
                                    bytes.length,
                                    Limits.VALUE_BYTES));
        }
        return new Written(
                output.topic().name(),
                new Record<>(output.key().getBytes(UTF_8), bytes, at.toEpochMilli()));
    }

    void send(List<Written> outputs) {
        outputs.forEach(output -> sink.publish(output.topic(), output.record()));
        outputs.forEach(output -> counters.published(output.topic()));
    }
}
