package dev.muster.schemas.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.schemas.Topic;
import dev.muster.schemas.serde.SchemaText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import tools.jackson.databind.json.JsonMapper;

/**
 * The versions of every record, one file each: {@code JobRequest/v1.avsc}. A release fixes them: it
 * writes their digests to {@code released.sha256}, and from then on they neither change nor go. The
 * newest version of a record is a draft until then and follows the source.
 */
final class SchemaHistory {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Path folder;

    /**
     * One file.
     *
     * @param number 1, 2, 3 …
     */
    record Version(int number, Path file, Schema schema) {}

    SchemaHistory(Path folder) {
        this.folder = folder;
    }

    /** Oldest first, as far as there is one after the other. */
    List<Version> versions(Topic<?> topic) throws IOException {
        var versions = new ArrayList<Version>();
        for (var number = 1; Files.exists(file(topic, number)); number++) {
            var file = file(topic, number);
            versions.add(new Version(number, file, new Schema.Parser().parse(file.toFile())));
        }
        return versions;
    }

    /** Every file of the history. */
    List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".avsc")).sorted().toList();
        }
    }

    /** Has the draft follow the source; begins a new version where the last one is released. */
    void follow(Topic<?> topic) throws IOException {
        var versions = versions(topic);
        var newest =
                versions.isEmpty() ? Optional.<Version>empty() : Optional.of(versions.getLast());
        if (newest.isPresent() && isSame(newest.get().schema(), current(topic))) {
            return;
        }
        var last = newest.map(Version::number).orElse(0);
        var isDraft = newest.isPresent() && !released().containsKey(name(newest.get().file()));
        var file = file(topic, isDraft ? last : last + 1);
        Files.createDirectories(file.getParent());
        var tree = JSON.readTree(SchemaText.of(current(topic)));
        Files.writeString(
                file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n");
    }

    /** Fixes every draft. */
    void release() throws IOException {
        var released = released();
        for (var file : files()) {
            if (!released.containsKey(name(file))) {
                Files.writeString(
                        releases(),
                        digest(file) + "  " + name(file) + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            }
        }
    }

    /** What was released: digest by file name. */
    Map<String, String> released() throws IOException {
        var released = new TreeMap<String, String>();
        if (Files.exists(releases())) {
            for (var line : Files.readAllLines(releases())) {
                var words = line.split("  ");
                released.put(words[1], words[0]);
            }
        }
        return released;
    }

    /** With docs, order and defaults: what a registry would call the same. */
    static boolean isSame(Schema a, Schema b) {
        return JSON.readTree(SchemaText.of(a)).equals(JSON.readTree(SchemaText.of(b)));
    }

    static Schema current(Topic<?> topic) {
        return SpecificData.get().getSchema(topic.value());
    }

    static String digest(Path file) throws IOException {
        try {
            var text = Files.readString(file);
            var sha = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(sha);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    private Path file(Topic<?> topic, int version) {
        return folder.resolve(topic.value().getSimpleName()).resolve("v" + version + ".avsc");
    }

    private Path releases() {
        return folder.resolve("released.sha256");
    }

    private String name(Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }
}
