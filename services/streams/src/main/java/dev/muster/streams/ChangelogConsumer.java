package dev.muster.streams;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads changelogs: those of standbys as they are written, and those of tasks that are taken over
 * to their ends, which somebody waits for.
 */
final class ChangelogConsumer extends KafkaConsumer<byte[], byte[]> {
    /**
     * A broker holds a request back for so long while there is nothing new, and what is read anew
     * meanwhile is asked for only then: half a second by default, which a takeover waited for twice
     * (measured, 2026-11-27). A standby of which nothing changes asks ten times a second for it.
     */
    private static final int LONGEST_FETCH_MILLIS = 100;

    private final Haste haste = new Haste(System::nanoTime);

    /**
     * @param config what it says of {@code fetch.max.wait.ms} counts
     */
    ChangelogConsumer(Map<String, Object> config) {
        super(prompt(config), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Those settings with a broker that answers soon. */
    static Map<String, Object> prompt(Map<String, Object> config) {
        var prompt = new HashMap<>(config);
        prompt.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, LONGEST_FETCH_MILLIS);
        return prompt;
    }

    @Override
    public void assign(Collection<TopicPartition> partitions) {
        haste.begin();
        super.assign(partitions);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        return super.poll(haste.patience(timeout));
    }
}
