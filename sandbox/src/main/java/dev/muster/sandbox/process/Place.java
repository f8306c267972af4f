package dev.muster.sandbox.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where and how long a part runs.
 *
 * @param folder has {@code logs/} with one file per part and {@code data/} with one folder per part
 * @param durable whether what the parts keep must survive their restart
 */
public record Place(Path folder, Lifetime lifetime, boolean durable, Progress progress) {

    public Path log(String part) {
        return made(folder.resolve("logs")).resolve(part + ".log");
    }

    public Path data(String part) {
        return made(folder.resolve("data").resolve(part));
    }

    private static Path made(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the folder " + folder, e);
        }
    }
}
