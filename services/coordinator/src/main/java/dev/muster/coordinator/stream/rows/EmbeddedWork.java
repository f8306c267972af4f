package dev.muster.coordinator.stream.rows;

import dev.muster.coordinator.core.model.JobSpec.Work;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.Version;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * A job's work as bytes within its row. It is half of the row, and what many jobs have in common:
 * whoever reads many rows reads equal ones once.
 */
final class EmbeddedWork extends SimpleModule {
    private static final long serialVersionUID = 1;

    /**
     * @param plain writes and reads what is embedded
     */
    EmbeddedWork(ObjectMapper plain) {
        super("muster-work", Version.unknownVersion());
        addSerializer(new Writer(plain));
        addDeserializer(Work.class, new Reader(plain));
    }

    /** Those that were read, by their bytes. Any thread may ask. */
    static final class Known {
        /** Of jobs that are all different each is read by itself, and not kept beside its bytes. */
        private static final int MOST = 10_000;

        private final Map<ByteBuffer, Work> works = new ConcurrentHashMap<>();

        private Work of(byte[] bytes, Function<byte[], Work> read) {
            var key = ByteBuffer.wrap(bytes);
            var known = works.get(key);
            if (known != null) {
                return known;
            }
            var work = read.apply(bytes);
            if (works.size() < MOST) {
                works.put(key, work);
            }
            return work;
        }
    }

    private static final class Writer extends StdSerializer<Work> {
        private final transient ObjectMapper plain;

        Writer(ObjectMapper plain) {
            super(Work.class);
            this.plain = plain;
        }

        @Override
        public void serialize(Work value, JsonGenerator out, SerializationContext context) {
            out.writeBinary(plain.writeValueAsBytes(value));
        }
    }

    private static final class Reader extends StdDeserializer<Work> {
        private final transient ObjectReader plain;
        private final transient ObjectReader inPlace;

        Reader(ObjectMapper plain) {
            super(Work.class);
            this.plain = plain.readerFor(Work.class);
            inPlace = this.plain.without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        }

        @Override
        public Work deserialize(JsonParser in, DeserializationContext context) {
            if (in.currentToken() != JsonToken.VALUE_EMBEDDED_OBJECT) {
                return inPlace.readValue(in); // As rows were written before.
            }
            var bytes = in.getBinaryValue();
            return context.getAttribute(Known.class) instanceof Known known
                    ? known.of(bytes, plain::readValue)
                    : plain.readValue(bytes);
        }
    }
}
