package dev.muster.sandbox.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What to start.
 *
 * @param part its name in messages and in the state file
 * @param environment added to this JVM's own
 * @param folder the working folder
 * @param log takes output and errors, at its end
 */
public record Launch(
        String part, List<String> command, Map<String, String> environment, Path folder, Path log) {
    /** A process that nobody knows of yet does nothing: the shell waits for a word. */
    private static final String WAIT_FOR_THE_WORD = "read -r go || exit 1; exec \"$@\" </dev/null";

    public Launch {
        if (!command.getFirst().contains("/")) {
            throw new IllegalArgumentException("name the program's file: " + command);
        }
        command = List.copyOf(command);
        environment = new TreeMap<>(environment);
    }

    public Launch(String part, List<String> command, Place place) {
        this(part, command, Map.of(), place.data(part), place.log(part));
    }

    /** Tells two launches apart: another command, or another environment. */
    String digest() {
        var all = new ArrayList<>(command);
        environment.forEach((name, value) -> all.add(name + "=" + value));
        return ShortDigest.of(all.stream().map(word -> word + "\0").collect(Collectors.joining()));
    }

    /**
     * Runs the program to its end.
     *
     * @throws PartFailedException when it is not there, fails, or has not ended within the limit
     */
    public void run(Duration limit) {
        var watchdog = Watchdog.get();
        var process = spawn(started -> watchdog.killAfterwards(started.pid()));
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new PartFailedException(
                        part + " did not end within " + limit.toSeconds() + " s; see " + log);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new PartFailedException("interrupted while waiting for " + part, e);
        } finally {
            watchdog.forget(process.pid());
        }
        if (process.exitValue() != 0) {
            throw new PartFailedException(
                    part + " failed with exit code " + process.exitValue() + "; see " + log);
        }
    }

    /** Starts the program as soon as the keeper has heard of its process. */
    Process spawn(Consumer<PartProcess> keeper) {
        var shell = new ArrayList<>(List.of("sh", "-c", WAIT_FOR_THE_WORD, part));
        shell.addAll(command);
        var builder =
                new ProcessBuilder(Executables.apart(shell))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            var process = builder.start();
            keeper.accept(PartProcess.of(this, process));
            try (var word = process.getOutputStream()) {
                word.write("go\n".getBytes(StandardCharsets.US_ASCII));
            }
            return process;
        } catch (IOException e) {
            throw new PartFailedException("cannot start " + part + ": " + e.getMessage(), e);
        }
    }
}
