package dev.muster.coordinator.history.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.v1.PoolState;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** Which inbox partition is whose, from topic pools. */
public final class PoolNumbers {
    private PoolNumbers() {}

    /**
     * All pools that there are, by name.
     *
     * @param kafka settings of a client, those of the registry among them
     */
    public static SortedMap<String, Integer> read(Map<String, ?> kafka) {
        var numbers = new TreeMap<String, Integer>();
        var partition = new TopicPartition(Topics.POOLS.name(), 0);
        try (var reader = new TopicReader(kafka);
                var values = new AvroDeserializer<>(PoolState.class)) {
            values.configure(kafka, false);
            var records =
                    reader.read(partition, reader.beginning(partition), reader.end(partition));
            while (records.hasNext()) {
                var in = records.next();
                var name = new String(in.key(), UTF_8);
                if (in.value() == null) {
                    numbers.remove(name);
                } else {
                    var pool = values.deserialize(Topics.POOLS.name(), in.value());
                    numbers.put(name, pool.getNumber());
                }
            }
        }
        return numbers;
    }
}
