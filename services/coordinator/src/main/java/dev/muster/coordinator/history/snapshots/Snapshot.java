package dev.muster.coordinator.history.snapshots;

import java.time.Instant;
import java.util.SortedMap;

/**
 * All that a pool was behind one record of its inbox, as the coordinator's stores hold it.
 *
 * @param offset of the last record that it includes
 * @param at the pool's time
 * @param coreVersion of the rules that made it
 * @param rows by their keys
 * @param specs the inbox records that brought the living jobs, by job
 */
public record Snapshot(
        String pool,
        long offset,
        Instant at,
        String coreVersion,
        SortedMap<String, byte[]> rows,
        SortedMap<String, byte[]> specs) {
    /** How many rows and specs it has. */
    public long size() {
        return (long) rows.size() + specs.size();
    }

    /** SHA-256 over keys and values, rows first, hexadecimal. */
    public String digest() {
        var digest = new SnapshotDigest();
        rows.forEach(digest::add);
        specs.forEach(digest::add);
        return digest.text();
    }

    Snapshot with(SortedMap<String, byte[]> specs) {
        return new Snapshot(pool, offset, at, coreVersion, rows, specs);
    }
}
