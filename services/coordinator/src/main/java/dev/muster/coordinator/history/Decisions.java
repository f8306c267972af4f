package dev.muster.coordinator.history;

import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.v1.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/** What was decided, from topic decisions, found by when it was decided. */
final class Decisions implements AutoCloseable {
    /** Other pools that write into the same partition may be so far behind. */
    private static final Duration APART = Duration.ofMinutes(1);

    private final TopicReader reader;
    private final AvroDeserializer<Decision> values = new AvroDeserializer<>(Decision.class);
    private final String pool;

    Decisions(Map<String, ?> kafka, String pool) {
        reader = new TopicReader(kafka);
        values.configure(kafka, false);
        this.pool = pool;
    }

    /** The last one of a moment that is meant. */
    Optional<Decision> at(String queue, Instant moment, Predicate<Decision> meant) {
        var found = new Decision[1];
        each(
                queue,
                moment,
                moment,
                decision -> {
                    if (decision.getEnvelope().getAt().equals(moment) && meant.test(decision)) {
                        found[0] = decision;
                    }
                });
        return Optional.ofNullable(found[0]);
    }

    /** All of a queue between two moments, both included. */
    void each(String queue, Instant from, Instant to, Consumer<Decision> take) {
        var partition =
                new TopicPartition(
                        Topics.DECISIONS.name(), Partitions.ofKey(Topics.DECISIONS, queue));
        var records = reader.read(partition, reader.at(partition, from), reader.end(partition));
        while (records.hasNext()) {
            var in = records.next();
            if (in.timestamp() > to.plus(APART).toEpochMilli()) {
                return;
            }
            var decision = values.deserialize(Topics.DECISIONS.name(), in.value());
            var at = decision.getEnvelope().getAt();
            if (decision.getPool().equals(pool)
                    && decision.getQueue().equals(queue)
                    && !at.isBefore(from)
                    && !at.isAfter(to)) {
                take.accept(decision);
            }
        }
    }

    @Override
    public void close() {
        reader.close();
        values.close();
    }
}
