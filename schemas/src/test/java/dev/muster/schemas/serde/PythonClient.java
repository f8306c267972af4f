package dev.muster.schemas.serde;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Confluent's own Python client, in an environment that is made once per machine and set of
 * versions.
 */
public final class PythonClient {
    private static final Duration INSTALLING = Duration.ofMinutes(4);
    private static final Duration ANSWERING = Duration.ofMinutes(2);

    private final Path python;
    private final Path script;

    /**
     * Finds or makes the environment.
     *
     * @param folder with {@code confluent_client.py} and {@code requirements.txt}
     * @throws PartFailed when there is no Python 3 here, or its packages cannot be had
     */
    public PythonClient(Path folder) {
        script = folder.resolve("confluent_client.py").toAbsolutePath();
        var requirements = folder.resolve("requirements.txt").toAbsolutePath();
        var environment = MadeOnce.cache().resolve("python-" + digest(requirements));
        MadeOnce.at(environment, unfinished -> install(requirements, unfinished));
        python = environment.resolve("bin").resolve("python3");
    }

    private static void install(Path requirements, Path into) throws IOException {
        var python =
                Executables.find("python3")
                        .orElseThrow(() -> new PartFailed("there is no python3 here"));
        Files.createDirectories(into);
        run(List.of(python.toString(), "-m", "venv", into.toString()), into, INSTALLING);
        var pip = List.of(into.resolve("bin/python3").toString(), "-m", "pip", "install", "-q");
        var what = List.of("--only-binary", ":all:", "-r", requirements.toString());
        run(concat(pip, what), into, INSTALLING);
    }

    /**
     * Runs the script and gives back the line of JSON that it prints.
     *
     * @throws PartFailed with what the script said when it fails
     */
    public JsonNode run(String... arguments) {
        try {
            var output = Files.createTempFile("muster-python", ".log");
            try {
                var command =
                        concat(List.of(python.toString(), script.toString()), List.of(arguments));
                new Launch("python", command, Map.of(), output.getParent(), output).run(ANSWERING);
                return JsonMapper.shared().readTree(Files.readAllLines(output).getLast());
            } catch (PartFailed e) {
                throw new PartFailed(e.getMessage() + ":\n" + Files.readString(output), e);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(List<String> command, Path folder, Duration limit) {
        new Launch("python", command, Map.of(), folder, folder.resolve("install.log")).run(limit);
    }

    private static List<String> concat(List<String> head, List<String> tail) {
        var all = new ArrayList<>(head);
        all.addAll(tail);
        return all;
    }

    private static String digest(Path file) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            var digest = sha.digest(Files.readString(file).getBytes(UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
