package dev.muster.coordinator.stream;

import static org.apache.kafka.streams.StreamsConfig.consumerPrefix;
import static org.apache.kafka.streams.StreamsConfig.mainConsumerPrefix;
import static org.apache.kafka.streams.StreamsConfig.producerPrefix;
import static org.apache.kafka.streams.StreamsConfig.restoreConsumerPrefix;
import static org.apache.kafka.streams.StreamsConfig.topicPrefix;

import dev.muster.schemas.contract.Limits;
import dev.muster.streams.SharedRocksDbMemory;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Settings of the Kafka clients; what they are for was measured (see the decision records). What
 * the operator sets of Kafka stands, but for what exactly-once rests on.
 */
final class ClientProperties {
    /**
     * What was fetched of one pool keeps the others of its thread from being fetched; a larger
     * record still comes whole.
     */
    private static final int FAIR_FETCH = 128 * 1024;

    /**
     * Two heartbeats may be lost. By the answer to one of them the others learn that somebody is
     * gone.
     */
    private static final int HEARTBEATS_PER_SESSION = 4;

    private ClientProperties() {}

    static Properties streams(Map<String, ?> kafka, CoordinatorConfig config) {
        var properties = new Properties();
        properties.putAll(quick());
        kafka.forEach(properties::put);
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
        properties.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());
        properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
        properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.standbyReplicas());
        properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.commitInterval().toMillis());
        properties.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        properties.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        properties.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, SharedRocksDbMemory.class);
        // As the topics of the catalogue: the broker's clock may have been set back since.
        properties.put(
                topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG),
                String.valueOf(Long.MAX_VALUE));
        properties.put(
                producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
                (int) config.transactionTimeout().toMillis());
        int session = (int) config.sessionTimeout().toMillis();
        properties.put(consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), session);
        properties.put(
                consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
                session / HEARTBEATS_PER_SESSION);
        if (!config.instance().isEmpty()) {
            properties.put(
                    consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), config.instance());
        }
        return properties;
    }

    private static Map<String, Object> quick() {
        return Map.of(
                // With group.protocol=streams no standby started.
                StreamsConfig.GROUP_PROTOCOL_CONFIG,
                "classic",
                producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                Limits.REQUEST_BYTES,
                mainConsumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
                FAIR_FETCH,
                restoreConsumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
                Limits.REQUEST_BYTES);
    }

    /** For the time keeper: outside of every transaction. */
    static Map<String, Object> producer(Map<String, ?> kafka, CoordinatorConfig config) {
        var properties = new HashMap<String, Object>(kafka);
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, config.applicationId() + "-time-keeper");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PoolTime.RESEND.toMillis());
        properties.put(
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        properties.put(
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        return properties;
    }
}
