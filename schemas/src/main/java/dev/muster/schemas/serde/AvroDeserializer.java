package dev.muster.schemas.serde;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads Confluent's wire format into generated records, whatever version of the schema wrote them.
 *
 * <p>The registry is asked once for each id and waited for as long as {@link RegistryConfig#WAIT}
 * says. For any number of threads.
 */
public final class AvroDeserializer<T extends SpecificRecord> implements Deserializer<T> {
    private static final int HEADER = 5;

    private final boolean ownsRegistry;
    private final Map<Integer, Reading<T>> readings = new ConcurrentHashMap<>();
    private @Nullable Class<? extends SpecificRecord> type;
    private @Nullable RegistryClient registry;

    /** What is known of one id. */
    private sealed interface Reading<T> {
        record By<T>(DatumReader<T> reader) implements Reading<T> {}

        record Impossible<T>(String why) implements Reading<T> {}
    }

    /**
     * For Kafka, which then calls {@link #configure}: makes what {@code specific.avro.value.type}
     * names, else what the writer's schema is named after.
     */
    public AvroDeserializer() {
        ownsRegistry = true;
    }

    /** For {@link #configure}: makes {@code type} and takes nothing else for it. */
    public AvroDeserializer(Class<T> type) {
        this.type = type;
        ownsRegistry = true;
    }

    /** Shares a registry client, which the caller closes; usable without being configured. */
    public AvroDeserializer(Class<T> type, RegistryClient registry) {
        this.type = type;
        this.registry = registry;
        ownsRegistry = false;
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        var config = SerdeConfig.from(configs, isKey);
        if (type == null) {
            type = config.type();
        }
        if (ownsRegistry) {
            close();
            registry = new RegistryClient(RegistryConfig.from(configs));
        }
    }

    /**
     * @throws UnreadableRecordException when these bytes will never be a record: park them
     * @throws RegistryUnavailableException when the id is not known yet and the registry does not
     *     answer: try again
     */
    @Override
    @SuppressWarnings("NullAway") // Kafka's interface says nothing of null: null stays null.
    public T deserialize(String topic, byte[] data) {
        if (data == null) {
            return null;
        }
        return switch (readingOf(idOf(data))) {
            case Reading.By(var reader) -> read(reader, data);
            case Reading.Impossible(var why) -> throw new UnreadableRecordException(why);
        };
    }

    private static int idOf(byte[] data) {
        if (data.length < HEADER) {
            throw new UnreadableRecordException(
                    "%d bytes are no record: 5 say the schema".formatted(data.length));
        }
        if (data[0] != AvroSerializer.MAGIC) {
            throw new UnreadableRecordException(
                    "begins with byte 0x%02x, not with 0x00: no record of a schema registry"
                            .formatted(data[0]));
        }
        return ByteBuffer.wrap(data).getInt(1);
    }

    /**
     * The bytes and how to read them are at hand: whatever Avro throws, which it does not name, is
     * said of the bytes, and will be said of them again. To a length that no array has that is an
     * UnsupportedOperationException; the depth of a recursive field that we skip is the writer's.
     */
    private T read(DatumReader<T> reader, byte[] data) {
        var decoder = DecoderFactory.get().binaryDecoder(data, HEADER, data.length - HEADER, null);
        try {
            var read = reader.read(null, decoder);
            if (decoder.isEnd()) {
                return read;
            }
        } catch (IOException | RuntimeException | StackOverflowError e) {
            throw new UnreadableRecordException("not what its schema says: " + e, e);
        }
        throw new UnreadableRecordException("longer than its schema says");
    }

    private Reading<T> readingOf(int id) {
        var reading = readings.get(id);
        if (reading == null) {
            var client = requireNonNull(registry, "configure() comes before the first record");
            reading = resolve(id, client.schema(id));
            readings.put(id, reading);
        }
        return reading;
    }

    private Reading<T> resolve(int id, Schema writer) {
        var wanted = type == null ? generated(writer) : type;
        if (wanted == null) {
            return new Reading.Impossible<>(
                    "schema %d is of %s, of which there is no class"
                            .formatted(id, writer.getFullName()));
        }
        var data = SpecificData.getForClass(wanted);
        var reader = data.getSchema(wanted);
        if (!reader.getFullName().equals(writer.getFullName())) {
            return new Reading.Impossible<>(
                    "schema %d is of %s, not of %s"
                            .formatted(id, writer.getFullName(), reader.getFullName()));
        }
        var compatibility = SchemaCompatibility.checkReaderWriterCompatibility(reader, writer);
        if (compatibility.getType() != SchemaCompatibilityType.COMPATIBLE) {
            return new Reading.Impossible<>(
                    "schema %d cannot be read as %s: %s"
                            .formatted(
                                    id,
                                    reader.getFullName(),
                                    compatibility.getResult().getIncompatibilities()));
        }
        return new Reading.By<>(new SpecificDatumReader<>(writer, reader, data));
    }

    private static @Nullable Class<?> generated(Schema writer) {
        try {
            var found = SpecificData.get().getClass(writer);
            return found != null && SpecificRecord.class.isAssignableFrom(found) ? found : null;
        } catch (SecurityException e) {
            return null; // A class that Avro may not make: anybody can name one in a schema.
        }
    }

    @Override
    public void close() {
        if (ownsRegistry && registry != null) {
            registry.close();
        }
    }
}
