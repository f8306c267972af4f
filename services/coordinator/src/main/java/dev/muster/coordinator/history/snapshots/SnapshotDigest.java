package dev.muster.coordinator.history.snapshots;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over the entries of a snapshot as they come: rows by key, then submissions by job. */
final class SnapshotDigest {
    private final MessageDigest digest;
    private long size;

    SnapshotDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    void add(String key, byte[] value) {
        digest.update(key.getBytes(UTF_8));
        digest.update(value);
        size++;
    }

    /** How many there were. */
    long size() {
        return size;
    }

    /** Hexadecimal; to be asked for once. */
    String text() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
