package dev.muster.admission.stream;

import dev.muster.admission.core.Queues;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.PoolState;
import dev.muster.v1.QueueState;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queues and pools as the coordinators publish them; one that cannot be read is not there. */
final class Shown implements Queues {
    private static final Logger LOG = LoggerFactory.getLogger(Shown.class);

    private final KeyValueStore<String, byte[]> queues;
    private final KeyValueStore<String, byte[]> pools;
    private final Codec codec;

    Shown(KeyValueStore<String, byte[]> queues, KeyValueStore<String, byte[]> pools, Codec codec) {
        this.queues = queues;
        this.pools = pools;
        this.codec = codec;
    }

    @Override
    public @Nullable Queue find(String name) {
        var queue = queue(name);
        var pool = queue == null ? null : pool(queue.getSpec().getPool());
        return queue == null || pool == null
                ? null
                : new Queue(
                        name,
                        pool.getName(),
                        pool.getNumber(),
                        queue.getWaiting(),
                        queue.getSpec().getMaxWaiting());
    }

    @Nullable String poolOf(String queue) {
        var state = queue(queue);
        return state == null ? null : state.getSpec().getPool();
    }

    /** The number of every pool, by name. */
    TreeMap<String, Integer> numbers() {
        var numbers = new TreeMap<String, Integer>();
        try (var all = pools.all()) {
            while (all.hasNext()) {
                var row = all.next();
                var pool = read(Topics.POOLS, row.key, row.value);
                if (pool != null) {
                    numbers.put(row.key, pool.getNumber());
                }
            }
        }
        return numbers;
    }

    private @Nullable QueueState queue(String name) {
        return read(Topics.QUEUES, name, queues.get(name));
    }

    private @Nullable PoolState pool(String name) {
        return read(Topics.POOLS, name, pools.get(name));
    }

    private <T extends SpecificRecord> @Nullable T read(
            Topic<T> topic, String key, byte @Nullable [] value) {
        try {
            return value == null ? null : codec.read(topic, value);
        } catch (UnreadableRecordException e) {
            LOG.atWarn()
                    .addKeyValue("topic", topic.name())
                    .addKeyValue("key", key)
                    .addKeyValue("why", e.getMessage())
                    .log("published state cannot be read");
            return null;
        }
    }
}
