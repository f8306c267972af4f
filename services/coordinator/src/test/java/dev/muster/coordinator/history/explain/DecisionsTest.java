package dev.muster.coordinator.history.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.log.Patience;
import dev.muster.coordinator.history.log.PretendedTopics;
import dev.muster.coordinator.history.log.TopicReader;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.schemas.serde.FakeRegistry;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.Envelope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pools whose queues share a partition of topic decisions, each with a time of its own. */
class DecisionsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final FakeRegistry registry = new FakeRegistry();
    private final PretendedTopics topics = new PretendedTopics();

    @AfterEach
    void close() {
        registry.close();
    }

    /** Under the same queue's name: so it is in the same partition. */
    private void decided(String pool, Instant at) {
        var decision =
                Decision.newBuilder()
                        .setEnvelope(
                                Envelope.newBuilder()
                                        .setId(pool + "/" + at)
                                        .setAt(at)
                                        .setActor("coordinator")
                                        .build())
                        .setKind(DecisionKind.STARTED)
                        .setPool(pool)
                        .setQueue("research")
                        .build();
        try (var serializer = new AvroSerializer<Decision>()) {
            serializer.configure(registry.config(), false);
            topics.add(
                    Topics.DECISIONS,
                    "research",
                    at.toEpochMilli(),
                    serializer.serialize(Topics.DECISIONS.name(), decision));
        }
    }

    private List<Instant> found(Instant from, Instant to) {
        var found = new ArrayList<Instant>();
        try (var decisions =
                new Decisions(
                        new TopicReader(topics, new Patience(Duration.ofSeconds(10))),
                        registry.config(),
                        "a")) {
            decisions.each("research", from, to, one -> found.add(one.getEnvelope().getAt()));
        }
        return found;
    }

    @Test
    void poolWhoseTimeIsAheadHidesNoDecisionOfAnother() {
        decided("a", NOON);
        decided("b", NOON.plus(Duration.ofHours(3)));
        decided("a", NOON.plusSeconds(1));
        decided("b", NOON.plus(Duration.ofHours(4)));
        decided("a", NOON.plusSeconds(2));
        decided("a", NOON.plusSeconds(3));

        assertThat(found(NOON.plusSeconds(1), NOON.plusSeconds(2)))
                .containsExactly(NOON.plusSeconds(1), NOON.plusSeconds(2));
    }

    /** A queue that has nothing to decide any more must not have all of its partition read. */
    @Test
    void nothingIsReadFarBehindWhatIsAskedForThoughThePoolSaysNothingMore() {
        decided("a", NOON);
        decided("b", NOON.plus(TopicReader.AHEAD));
        decided("a", NOON.plusSeconds(1));
        decided("b", NOON.plusSeconds(2).plus(TopicReader.AHEAD));
        topics.add(
                Topics.DECISIONS, "research", NOON.plusSeconds(3).toEpochMilli(), new byte[] {9});

        assertThat(found(NOON, NOON.plusSeconds(1))).containsExactly(NOON, NOON.plusSeconds(1));
    }
}
