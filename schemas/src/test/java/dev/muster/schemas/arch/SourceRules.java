package dev.muster.schemas.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What holds for the sources under {@code src} of a module; a test class of the module extends it.
 */
public abstract class SourceRules {
    private static final int MOST_LINES = 400;

    @Test
    void noSourceFileIsLongerThanFourHundredLines() throws IOException {
        assertThat(tooLong(Path.of("src"))).isEmpty();
    }

    static List<Path> tooLong(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> lines(file) > MOST_LINES)
                    .toList();
        }
    }

    private static long lines(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
