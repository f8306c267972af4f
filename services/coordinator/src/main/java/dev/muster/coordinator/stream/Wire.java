package dev.muster.coordinator.stream;

import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.SchemaRefusedException;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.InboxEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The contract's records as bytes and back. What the registry alone can cure is waited for, in
 * place and with a log line, until it is cured or this is closed. For any number of threads.
 */
public final class Wire implements AutoCloseable {
    /** So often it is said that it still waits. */
    private static final Duration REGISTRY_TIMEOUT = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(Wire.class);

    private final AvroSerializer<SpecificRecord> serializer = new AvroSerializer<>();
    private final AvroDeserializer<InboxEvent> deserializer =
            new AvroDeserializer<>(InboxEvent.class);
    private volatile boolean givesUp;

    /**
     * Of who is to stop while it waits: says nothing of the record, which whoever takes over reads.
     */
    static final class GaveUpException extends KafkaException {
        private static final long serialVersionUID = 1L;

        private GaveUpException(KafkaException cause) {
            super("gave up waiting for the registry", cause);
        }
    }

    /**
     * Reaches the registry that {@code config} names.
     *
     * @param config of a Kafka client, with Confluent's keys for the registry
     */
    public Wire(Map<String, ?> config) {
        var patient = new HashMap<String, Object>(config);
        patient.put(RegistryConfig.WAIT, REGISTRY_TIMEOUT.toMillis());
        serializer.configure(patient, false);
        deserializer.configure(patient, false);
    }

    /**
     * Reads an inbox record.
     *
     * @throws UnreadableRecordException when these bytes will never be one
     * @throws GaveUpException when this is to stop before the registry has said
     */
    InboxEvent event(byte[] value) {
        return patiently(() -> deserializer.deserialize(Topics.INBOX.name(), value));
    }

    /**
     * Writes a record.
     *
     * @throws SerializationException when it lacks what its schema asks for
     * @throws GaveUpException when this is to stop before the registry has said
     */
    byte[] bytes(Topic<?> topic, SpecificRecord value) {
        return patiently(() -> serializer.serialize(topic.name(), value));
    }

    private <T> T patiently(Supplier<T> call) {
        while (true) {
            try {
                return call.get();
            } catch (RegistryUnavailableException e) {
                giveUpIfAsked(e);
                log.atWarn().addKeyValue("why", e.getMessage()).log("the registry is needed");
            } catch (SchemaRefusedException e) {
                // About our deployment, not about the record: parking would lose what is decided.
                giveUpIfAsked(e);
                log.atError().setCause(e).log("the registry refuses the contract");
                LockSupport.parkNanos(REGISTRY_TIMEOUT.toNanos());
            }
        }
    }

    private void giveUpIfAsked(KafkaException cause) {
        if (givesUp) {
            throw new GaveUpException(cause);
        }
    }

    /** Whoever waits fails soon; whoever need not wait goes on. */
    void giveUp() {
        givesUp = true;
    }

    @Override
    public void close() {
        giveUp();
        serializer.close();
        deserializer.close();
    }
}
