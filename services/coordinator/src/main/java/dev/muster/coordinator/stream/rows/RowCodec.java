package dev.muster.coordinator.stream.rows;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.EndedJob;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.SettingsAnswer;
import dev.muster.coordinator.core.model.Source;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.model.Sweep;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.UntoldEnd;
import dev.muster.coordinator.core.model.Waiting;
import java.util.EnumMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.dataformat.smile.SmileFactory;
import tools.jackson.dataformat.smile.SmileMapper;
import tools.jackson.dataformat.smile.SmileWriteFeature;

/**
 * Rows as Smile (binary JSON) with names, so that a row may gain and lose components: an unknown
 * one is passed over, an absent one is as {@link AbsentValues} says. Same row, same bytes, in every
 * JVM. Whoever reads many has a {@link RowReader}.
 */
public final class RowCodec {
    /** Writes no part of a row as bytes of its own. */
    static final SmileMapper PLAIN =
            SmileMapper.builder(
                            SmileFactory.builder()
                                    .disable(SmileWriteFeature.ENCODE_BINARY_AS_7BIT)
                                    .build())
                    .addModule(new CoreTypes())
                    .annotationIntrospector(new AbsentValues.Nullness())
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .changeDefaultPropertyInclusion(_ ->
                            JsonInclude.Value.construct(
                                    JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                    // A component is one; a question that a record answers is none.
                    .changeDefaultVisibility(visible ->
                            visible.withVisibility(
                                    PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE))
                    .build();

    static final SmileMapper MAPPER = PLAIN.rebuild().addModule(new EmbeddedWork(PLAIN)).build();

    private static final Map<Row.Table, ObjectReader> READERS = new EnumMap<>(Row.Table.class);

    static {
        for (var table : Row.Table.values()) {
            READERS.put(table, MAPPER.readerFor(type(table)));
        }
    }

    private RowCodec() {}

    public static byte[] encode(Row row) {
        return MAPPER.writeValueAsBytes(row);
    }

    /**
     * The row as it was.
     *
     * @throws JacksonException when the bytes are not a row of this table
     */
    public static Row decode(Row.Table table, byte[] bytes) {
        return reader(table).readValue(bytes);
    }

    static ObjectReader reader(Row.Table table) {
        return requireNonNull(READERS.get(table));
    }

    static Class<? extends Row> type(Row.Table table) {
        return switch (table) {
            case CLOCK -> Clock.class;
            case SETTINGS -> Settings.class;
            case ENDED -> EndedJob.class;
            case QUEUE -> Queue.class;
            case SUSPICION -> Suspicion.class;
            case JOB -> Job.class;
            case THROUGHPUT -> Throughput.class;
            case NODE -> Node.class;
            case HOOK -> HookRun.class;
            case OTHERS -> Others.class;
            case NAMESPACE -> NamespaceQuota.class;
            case RANK -> Rank.class;
            case HOLD -> Hold.class;
            case HOLD_ROOM -> Hold.Room.class;
            case SOURCE -> Source.class;
            case ALARM -> Alarm.class;
            case BULK -> Bulk.class;
            case WAITING -> Waiting.class;
            case SWEEP -> Sweep.class;
            case UNTOLD -> UntoldEnd.class;
            case ANSWER -> SettingsAnswer.class;
        };
    }
}
