package dev.muster.schemas.serde;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes generated records in Confluent's wire format: a zero, the schema's id in four bytes, the
 * Avro.
 *
 * <p>The registry is asked with the first record of each subject and waited for as long as {@link
 * RegistryConfig#WAIT} says; later records do without it. For any number of threads.
 */
public final class AvroSerializer<T extends SpecificRecord> implements Serializer<T> {
    static final byte MAGIC = 0;

    private final boolean ownsRegistry;
    private final Map<Named, Known<T>> known = new ConcurrentHashMap<>();
    private @Nullable RegistryClient registry;
    private SerdeConfig config = SerdeConfig.DEFAULT;
    private boolean isKey;

    private record Named(String topic, Schema schema) {}

    private record Known<T>(int id, DatumWriter<T> writer) {}

    /** For Kafka, which then calls {@link #configure}. */
    public AvroSerializer() {
        ownsRegistry = true;
    }

    /** Shares a registry client, which the caller closes; usable without being configured. */
    public AvroSerializer(RegistryClient registry) {
        this.registry = registry;
        ownsRegistry = false;
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        this.isKey = isKey;
        config = SerdeConfig.from(configs, isKey);
        if (ownsRegistry) {
            close();
            registry = new RegistryClient(RegistryConfig.from(configs));
        }
    }

    /**
     * @throws SchemaRefusedException when the registry will not have the schema
     * @throws RegistryUnavailableException when the registry is needed and does not answer
     * @throws SerializationException when the record lacks what its schema asks for
     */
    @Override
    @SuppressWarnings("NullAway") // Kafka's interface says nothing of null: null stays null.
    public byte[] serialize(String topic, T data) {
        if (data == null) {
            return null;
        }
        var writer = writerFor(topic, data.getSchema());
        var bytes = new ByteArrayOutputStream(512);
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(MAGIC);
            out.writeInt(writer.id());
            var encoder = EncoderFactory.get().binaryEncoder(out, null);
            writer.writer().write(data, encoder);
            encoder.flush();
        } catch (IOException | AvroRuntimeException | NullPointerException | ClassCastException e) {
            throw new SerializationException(
                    "no valid %s for %s: %s"
                            .formatted(data.getSchema().getName(), topic, e.getMessage()),
                    e);
        }
        return bytes.toByteArray();
    }

    private Known<T> writerFor(String topic, Schema schema) {
        var named = new Named(topic, schema);
        var writer = known.get(named);
        if (writer == null) {
            var subject = config.subjects().of(topic, isKey, schema);
            var client = requireNonNull(registry, "configure() comes before the first record");
            var id =
                    config.autoRegister()
                            ? client.register(subject, schema)
                            : client.find(subject, schema);
            writer =
                    new Known<>(
                            id,
                            new SpecificDatumWriter<>(schema, SpecificData.getForSchema(schema)));
            known.put(named, writer);
        }
        return writer;
    }

    @Override
    public void close() {
        if (ownsRegistry && registry != null) {
            registry.close();
        }
    }
}
