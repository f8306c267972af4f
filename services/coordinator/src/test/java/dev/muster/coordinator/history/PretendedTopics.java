package dev.muster.coordinator.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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

    public PretendedTopics() {
        super("earliest");
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

    void add(TopicPartition partition, String key, long timestamp, byte[] value) {
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

    @Override
    public synchronized void assign(Collection<TopicPartition> partitions) {
        super.assign(partitions);
        partitions.forEach(partition -> held.get(partition).forEach(this::addRecord));
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
