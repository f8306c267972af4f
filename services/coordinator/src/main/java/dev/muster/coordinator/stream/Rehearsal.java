package dev.muster.coordinator.stream;

import dev.muster.coordinator.history.Heard;
import dev.muster.coordinator.history.InboxRecord;
import dev.muster.coordinator.history.PoolCopy;
import dev.muster.coordinator.stream.rows.RowCodec;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * A job's life, decided for nobody before the first real one. A JVM that has just begun needs
 * seconds for its first decisions: classes, serializers, the registry's ids. A transaction that is
 * open meanwhile is ended by the broker, and the pools begin again; so it is done before there is
 * one.
 */
final class Rehearsal {
    /** In the pool that is taken over: so many jobs wait, each for more than there is. */
    private static final int CROWD = 300;

    private static final int TAKEOVERS = 30;

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

    /**
     * Takes a pool over from its rows, again and again and for nobody: a standby does that once and
     * in a hurry, and code that was not compiled takes ten times as long for it. Takes a second or
     * two of a processor.
     *
     * @param goesOn asked before each piece of it
     * @return how many takeovers were played
     */
    static int takeOver(Wire wire, String coreVersion, BooleanSupplier goesOn) {
        var rehearsal = new Rehearsal(wire);
        var pool = new PoolCopy(0, null, wire::event, new TreeSet<>());
        long offset = 0;
        for (var event : RehearsedInbox.crowd(CROWD)) {
            if (!goesOn.getAsBoolean()) {
                return 0;
            }
            rehearsal.take(pool, offset++, event);
        }
        int played = 0;
        while (played < TAKEOVERS && goesOn.getAsBoolean()) {
            rehearsal.restore(pool, coreVersion);
            played++;
        }
        return played;
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
