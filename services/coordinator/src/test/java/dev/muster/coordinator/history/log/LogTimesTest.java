package dev.muster.coordinator.history.log;

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

    private final PretendedTopics topics = new PretendedTopics();
    private final PretendedTopics singles = new PretendedTopics(1);

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

    private void append(long millis) {
        topics.add(INBOX, "pool", millis, new byte[0]);
        singles.add(INBOX, "pool", millis, new byte[0]);
    }

    private InboxTopic log() {
        var patience = new Patience(Duration.ofSeconds(10));
        return new InboxTopic(
                new TopicReader(topics, patience),
                () -> new TopicReader(singles, patience),
                INBOX.partition());
    }

    /** One record each tenth of a second of five hours. */
    private void appendHours(long aheadFrom, long aheadTo, Duration ahead) {
        for (long i = 0; i < 180_000; i++) {
            append(i * 100 + (i >= aheadFrom && i < aheadTo ? ahead.toMillis() : 0));
        }
    }

    @Test
    void littleIsReadWhereNoClockWasSetBack() {
        appendHours(0, 0, Duration.ZERO);
        try (var log = log()) {
            assertThat(log.upTo(Instant.ofEpochSecond(10))).isEqualTo(101);
        }
        assertThat(topics.read()).isLessThan(7_000);
        assertThat(singles.read()).isLessThan(200);
    }

    /** Ahead from the third minute on, asked for when it had been set right for some seconds. */
    @ParameterizedTest
    @CsvSource({"3,180", "60,180", "3600,180", "600,10", "60,3", "13000,20"})
    void clockThatWasAheadForALongTimeIsAllowedFor(long seconds, long ahead) {
        appendHours(1_800, 1_800 + seconds * 10, Duration.ofMinutes(ahead).plusSeconds(seconds));
        var asked = Instant.ofEpochSecond(180 + seconds + 5);
        try (var log = log()) {
            assertThat(log.upTo(asked)).isEqualTo(1_800 + seconds * 10 + 51);
        }
        assertThat(topics.read()).isLessThan(20_000);
        assertThat(singles.read()).isLessThan(200);
    }

    /** Ahead by twenty minutes for five, in the first of which more comes than in hours after. */
    @Test
    void clockThatWasAheadWhileMuchCameIsAllowedForThoughLittleComesAfter() {
        long ahead = Duration.ofMinutes(20).toMillis();
        for (int i = 0; i < 600; i++) {
            append(i * 100L);
        }
        for (int i = 0; i < 40_000; i++) {
            append(60_000 + i * 3L / 2 + ahead);
        }
        for (int second = 120; second < 4 * 3_600; second++) {
            append(second * 1_000L + (second < 360 ? ahead : 0));
        }
        try (var log = log()) {
            assertThat(log.upTo(Instant.ofEpochSecond(480))).isEqualTo(600 + 40_000 + 361);
        }
    }

    @ParameterizedTest
    @CsvSource({"9,0", "10,0", "15,1", "100,2", "200,2", "201,3", "300,7", "301,8"})
    void firstRecordOfATimeIsTheFirstThatIsNotEarlier(long seconds, long first) throws IOException {
        for (long appended : APPENDED) {
            append(appended * 1_000);
        }
        try (var topic = log();
                var log = LogFile.open(file)) {
            assertThat(topic.since(Instant.ofEpochSecond(seconds))).isEqualTo(first);
            assertThat(log.since(Instant.ofEpochSecond(seconds))).isEqualTo(first + 5);
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
        for (long appended : APPENDED) {
            append(appended * 1_000);
        }
        try (var log = log()) {
            assertThat(log.upTo(Instant.ofEpochSecond(seconds))).isEqualTo(behind);
        }
    }

    /** Nobody reads all of a log to find out that nothing was set back. */
    @Test
    void clockThatWasAheadByTooMuchIsNotAllowedFor() {
        for (int hour : new int[] {1, 6, 2, 7}) {
            append(hour * 3_600_000L);
        }
        try (var log = log()) {
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
