package dev.muster.coordinator.stream.rows;

import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Row.Table;

/**
 * Keys of rows in a store: a letter for the table, then the row's id. In the order of the keys the
 * tables come as {@code Pool.restore} wants them.
 */
public final class RowKeys {
    private RowKeys() {}

    public static String of(Row.Key key) {
        return letter(key.table()) + key.id();
    }

    /**
     * Whose row it is.
     *
     * @throws IllegalArgumentException when no table has the key's letter
     */
    public static Table table(String key) {
        for (var table : Table.values()) {
            if (letter(table) == key.charAt(0)) {
                return table;
            }
        }
        throw new IllegalArgumentException("no table has the key " + key);
    }

    /** Never given to another table; the gaps are for tables to come. */
    private static char letter(Table table) {
        return switch (table) {
            case CLOCK -> 'A';
            case SETTINGS -> 'C';
            case ENDED -> 'D';
            case QUEUE -> 'E';
            case SUSPICION -> 'F';
            case JOB -> 'G';
            case THROUGHPUT -> 'H';
            case NODE -> 'I';
            case HOOK -> 'J';
            case OTHERS -> 'K';
            case NAMESPACE -> 'L';
            case RANK -> 'M';
            case HOLD -> 'N';
            case SOURCE -> 'O';
            case HOLD_ROOM -> 'P';
            case ALARM -> 'Q';
            case BULK -> 'R';
            case WAITING -> 'S';
            case SWEEP -> 'T';
            case UNTOLD -> 'U';
            case ANSWER -> 'V';
        };
    }
}
