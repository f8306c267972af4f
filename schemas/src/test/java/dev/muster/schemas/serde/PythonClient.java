package dev.muster.schemas.serde;

import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.PartFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Confluent's own Python client, in an environment that is made once per machine and set of
 * versions.
 */
public final class PythonClient {
    private static final Duration ANSWERING = Duration.ofMinutes(2);

    private final Path python;
    private final Path script;

    /**
     * Finds or makes the environment.
     *
     * @param folder with {@code confluent_client.py} and {@code requirements.txt}
     * @throws PartFailedException when there is no Python 3 here, or its packages cannot be had
     */
    public PythonClient(Path folder) {
        script = folder.resolve("confluent_client.py").toAbsolutePath();
        var requirements = folder.resolve("requirements.txt");
        python = PythonEnvironment.of(requirements, List.of("--only-binary", ":all:"), Map.of());
    }

    /**
     * Runs the script and gives back the line of JSON that it prints.
     *
     * @throws PartFailedException with what the script said when it fails
     */
    public JsonNode run(String... arguments) {
        try {
            var output = Files.createTempFile("muster-python", ".log");
            try {
                var command =
                        concat(List.of(python.toString(), script.toString()), List.of(arguments));
                new Launch("python", command, Map.of(), output.getParent(), output).run(ANSWERING);
                return JsonMapper.shared().readTree(Files.readAllLines(output).getLast());
            } catch (PartFailedException e) {
                throw new PartFailedException(e.getMessage() + ":\n" + Files.readString(output), e);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> concat(List<String> head, List<String> tail) {
        var all = new ArrayList<>(head);
        all.addAll(tail);
        return all;
    }
}
