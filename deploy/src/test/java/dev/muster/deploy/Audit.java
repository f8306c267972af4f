package dev.muster.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The API server's audit log: who asked for what, and what was answered. */
final class Audit {
    private Audit() {}

    /** What was answered so far, of lines with this text in them. */
    static List<JsonNode> events(Path log, String text) {
        try {
            var all = Files.readString(log);
            // What is being written now has no end yet.
            return all.substring(0, all.lastIndexOf('\n') + 1)
                    .lines()
                    .filter(line -> line.contains(text))
                    .map(Audit::json)
                    .filter(event -> event.at("/stage").asText().equals("ResponseComplete"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode json(String line) {
        try {
            return Serialization.jsonMapper().readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }
}
