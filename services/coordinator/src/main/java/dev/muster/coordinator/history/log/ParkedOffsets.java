package dev.muster.coordinator.history.log;

import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import java.time.Instant;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** Which inbox records the coordinator parked, from topic decisions: a copy passes them over. */
public final class ParkedOffsets {
    private ParkedOffsets() {}

    /**
     * Those that were parked since a moment of the pool's time.
     *
     * @param kafka settings of a client, those of the registry among them
     * @param number of the pool
     */
    public static SortedSet<Long> read(
            Map<String, ?> kafka, String pool, int number, Instant since) {
        var offsets = new TreeSet<Long>();
        try (var reader = new TopicReader(kafka);
                var values = new AvroDeserializer<>(Decision.class)) {
            values.configure(kafka, false);
            // Under the pool's name or, as long as it had none, under none.
            var partitions =
                    Stream.of(pool, "")
                            .map(key -> Partitions.ofKey(Topics.DECISIONS, key))
                            .distinct()
                            .map(p -> new TopicPartition(Topics.DECISIONS.name(), p))
                            .toList();
            TopicReader.written(kafka, partitions)
                    .forEach((partition, end) -> {
                        var records = reader.read(partition, reader.at(partition, since), end);
                        while (records.hasNext()) {
                            add(values, records.next().value(), number, offsets);
                        }
                    });
        }
        return offsets;
    }

    private static void add(
            AvroDeserializer<Decision> values, byte[] value, int number, SortedSet<Long> offsets) {
        var decision = values.deserialize(Topics.DECISIONS.name(), value);
        if (decision.getKind() == DecisionKind.PARKED
                && decision.getParked() != null
                && decision.getEnvelope().getId().startsWith(number + "-")) {
            offsets.add(decision.getParked().getOffset());
        }
    }
}
