package dev.muster.coordinator.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log whose broker's clock was ahead for two records, and was set right. */
class LogTimesTest {
    private static final long[] APPENDED = {10, 20, 200, 201, 30, 31, 40, 300};

    private static final TopicPartition INBOX = new TopicPartition(Topics.INBOX.name(), 3);

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

    @ParameterizedTest
    @CsvSource({"9,0", "10,1", "25,2", "35,6", "40,7", "150,7", "200,7", "299,7", "300,8"})
    void soItIsInTheTopic(long seconds, long behind) {
        var topics = new PretendedTopics();
        for (long appended : APPENDED) {
            topics.add(INBOX, "pool", appended * 1_000, new byte[0]);
        }
        try (var log =
                new InboxTopic(
                        new TopicReader(topics, new Patience(Duration.ofSeconds(10))),
                        INBOX.partition())) {
            assertThat(log.upTo(Instant.ofEpochSecond(seconds))).isEqualTo(behind);
        }
    }

    /** Nobody reads all of a log to find out that nothing was set back. */
    @Test
    void clockThatWasAheadByTooMuchIsNotAllowedFor() {
        var topics = new PretendedTopics();
        for (int hour : new int[] {1, 6, 2, 7}) {
            topics.add(INBOX, "pool", hour * 3_600_000L, new byte[0]);
        }
        try (var log =
                new InboxTopic(
                        new TopicReader(topics, new Patience(Duration.ofSeconds(10))),
                        INBOX.partition())) {
            assertThat(log.upTo(Instant.ofEpochSecond(2 * 3_600))).isEqualTo(1);
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
