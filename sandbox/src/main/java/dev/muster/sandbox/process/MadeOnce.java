package dev.muster.sandbox.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** Files and folders that take long to make, made once per machine: whole, or not there. */
public final class MadeOnce {
    private MadeOnce() {}

    /** Makes a file or a folder at the given path, which is not there yet, beside its target. */
    @FunctionalInterface
    public interface Maker {
        void make(Path unfinished) throws IOException;
    }

    /** The folder of all that is made once, {@code ~/.cache/muster}. */
    public static Path cache() {
        return Path.of(System.getProperty("user.home"), ".cache", "muster");
    }

    /**
     * The target, made now if it is not there. Others who want it at the same time, in whatever
     * process, wait.
     *
     * @throws PartFailedException when making it fails; nothing is then left at the target
     */
    public static Path at(Path target, Maker maker) {
        if (Files.exists(target)) {
            return target;
        }
        try {
            return Locked.by(
                    sibling(target, ".lock"),
                    () -> {
                        if (!Files.exists(target)) {
                            make(target, maker);
                        }
                        return target;
                    });
        } catch (IOException e) {
            throw new PartFailedException("cannot make " + target + ": " + e.getMessage(), e);
        }
    }

    private static void make(Path target, Maker maker) throws IOException {
        var unfinished = sibling(target, ".unfinished");
        remove(unfinished);
        maker.make(unfinished);
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Path sibling(Path target, String ending) {
        return target.resolveSibling(target.getFileName() + ending);
    }

    /** Removes a file, or a folder with all in it; nothing happens where nothing is. */
    public static void remove(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
