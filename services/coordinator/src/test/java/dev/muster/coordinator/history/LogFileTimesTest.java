package dev.muster.coordinator.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log whose broker's clock was ahead for two records, and was set right. */
class LogFileTimesTest {
    private static final long[] APPENDED = {10, 20, 200, 201, 30, 31, 40, 300};

    @TempDir private Path folder;
    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("log");
        try (var out = new LogFile.Writer(file, 4)) {
            for (int i = 0; i < APPENDED.length; i++) {
                out.write(new InboxRecord(1, 5 + i, Instant.ofEpochSecond(APPENDED[i]), null));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"9,4", "10,6", "25,7", "35,11", "40,12", "150,12", "200,12", "299,12", "300,13"})
    void timeIsAtTheLastRecordThatWasAppendedByThen(long seconds, long behind) throws IOException {
        try (var log = LogFile.open(file)) {
            assertThat(log.upTo(Instant.ofEpochSecond(seconds))).isEqualTo(behind);
        }
    }

    @Test
    void partOfALogEndsBeforeAnOffset() throws IOException {
        try (var log = LogFile.open(file)) {
            var offsets = new ArrayList<Long>();
            log.between(6, 9).forEachRemaining(in -> offsets.add(in.offset()));
            assertThat(offsets).containsExactly(6L, 7L, 8L);
        }
    }
}
