package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.stream.avro.QueueReasons;
import dev.muster.coordinator.stream.rows.RowCodec;
import dev.muster.coordinator.stream.rows.RowKeys;
import java.nio.ByteBuffer;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * One pool's rows in their store, and beside them how far its inbox was taken in: both change in
 * one transaction, so the position is right even where the group's offsets are lost.
 */
final class Rows implements QueueReasons {
    static final String STORE = "rows";

    /** Rows begin with a letter, all else with this. */
    static final String NO_ROW = "~";

    private static final String FIRST = "A";
    private static final String LAST = "Z\uffff";
    private static final String POSITION = NO_ROW + "position";

    private final KeyValueStore<String, byte[]> store;
    private long position;

    Rows(KeyValueStore<String, byte[]> store) {
        this.store = store;
        var known = store.get(POSITION);
        position = known == null ? -1 : ByteBuffer.wrap(known).getLong();
    }

    /** Offset of the last inbox record that was taken in; -1: none was. */
    long position() {
        return position;
    }

    void takenIn(long offset) {
        position = offset;
        store.put(POSITION, ByteBuffer.allocate(Long.BYTES).putLong(offset).array());
    }

    /**
     * The version of the core that the pool was told of; null while it has no settings, and "" as
     * long as it was told of none.
     */
    @Nullable String coreVersion() {
        var key = new Row.Key(Row.Table.SETTINGS, "");
        return row(key) instanceof Settings settings ? settings.coreVersion() : null;
    }

    /** What holds for the whole queue after the last step; null: nothing. */
    @Override
    public @Nullable WaitReason of(String queue) {
        var key = new Row.Key(Row.Table.QUEUE, queue);
        return row(key) instanceof Queue row ? row.reason() : null;
    }

    private @Nullable Row row(Row.Key key) {
        var bytes = store.get(RowKeys.of(key));
        return bytes == null ? null : RowCodec.decode(key.table(), bytes);
    }

    boolean knows(JobId job) {
        return store.get(RowKeys.of(new Row.Key(Row.Table.JOB, job.toString()))) != null;
    }

    void apply(Step step) {
        for (var change : step.changes()) {
            var key = RowKeys.of(change.key());
            if (change.row() == null) {
                store.delete(key);
            } else {
                store.put(key, RowCodec.encode(change.row()));
            }
        }
    }

    /**
     * Writes down what changed since the last commit. Else a commit would do so while the rows are
     * read, and who reads finds a key whose row has just been deleted.
     */
    void settle() {
        store.flush();
    }

    /** Begins to make the pool that these rows are. */
    Rebuild rebuild() {
        return new Rebuild(entries(store));
    }

    /** All rows of a store as they are kept, in the order of their keys. */
    static KeyValueIterator<String, byte[]> entries(ReadOnlyKeyValueStore<String, byte[]> store) {
        return store.range(FIRST, LAST);
    }
}
