package dev.muster.sandbox.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Work that only one thread of one process on this machine does at a time. */
public final class Locked {
    /** A file lock is the whole JVM's, so threads need one of their own. */
    private static final Map<Path, Lock> LOCKS = new ConcurrentHashMap<>();

    private Locked() {}

    /** Work that may meet trouble with files. */
    @FunctionalInterface
    public interface Work<T> {
        T get() throws IOException;
    }

    /**
     * Does the work while holding the file's lock; the file is made if it is not there.
     *
     * @throws IOException what the work throws, or when the file cannot be locked
     */
    public static <T> T by(Path file, Work<T> work) throws IOException {
        var key = file.toAbsolutePath().normalize();
        var lock = LOCKS.computeIfAbsent(key, _ -> new ReentrantLock());
        lock.lock();
        try {
            var parent = key.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            try (var channel =
                            FileChannel.open(
                                    key, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var _ = channel.lock()) {
                return work.get();
            }
        } finally {
            lock.unlock();
        }
    }
}
