package dev.muster.coordinator.history.explain;

import dev.muster.coordinator.history.log.TopicReader;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.v1.Decision;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/** What was decided, from topic decisions, found by when it was decided. */
final class Decisions implements AutoCloseable {
    private final TopicReader reader;
    private final AvroDeserializer<Decision> values = new AvroDeserializer<>(Decision.class);
    private final String pool;

    Decisions(Map<String, ?> kafka, String pool) {
        this(new TopicReader(kafka), kafka, pool);
    }

    /**
     * @param reader closed with this
     * @param kafka settings of the registry
     */
    Decisions(TopicReader reader, Map<String, ?> kafka, String pool) {
        this.reader = reader;
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

    /**
     * All of a queue between two moments, both included. Of the pools that share its partition each
     * goes by its own time, and any of them may be ahead: this one's says when to end, or another's
     * that is far behind what is asked for.
     */
    void each(String queue, Instant from, Instant to, Consumer<Decision> take) {
        var partition =
                new TopicPartition(
                        Topics.DECISIONS.name(), Partitions.ofKey(Topics.DECISIONS, queue));
        var records = reader.read(partition, reader.at(partition, from), reader.end(partition));
        long last = to.plus(TopicReader.AHEAD).toEpochMilli();
        while (records.hasNext()) {
            var in = records.next();
            if (in.timestamp() > last) {
                return;
            }
            var decision = values.deserialize(Topics.DECISIONS.name(), in.value());
            if (!decision.getPool().equals(pool)) {
                continue;
            }
            var at = decision.getEnvelope().getAt();
            if (at.isAfter(to)) {
                return;
            }
            if (decision.getQueue().equals(queue) && !at.isBefore(from)) {
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
