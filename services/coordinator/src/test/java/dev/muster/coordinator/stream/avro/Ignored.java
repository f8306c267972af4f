package dev.muster.coordinator.stream.avro;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;

/**
 * Fields that a reading passes over: what is read stays the same where one of them is at its
 * default instead. So are those that the records at hand do not set, as nobody has set a field that
 * was added a moment ago.
 */
final class Ignored {
    private final SortedSet<String> heeded = new TreeSet<>();
    private final SortedSet<String> ignored = new TreeSet<>();

    private Ignored() {}

    /**
     * Those that have a default, as all have that are ever added, by their paths; also of the
     * records inside. One that matters in one of the records, or of a list, is not ignored.
     */
    static <T extends IndexedRecord> SortedSet<String> fields(
            Function<T, ?> reading, List<T> records) {
        var found = new Ignored();
        for (var record : records) {
            found.look("", record, () -> reading.apply(record));
        }
        found.ignored.removeAll(found.heeded);
        return found.ignored;
    }

    /** What is read now. */
    private interface Reading {
        Object read();

        /** A refusal heeds the field, too. */
        default @Nullable Object result() {
            try {
                return read();
            } catch (UnusableEventException e) {
                return e.getMessage();
            }
        }
    }

    private void look(String path, IndexedRecord record, Reading reading) {
        for (var field : record.getSchema().getFields()) {
            var name = path + field.name();
            var value = record.get(field.pos());
            if (field.hasDefaultValue()) {
                var before = reading.result();
                record.put(field.pos(), SpecificData.get().getDefaultValue(field));
                var after = reading.result();
                record.put(field.pos(), value);
                (Objects.equals(before, after) ? ignored : heeded).add(name);
            }
            recordsIn(value).forEach(inner -> look(name + ".", inner, reading));
        }
    }

    private static Stream<IndexedRecord> recordsIn(@Nullable Object value) {
        return switch (value) {
            case null -> Stream.of();
            case IndexedRecord one -> Stream.of(one);
            case Collection<?> many -> many.stream().flatMap(Ignored::recordsIn);
            case Map<?, ?> byName -> byName.values().stream().flatMap(Ignored::recordsIn);
            default -> Stream.of();
        };
    }
}
