package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.replay.Finding;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log of which core 1 decided the first half and core 2, which compares, the second. */
class ReplayTest {
    private static final String OURS = "ml/j2@3-2";

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;

    /** How many records were sent, and how many published, by core 1. */
    private int sent;

    private int published;

    @BeforeEach
    void play() {
        stage.with(1);
        decides("1", "j1", 1);
        sent = stage.records().size();
        published = stage.published.size();
        decides("2", "j2", 2);
    }

    private void decides(String version, String name, int uid) {
        stage.upgrade(version);
        stage.tellTime();
        stage.send(submitted(job(name, uid), workers(1)));
        again.run(job(name, uid), Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        again.close();
    }

    @Test
    void onlyWhatTheSameVersionDecidedIsCompared() {
        var result = again.replayed(Instant.EPOCH, stage.published, "2");
        assertThat(result.findings()).allMatch(Finding.OtherVersion.class::isInstance).hasSize(2);
        assertThat(result.byOthers()).isPositive();
        assertThat(result.same()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {OURS, "ml/other@3-9"})
    void whatOnlyAnotherVersionPublishedIsNoDifference(String key) {
        var before = again.replayed(Instant.EPOCH, stage.published, "2");
        var more = new ArrayList<>(stage.published);
        more.add(published, event(key, sent - 1));

        var result = again.replayed(Instant.EPOCH, more, "2");

        assertThat(result.findings()).isEqualTo(before.findings());
        assertThat(result.byOthers()).isEqualTo(before.byOthers() + 1);
    }

    @Test
    void whatOnlyTheSameVersionPublishedIsADifference() {
        var more = new ArrayList<>(stage.published);
        more.add(event(OURS, stage.records().size() - 1));

        var result = again.replayed(Instant.EPOCH, more, "2");

        assertThat(result.differences()).isEqualTo(1);
        assertThat(result.findings().getLast()).isInstanceOf(Finding.NotReplayed.class);
    }

    /** One that no replay makes, though it came of this record. */
    private Stage.Published event(String key, long offset) {
        var envelope = InboxRecords.envelope(Stage.POOL + "-" + offset + "/999");
        envelope.setActor("coordinator");
        var value =
                JobEvent.newBuilder()
                        .setEnvelope(envelope)
                        .setKind(JobEventKind.MOVED)
                        .setJob(job("other", 9))
                        .build();
        var bytes = stage.wire.bytes(Topics.JOB_EVENTS, value);
        return new Stage.Published(
                Topics.JOB_EVENTS.name(),
                new Record<>(key.getBytes(UTF_8), bytes, Stage.NOON.toEpochMilli()));
    }
}
