package dev.muster.coordinator.stream.rows;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.model.Uid;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.Version;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;
import tools.jackson.databind.ser.std.ToStringSerializer;

/**
 * What Jackson has to know of the core's types, which know nothing of it. A case of a sealed type
 * is written under its simple name, which so is part of what is stored.
 */
final class CoreTypes extends SimpleModule {
    private static final long serialVersionUID = 1;

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    private interface Case {}

    /** Amounts are what they are by name. */
    private abstract static class ByName {
        @JsonCreator
        static Amounts of(@JsonProperty("byName") Map<String, Long> byName) {
            return Amounts.of(byName);
        }

        @JsonProperty("byName")
        abstract SortedMap<String, Long> byName();
    }

    CoreTypes() {
        super("muster-core", Version.unknownVersion());
        writtenAsText(JobId.class, JobId::parse);
        writtenAsText(Uid.class, Uid::parse);
        addSerializer(new InstantWriter());
        addDeserializer(Instant.class, new PairReader<>(Instant.class, Instant::ofEpochSecond));
        addSerializer(new DurationWriter());
        addDeserializer(Duration.class, new PairReader<>(Duration.class, Duration::ofSeconds));
        addSerializer(new SetWriter());
        setMixInAnnotation(Amounts.class, ByName.class);
        setDeserializerModifier(new AbsentValues.Plain());
        sealed(Event.class);
        sealed(Effect.class);
        sealed(JobState.class);
        sealed(Then.class);
        sealed(JobState.Gate.class);
        sealed(Change.class);
        sealed(JobSpec.Success.class);
        sealed(FailurePolicy.Action.class);
    }

    private <T> void writtenAsText(Class<T> type, Function<String, T> parse) {
        addSerializer(type, ToStringSerializer.instance);
        addDeserializer(type, new TextReader<>(type, parse));
    }

    private void sealed(Class<?> type) {
        setMixInAnnotation(type, Case.class);
        registerCases(type);
    }

    private void registerCases(Class<?> type) {
        for (var permitted : type.getPermittedSubclasses()) {
            if (permitted.isSealed()) {
                registerCases(permitted);
            } else {
                registerSubtypes(new NamedType(permitted, permitted.getSimpleName()));
            }
        }
    }

    private static final class TextReader<T> extends StdDeserializer<T> {
        private final transient Function<String, T> parse;

        TextReader(Class<T> type, Function<String, T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        public T deserialize(JsonParser in, DeserializationContext context) {
            return parse.apply(in.getString());
        }
    }

    /** Seconds and nanoseconds: nothing is lost, and most are short. */
    private static void writePair(JsonGenerator out, long seconds, int nanos) {
        out.writeStartArray();
        out.writeNumber(seconds);
        out.writeNumber(nanos);
        out.writeEndArray();
    }

    private static final class InstantWriter extends StdSerializer<Instant> {
        InstantWriter() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant value, JsonGenerator out, SerializationContext context) {
            writePair(out, value.getEpochSecond(), value.getNano());
        }
    }

    private static final class DurationWriter extends StdSerializer<Duration> {
        DurationWriter() {
            super(Duration.class);
        }

        @Override
        public void serialize(Duration value, JsonGenerator out, SerializationContext context) {
            writePair(out, value.getSeconds(), value.getNano());
        }
    }

    @FunctionalInterface
    private interface OfPair<T> {
        T of(long seconds, long nanos);
    }

    private static final class PairReader<T> extends StdDeserializer<T> {
        private final transient OfPair<T> of;

        PairReader(Class<T> type, OfPair<T> of) {
            super(type);
            this.of = of;
        }

        @Override
        public T deserialize(JsonParser in, DeserializationContext context) {
            in.nextToken();
            long seconds = in.getLongValue();
            in.nextToken();
            var value = of.of(seconds, in.getLongValue());
            in.nextToken();
            return value;
        }
    }

    /** In the order of its elements: an immutable set has one of its own in each JVM. */
    private static final class SetWriter extends StdSerializer<Set<?>> {
        SetWriter() {
            super(Set.class);
        }

        @Override
        public void serialize(Set<?> value, JsonGenerator out, SerializationContext context) {
            out.writeStartArray();
            for (var element : new TreeSet<>(value)) {
                context.writeValue(out, element);
            }
            out.writeEndArray();
        }
    }
}
