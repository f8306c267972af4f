package dev.muster.sandbox.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Consumer;

/**
 * Where parts run.
 *
 * @param folder has {@code logs/} with one file per part and {@code data/} with one folder per part
 * @param durable whether what the parts keep must survive their restart
 */
public record Place(Path folder, Keeper keeper, boolean durable, Progress progress) {

    public Path log(String part) {
        return made(folder.resolve("logs")).resolve(part + ".log");
    }

    /** The part's folder, made now if it is not there. Data is for its owner only: it has keys. */
    public Path data(String part) {
        return made(made(folder.resolve("data")).resolve(part));
    }

    /**
     * A JVM's flag for what it unpacks and makes for a while: a folder of the part's own, which is
     * emptied before each start. A JVM that is killed leaves such files behind; in the machine's
     * folder they would stay for good.
     */
    public String temporaryFiles(String part) {
        return "-Djava.io.tmpdir=" + made(temporary(part)).toAbsolutePath();
    }

    private Path temporary(String part) {
        return data(part).resolve("tmp");
    }

    /**
     * The port that the part has for this use, or gets now.
     *
     * @throws PartFailedException when the part does not run and another process has its port
     */
    public int port(String part, String use) {
        return keeper.port(part, use);
    }

    /**
     * The part's process: the one that runs already, or one that is started now.
     *
     * @throws PartFailedException when the program is not there
     */
    public PartProcess start(Launch launch) {
        return keeper.running(launch.part())
                .orElseGet(() -> {
                    emptyTemporaryFiles(launch.part());
                    return PartProcess.of(launch, launch.spawn(keeper::keep));
                });
    }

    private void emptyTemporaryFiles(String part) {
        var folder = temporary(part);
        if (Files.exists(folder)) {
            try {
                MadeOnce.remove(folder);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot empty " + folder, e);
            }
            made(folder);
        }
    }

    /**
     * The same, but a process that was started as something else, an older build or with other
     * settings, makes way for the one that is wanted now, and the progress says so.
     *
     * @param end how it is ended
     * @throws PartFailedException when the program is not there
     */
    public PartProcess renew(Launch launch, Consumer<PartProcess> end) {
        keeper.running(launch.part())
                .filter(process -> !process.launch().equals(launch.digest()))
                .ifPresent(process -> {
                    progress.say(
                            launch.part()
                                    + " runs from an older build or other settings: starting it"
                                    + " anew");
                    end.accept(process);
                });
        return start(launch);
    }

    private static Path made(Path folder) {
        try {
            Files.createDirectories(folder);
            return Files.setPosixFilePermissions(
                    folder, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the folder " + folder, e);
        }
    }
}
