package dev.muster.coordinator.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.streams.PacedClients;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** The inbox, one processor per partition with two stores, and the topics it writes. */
final class InboxTopology {
    private static final String SOURCE = "inbox";
    private static final String PROCESSOR = "pool";

    /** Where outputs are partitioned by what their key says, but for the parked. */
    private static final List<Topic<?>> KEYED =
            List.of(
                    Topics.REQUEST_RESULTS,
                    Topics.JOB_PLANS,
                    Topics.JOB_STATUS,
                    Topics.JOB_EVENTS,
                    Topics.DECISIONS,
                    Topics.QUEUES,
                    Topics.POOLS);

    /**
     * A changelog is read whole at a takeover, so it is kept short. Most of it are rows that change
     * with every event.
     */
    private static final Map<String, String> CHANGELOG =
            Map.of(
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                    Integer.toString(4 * 1024 * 1024),
                    TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                    "0.2",
                    TopicConfig.SEGMENT_MS_CONFIG,
                    "600000",
                    TopicConfig.SEGMENT_BYTES_CONFIG,
                    Integer.toString(32 * 1024 * 1024));

    /** Keys with a uid go by the name alone. */
    private static final StreamPartitioner<byte[], byte[]> BY_KEY =
            (_, key, _, partitions) ->
                    Optional.of(Set.of(Partitions.ofKey(new String(key, UTF_8), partitions)));

    private InboxTopology() {}

    static Topology of(PoolHost.Shared shared, PacedClients clients) {
        var bytes = new ByteArraySerializer();
        var topology = new Topology();
        topology.addSource(
                        AutoOffsetReset.earliest(),
                        SOURCE,
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer(),
                        Topics.INBOX.name())
                .addProcessor(PROCESSOR, () -> new InboxProcessor(shared, clients), SOURCE)
                // What many records of one transaction change is written once, with the commit.
                .addStateStore(
                        store(Stores.inMemoryKeyValueStore(Rows.STORE)).withCachingEnabled(),
                        PROCESSOR)
                .addStateStore(
                        store(Stores.persistentKeyValueStore(Specs.STORE)).withCachingDisabled(),
                        PROCESSOR)
                .addSink(Topics.PARKED.name(), Topics.PARKED.name(), bytes, bytes, PROCESSOR);
        for (var topic : KEYED) {
            topology.addSink(topic.name(), topic.name(), bytes, bytes, BY_KEY, PROCESSOR);
        }
        return topology;
    }

    private static StoreBuilder<KeyValueStore<String, byte[]>> store(
            KeyValueBytesStoreSupplier supplier) {
        return Stores.keyValueStoreBuilder(supplier, Serdes.String(), Serdes.ByteArray())
                .withLoggingEnabled(CHANGELOG);
    }
}
