package dev.muster.coordinator.stream;

import dev.muster.coordinator.history.log.InboxRecord;
import dev.muster.coordinator.history.replay.Heard;
import dev.muster.coordinator.history.replay.PoolCopy;
import dev.muster.coordinator.stream.rows.RowCodec;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import java.util.Set;
import java.util.TreeSet;

/**
 * A job's life, decided for nobody before the first real one. A JVM that has just begun needs
 * seconds for its first decisions: classes, serializers, the registry's ids. A transaction that is
 * open meanwhile is ended by the broker, and the pools begin again; so it is done before there is
 * one.
 */
final class Rehearsal {
    private final Wire wire;
    private final Set<String> written = new TreeSet<>();

    private Rehearsal(Wire wire) {
        this.wire = wire;
    }

    /**
     * Plays the script once. Publishes nothing, and keeps nothing.
     *
     * @return topics for which a record was written
     * @throws IllegalStateException when the script is not what this version understands
     */
    static Set<String> play(Wire wire, String coreVersion) {
        var rehearsal = new Rehearsal(wire);
        var pool = new PoolCopy(0, null, wire::event, new TreeSet<>());
        long offset = 0;
        for (var event : RehearsedInbox.events()) {
            rehearsal.take(pool, offset++, event);
        }
        rehearsal.restore(pool, coreVersion);
        return rehearsal.written;
    }

    private void take(PoolCopy pool, long offset, InboxEvent event) {
        var at = RehearsedInbox.BEGIN.plusSeconds(offset);
        var record = new InboxRecord(0, offset, at, wire.bytes(Topics.INBOX, event));
        if (!(pool.take(record) instanceof Heard.Taken taken)) {
            throw new IllegalStateException("a rehearsed event is not understood: " + event);
        }
        for (var change : taken.step().changes()) {
            if (change.row() != null) {
                RowCodec.encode(change.row());
            }
        }
        for (var output : taken.outputs()) {
            if (output.value() != null) {
                wire.bytes(output.topic(), output.value());
                written.add(output.topic().name());
            }
        }
    }

    /** As a takeover does. */
    private void restore(PoolCopy pool, String coreVersion) {
        var unused = new PoolCopy(0, pool.snapshot(coreVersion), wire::event, new TreeSet<>());
        if (unused.position() != pool.position()) {
            throw new IllegalStateException("a rehearsed pool is not what its rows say");
        }
    }
}
