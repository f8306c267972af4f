package dev.muster.schemas.serde;

import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Both directions of one record, as Kafka Streams takes them: for users' own applications. Muster's
 * services use {@link AvroSerializer} and {@link AvroDeserializer}.
 */
public final class AvroSerde<T extends SpecificRecord> implements Serde<T> {
    private final AvroSerializer<T> serializer;
    private final AvroDeserializer<T> deserializer;

    private AvroSerde(AvroSerializer<T> serializer, AvroDeserializer<T> deserializer) {
        this.serializer = serializer;
        this.deserializer = deserializer;
    }

    /** For values of {@code type}, ready for use, with a registry client of its own. */
    public static <T extends SpecificRecord> AvroSerde<T> of(Class<T> type, Map<String, ?> config) {
        var serde = new AvroSerde<>(new AvroSerializer<T>(), new AvroDeserializer<>(type));
        serde.configure(config, false);
        return serde;
    }

    /** For values of {@code type}, ready for use; the caller closes the registry client. */
    public static <T extends SpecificRecord> AvroSerde<T> of(
            Class<T> type, RegistryClient registry) {
        return new AvroSerde<>(
                new AvroSerializer<>(registry), new AvroDeserializer<>(type, registry));
    }

    /** Streams calls this only on serdes that it makes itself. */
    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        serializer.configure(configs, isKey);
        deserializer.configure(configs, isKey);
    }

    @Override
    public Serializer<T> serializer() {
        return serializer;
    }

    @Override
    public Deserializer<T> deserializer() {
        return deserializer;
    }

    @Override
    public void close() {
        serializer.close();
        deserializer.close();
    }
}
