package dev.muster.sandbox.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Sixteen letters that tell contents apart, for names in the cache. */
public final class ShortDigest {
    private ShortDigest() {}

    public static String of(String text) {
        return hex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Of what the file holds. */
    public static String of(Path file) throws IOException {
        var sha = sha256();
        try (var in = Files.newInputStream(file)) {
            var block = new byte[1 << 16];
            for (int read = in.read(block); read >= 0; read = in.read(block)) {
                sha.update(block, 0, read);
            }
        }
        return hex(sha.digest());
    }

    private static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest, 0, 8);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
