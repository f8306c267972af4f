package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.replay.Finding;
import dev.muster.coordinator.history.replay.Replay;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.v1.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a log beside which one published record was tampered with. */
class ReplayFindingsTest {
    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;
    private final AvroDeserializer<JobEvent> events = new AvroDeserializer<>(JobEvent.class);

    /** All that was published, and where in it the events of jobs are. */
    private List<Stage.Published> published;

    private List<Integer> places;

    /** What is said where nothing was. */
    private Replay.Result before;

    @BeforeEach
    void play() {
        events.configure(stage.registryConfig(), false);
        stage.with(1);
        stage.send(submitted(job("j", 1), workers(1)));
        again.run(job("j", 1), Duration.ofMinutes(1));
        stage.send(submitted(job("k", 2), workers(1)));
        published = new ArrayList<>(stage.published);
        places = places(Topics.JOB_EVENTS);
        before = replay();
        assertThat(before.findings()).isEmpty();
        assertThat(before.isSame()).isTrue();
    }

    @AfterEach
    void close() {
        events.close();
        again.close();
    }

    @Test
    void whatSaysSomethingElseDiffers() {
        int place = places.get(1);
        var id = id(place);
        published.set(place, altered(place, event -> event.getMoved().setReason("Forged")));

        var result = replay();

        assertThat(result.isSame()).isFalse();
        assertThat(result.differences()).isEqualTo(1);
        assertThat(result.same()).isEqualTo(before.same() - 1);
        var differs = (Finding.Differs) only(result);
        assertThat(differs.id()).isEqualTo(id);
        assertThat(differs.topic()).isEqualTo(Topics.JOB_EVENTS.name());
        assertThat(id).startsWith("%d-%d/".formatted(Stage.POOL, differs.offset()));
        assertThat(differs.published()).contains("Forged");
        assertThat(differs.replayed()).doesNotContain("Forged");
    }

    @Test
    void whatIsNotThereWasNotPublished() {
        int place = places.get(1);
        var id = id(place);
        published.remove(place);

        var result = replay();

        assertThat(result.isSame()).isFalse();
        assertThat(result.differences()).isEqualTo(1);
        assertThat(result.same()).isEqualTo(before.same() - 1);
        assertThat(((Finding.NotPublished) only(result)).id()).isEqualTo(id);
    }

    /** A topic that keeps only the newest of a key may have dropped it. */
    @Test
    void whatIsNotThereOfATopicThatIsCompactedMayHaveBeenCleanedAway() {
        published.remove((int) places(Topics.JOB_STATUS).get(1));

        var result = replay();

        assertThat(result.isSame()).isTrue();
        assertThat(result.findings()).isEmpty();
        assertThat(result.cleanedAway()).isEqualTo(before.cleanedAway() + 1);
    }

    /** Whether more of its partition is asked for afterwards, or not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatTheLogDoesNotLeadToWasNotReplayed(boolean atTheEnd) {
        int place = atTheEnd ? places.getLast() : places.get(1);
        var id = id(place).replaceAll("/.*", "/999");
        published.add(place + 1, altered(place, event -> event.getEnvelope().setId(id)));

        var result = replay();

        assertThat(result.isSame()).isFalse();
        assertThat(result.differences()).isEqualTo(1);
        assertThat(result.same()).isEqualTo(before.same());
        assertThat(((Finding.NotReplayed) only(result)).id()).isEqualTo(id);
    }

    private Replay.Result replay() {
        return again.replayed(Instant.EPOCH, published, "");
    }

    private static Finding only(Replay.Result result) {
        assertThat(result.findings()).hasSize(1);
        return result.findings().getFirst();
    }

    private List<Integer> places(Topic<?> topic) {
        return IntStream.range(0, published.size())
                .filter(i -> published.get(i).topic().equals(topic.name()))
                .boxed()
                .toList();
    }

    private JobEvent event(int place) {
        return events.deserialize(Topics.JOB_EVENTS.name(), published.get(place).record().value());
    }

    private String id(int place) {
        return event(place).getEnvelope().getId();
    }

    private Stage.Published altered(int place, Consumer<JobEvent> change) {
        var event = event(place);
        change.accept(event);
        var record = published.get(place).record();
        var bytes = stage.wire.bytes(Topics.JOB_EVENTS, event);
        return new Stage.Published(
                Topics.JOB_EVENTS.name(), new Record<>(record.key(), bytes, record.timestamp()));
    }
}
