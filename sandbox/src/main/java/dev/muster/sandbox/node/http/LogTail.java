package dev.muster.sandbox.node.http;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Copies a log, and what is written to it while somebody follows. */
final class LogTail {
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int CHUNK = 64 * 1024;

    private LogTail() {}

    /**
     * Copies what is asked for.
     *
     * @param growing whether the log may still grow; asked before each look, so that the last words
     *     are not missed
     * @throws IOException when the log cannot be read or the reader has gone
     */
    static void copy(Path log, LogQuery query, BooleanSupplier growing, OutputStream to)
            throws IOException {
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            boolean old =
                    query.since().isPresent()
                            && Files.getLastModifiedTime(log)
                                    .toInstant()
                                    .isBefore(query.since().get());
            file.seek(old ? file.length() : start(file, query.tailLines().orElse(-1L)));
            long left = query.limitBytes().orElse(Long.MAX_VALUE);
            boolean more = true;
            while (more && left > 0) {
                more = query.follow() && growing.getAsBoolean();
                left -= copy(file, left, to);
                if (more) {
                    LockSupport.parkNanos(LOOK.toNanos());
                }
            }
        }
    }

    private static long copy(RandomAccessFile file, long limit, OutputStream to)
            throws IOException {
        var chunk = new byte[CHUNK];
        long copied = 0;
        int read = 0;
        while (read >= 0 && copied < limit) {
            read = file.read(chunk, 0, (int) Math.min(CHUNK, limit - copied));
            if (read > 0) {
                to.write(chunk, 0, read);
                copied += read;
            }
        }
        to.flush();
        return copied;
    }

    /** Where the last lines begin; 0 for all lines, if {@code lines} is negative. */
    private static long start(RandomAccessFile file, long lines) throws IOException {
        if (lines < 0) {
            return 0;
        }
        // The newline at the very end closes the last line and begins none.
        long at = file.length() - 1;
        long found = 0;
        var chunk = new byte[CHUNK];
        while (at > 0 && lines > 0) {
            long from = Math.max(0, at - CHUNK);
            file.seek(from);
            file.readFully(chunk, 0, (int) (at - from));
            for (int i = (int) (at - from) - 1; i >= 0; i--) {
                if (chunk[i] == '\n' && ++found == lines) {
                    return from + i + 1;
                }
            }
            at = from;
        }
        return lines == 0 ? file.length() : 0;
    }
}
