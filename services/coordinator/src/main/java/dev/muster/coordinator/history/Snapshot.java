package dev.muster.coordinator.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
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
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var store : List.of(rows, specs)) {
                store.forEach((key, value) -> {
                    digest.update(key.getBytes(UTF_8));
                    digest.update(value);
                });
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
