package dev.muster.admission.stream;

import dev.muster.admission.core.Queues;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.Backend;
import dev.muster.v1.PoolState;
import dev.muster.v1.QueueState;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queues and pools as the coordinators publish them; one that cannot be read is not there. */
public final class PublishedSettings implements Queues {
    private static final Logger LOG = LoggerFactory.getLogger(PublishedSettings.class);

    private final ReadOnlyKeyValueStore<String, byte[]> queues;
    private final ReadOnlyKeyValueStore<String, byte[]> pools;
    private final Codec codec;

    PublishedSettings(
            ReadOnlyKeyValueStore<String, byte[]> queues,
            ReadOnlyKeyValueStore<String, byte[]> pools,
            Codec codec) {
        this.queues = queues;
        this.pools = pools;
        this.codec = codec;
    }

    @Override
    public @Nullable Queue find(String name) {
        var queue = queue(name);
        var pool = queue == null ? null : pool(queue.getSpec().getPool());
        return queue == null || pool == null ? null : toCore(queue, pool);
    }

    @Override
    public List<Queue> of(String pool) {
        var state = pool(pool);
        return state == null
                ? List.of()
                : queues().stream()
                        .filter(queue -> queue.getSpec().getPool().equals(pool))
                        .map(queue -> toCore(queue, state))
                        .toList();
    }

    @Override
    public @Nullable Set<String> priorityClasses(String pool) {
        var state = pool(pool);
        return state == null ? null : state.getSpec().getPriorityClasses().keySet();
    }

    @Override
    public boolean hasBackend(String pool) {
        var state = pool(pool);
        return state != null && state.getSpec().getBackend() != Backend.NONE;
    }

    private static Queue toCore(QueueState queue, PoolState pool) {
        var spec = queue.getSpec();
        return new Queue(
                queue.getName(),
                pool.getName(),
                pool.getNumber(),
                queue.getWaiting(),
                spec.getMaxWaiting(),
                spec.getDraining(),
                spec.getNamespaces(),
                spec.getLimit());
    }

    @Nullable String poolOf(String queue) {
        var state = queue(queue);
        return state == null ? null : state.getSpec().getPool();
    }

    /** The number of every pool, by name. */
    TreeMap<String, Integer> numbers() {
        var numbers = new TreeMap<String, Integer>();
        pools().forEach(pool -> numbers.put(pool.getName(), pool.getNumber()));
        return numbers;
    }

    /** Null: there is none. */
    public @Nullable QueueState queue(String name) {
        return read(Topics.QUEUES, name, queues.get(name));
    }

    /** Null: there is none. */
    public @Nullable PoolState pool(String name) {
        return read(Topics.POOLS, name, pools.get(name));
    }

    /** All of them, by name. */
    public List<QueueState> queues() {
        return all(Topics.QUEUES, queues);
    }

    /** All of them, by name. */
    public List<PoolState> pools() {
        return all(Topics.POOLS, pools);
    }

    private <T extends SpecificRecord> List<T> all(
            Topic<T> topic, ReadOnlyKeyValueStore<String, byte[]> store) {
        var found = new TreeMap<String, T>();
        try (var all = store.all()) {
            while (all.hasNext()) {
                var row = all.next();
                var state = read(topic, row.key, row.value);
                if (state != null) {
                    found.put(row.key, state);
                }
            }
        }
        return List.copyOf(found.values());
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
