package dev.muster.coordinator.history.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** All topics, in memory, with timestamps as they are given. */
public final class PretendedTopics extends MockConsumer<byte[], byte[]> {
    private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> held =
            new LinkedHashMap<>();

    private final int atOnce;
    private int read;

    public PretendedTopics() {
        this(2_000);
    }

    /**
     * @param atOnce so many records of a partition come with a poll
     */
    PretendedTopics(int atOnce) {
        super("earliest");
        this.atOnce = atOnce;
        for (var topic : Topics.all()) {
            var name = topic.name();
            updatePartitions(
                    name,
                    IntStream.range(0, topic.partitions())
                            .mapToObj(i -> new PartitionInfo(name, i, Node.noNode(), null, null))
                            .toList());
            for (int i = 0; i < topic.partitions(); i++) {
                held.put(new TopicPartition(name, i), new ArrayList<>());
            }
        }
        held.keySet().forEach(partition -> updateBeginningOffsets(Map.of(partition, 0L)));
        held.keySet().forEach(partition -> updateEndOffsets(Map.of(partition, 0L)));
    }

    /**
     * Publishes a record.
     *
     * @param timestamp in milliseconds
     */
    public void add(Topic<?> topic, String key, long timestamp, byte[] value) {
        var partition = new TopicPartition(topic.name(), Partitions.ofKey(topic, key));
        add(partition, key, timestamp, value);
    }

    public void add(TopicPartition partition, String key, long timestamp, byte[] value) {
        var records = held.get(partition);
        records.add(
                new ConsumerRecord<>(
                        partition.topic(),
                        partition.partition(),
                        records.size(),
                        timestamp,
                        TimestampType.CREATE_TIME,
                        -1,
                        -1,
                        key.getBytes(UTF_8),
                        value,
                        new RecordHeaders(),
                        Optional.empty()));
        updateEndOffsets(Map.of(partition, (long) records.size()));
    }

    /** How many records came. */
    int read() {
        return read;
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        var polled = new HashMap<TopicPartition, List<ConsumerRecord<byte[], byte[]>>>();
        var unpaused = new HashSet<>(assignment());
        unpaused.removeAll(paused());
        for (var partition : unpaused) {
            var all = held.get(partition);
            int from = (int) Math.min(position(partition), all.size());
            var some = all.subList(from, Math.min(from + atOnce, all.size()));
            if (!some.isEmpty()) {
                polled.put(partition, List.copyOf(some));
                seek(partition, from + some.size());
                read += some.size();
            }
        }
        return new ConsumerRecords<>(polled, Map.of());
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
            Map<TopicPartition, Long> times) {
        var found = new HashMap<TopicPartition, OffsetAndTimestamp>();
        times.forEach((partition, time) ->
                held.get(partition).stream()
                        .filter(record -> record.timestamp() >= time)
                        .findFirst()
                        .ifPresent(record ->
                                found.put(
                                        partition,
                                        new OffsetAndTimestamp(
                                                record.offset(), record.timestamp()))));
        return found;
    }
}
