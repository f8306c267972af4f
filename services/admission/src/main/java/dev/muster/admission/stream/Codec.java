package dev.muster.admission.stream;

import dev.muster.schemas.Topic;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.SchemaRefusedException;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobSignal;
import dev.muster.v1.JobStatus;
import dev.muster.v1.PoolState;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.QueueState;
import dev.muster.v1.TrainingMetrics;
import java.time.Duration;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/**
 * Reads and writes the records of the contract; hardly waits for the registry, since a stream
 * thread that waits loses its transaction.
 */
final class Codec implements AutoCloseable {
    private static final Duration HURRY = Duration.ofSeconds(1);

    private final RegistryClient registry;
    private final Map<String, ?> config;
    private final Map<Class<?>, AvroDeserializer<?>> readers;
    private final AvroSerializer<SpecificRecord> writer;

    Codec(Map<String, ?> config) {
        this(config, HURRY);
    }

    /**
     * @param hurry how long the registry is waited for; its answers are taken later, too
     */
    Codec(Map<String, ?> config, Duration hurry) {
        var hurried = RegistryConfig.hurried(config, hurry);
        this.config = hurried;
        registry = new RegistryClient(RegistryConfig.from(hurried));
        writer = new AvroSerializer<>(registry);
        writer.configure(hurried, false);
        readers =
                Map.of(
                        JobRequest.class, reader(JobRequest.class),
                        QueueRequest.class, reader(QueueRequest.class),
                        JobStatus.class, reader(JobStatus.class),
                        TrainingMetrics.class, reader(TrainingMetrics.class),
                        JobSignal.class, reader(JobSignal.class),
                        QueueState.class, reader(QueueState.class),
                        PoolState.class, reader(PoolState.class));
    }

    private <T extends SpecificRecord> AvroDeserializer<T> reader(Class<T> type) {
        var reader = new AvroDeserializer<>(type, registry);
        reader.configure(config, false);
        return reader;
    }

    /**
     * @throws UnreadableRecordException when these bytes will never be a record of the topic
     */
    <T extends SpecificRecord> T read(Topic<T> topic, byte[] value) {
        var reader = readers.get(topic.value());
        if (reader == null) {
            throw new IllegalArgumentException("admission does not read " + topic.name());
        }
        return topic.value().cast(reader.deserialize(topic.name(), value));
    }

    /**
     * @throws RegistryUnavailableException also where the registry will not have our schema: that
     *     is an operator's to mend, and no fault of the request
     */
    <T extends SpecificRecord> byte[] write(Topic<T> topic, T value) {
        try {
            return writer.serialize(topic.name(), value);
        } catch (SchemaRefusedException e) {
            throw new RegistryUnavailableException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        registry.close();
    }
}
