package dev.muster.coordinator.stream.rows;

import static java.util.Objects.requireNonNull;

import dev.muster.coordinator.core.model.Row;
import java.util.EnumMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;

/**
 * Reads many rows of one pool, what jobs have in common only once. Any thread may read; to be
 * dropped with the rows.
 */
public final class RowReader {
    private final Map<Row.Table, ObjectReader> readers = new EnumMap<>(Row.Table.class);

    public RowReader() {
        var known = new EmbeddedWork.Known();
        for (var table : Row.Table.values()) {
            readers.put(
                    table, RowCodec.reader(table).withAttribute(EmbeddedWork.Known.class, known));
        }
    }

    /**
     * The row as it was.
     *
     * @param key under which it is stored
     * @throws JacksonException when the bytes are not a row of the key's table
     */
    public Row row(String key, byte[] bytes) {
        return requireNonNull(readers.get(RowKeys.table(key))).readValue(bytes);
    }
}
