package dev.muster.sandbox.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogTailTest {
    private static final Instant NOW = Instant.parse("2100-01-01T00:00:00Z");

    @TempDir Path folder;
    private Path log;

    @BeforeEach
    void write() throws IOException {
        log = Files.writeString(folder.resolve("log"), "one\ntwo\nthree\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'',                          'one,two,three,'",
        "tailLines=0,                 ''",
        "tailLines=1,                 'three,'",
        "tailLines=2,                 'two,three,'",
        "tailLines=3,                 'one,two,three,'",
        "tailLines=9,                 'one,two,three,'",
        "limitBytes=5,                'one,t'",
        "tailLines=2&limitBytes=3,    'two'",
        "sinceSeconds=60,             ''",
        "sinceTime=2000-01-01T00:00:00Z, 'one,two,three,'",
        "timestamps=true&x=y,         'one,two,three,'",
    })
    void whatIsAskedForIsCopied(String query, String expected) throws IOException {
        assertThat(copy(query)).isEqualTo(expected.replace(',', '\n'));
    }

    @Test
    void aLastLineWithoutItsEndIsALine() throws IOException {
        Files.writeString(log, "one\ntwo");
        assertThat(copy("tailLines=1")).isEqualTo("two");
    }

    @Test
    void theEndIsFoundInALogOfManyChunks() throws IOException {
        Files.writeString(log, "x".repeat(100) + "\n" + "line of a log\n".repeat(20_000) + "end\n");
        assertThat(copy("tailLines=10001")).isEqualTo("line of a log\n".repeat(10_000) + "end\n");
        assertThat(copy("tailLines=20001")).hasSize(20_000 * 14 + 4);
        assertThat(copy("tailLines=20002")).startsWith("xxx");
    }

    @Test
    void theLastWordsOfAFollowedLogAreHeard() throws IOException {
        var words = new ArrayDeque<>(List.of("four\n", "five\n"));
        var heard = new ByteArrayOutputStream();
        LogTail.copy(
                log,
                query("follow=true&tailLines=1"),
                () -> {
                    append(words.removeFirst());
                    return !words.isEmpty();
                },
                heard);
        assertThat(heard).asString().isEqualTo("three\nfour\nfive\n");
    }

    private void append(String text) {
        try {
            Files.writeString(log, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String copy(String query) throws IOException {
        var out = new ByteArrayOutputStream();
        LogTail.copy(log, query(query), () -> false, out);
        return out.toString();
    }

    private static LogQuery query(String query) {
        return LogQuery.of(URI.create("/containerLogs/a/b/c?" + query), NOW);
    }
}
