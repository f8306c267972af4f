package dev.muster.coordinator.history.log;

import dev.muster.schemas.contract.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads parts of topics: what is committed, in order, of one partition at a time; no group. */
public final class TopicReader implements AutoCloseable {
    /** By so much a clock may be ahead of another, or of itself before it is set right. */
    public static final Duration AHEAD = Duration.ofHours(4);

    private static final Duration POLL = Duration.ofMillis(500);

    private final Consumer<byte[], byte[]> consumer;
    private final Patience patience;

    /**
     * @param kafka settings of a client; nothing may come for as long as any call of it may take
     */
    public TopicReader(Map<String, ?> kafka) {
        this(consumer(kafka, 2000), Patience.of(kafka));
    }

    /**
     * @param consumer closed with this
     */
    public TopicReader(Consumer<byte[], byte[]> consumer, Patience patience) {
        this.consumer = consumer;
        this.patience = patience;
    }

    /** Behind the last records that were written, committed or not: whoever reads to it waits. */
    static Map<TopicPartition, Long> written(Map<String, ?> kafka, List<TopicPartition> of) {
        var config = new HashMap<String, Object>(kafka);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        var bytes = new ByteArrayDeserializer();
        try (var any = new KafkaConsumer<>(config, bytes, bytes)) {
            return any.endOffsets(of);
        }
    }

    /** One for those who want a record here and a record there: no more of them comes. */
    static TopicReader ofSingles(Map<String, ?> kafka) {
        // At least one batch comes, however large.
        return new TopicReader(consumer(kafka, 1, 1), Patience.of(kafka));
    }

    /** One that reads what is committed, as many records at once. */
    public static KafkaConsumer<byte[], byte[]> consumer(Map<String, ?> kafka, int atOnce) {
        return consumer(kafka, atOnce, Limits.REQUEST_BYTES);
    }

    private static KafkaConsumer<byte[], byte[]> consumer(
            Map<String, ?> kafka, int atOnce, int bytesAtOnce) {
        var config = new HashMap<String, Object>(kafka);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, atOnce);
        config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, bytesAtOnce);
        var bytes = new ByteArrayDeserializer();
        return new KafkaConsumer<>(config, bytes, bytes);
    }

    public long beginning(TopicPartition partition) {
        return consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
    }

    /** Behind the last record that is committed. */
    public long end(TopicPartition partition) {
        return consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    }

    /** The first record with such a timestamp or a later one; the end where there is none. */
    public long at(TopicPartition partition, Instant time) {
        var found =
                consumer.offsetsForTimes(Map.of(partition, Math.max(0, time.toEpochMilli())))
                        .get(partition);
        return found == null ? end(partition) : found.offset();
    }

    /**
     * Records from one offset up to another; one walk at a time.
     *
     * @return throws a {@link TimeoutException} where nothing comes for too long
     */
    public Iterator<ConsumerRecord<byte[], byte[]>> read(
            TopicPartition partition, long from, long to) {
        consumer.assign(List.of(partition));
        consumer.seek(partition, from);
        return new Walk(partition, to);
    }

    private final class Walk implements Iterator<ConsumerRecord<byte[], byte[]>> {
        private final TopicPartition partition;
        private final long to;
        private final Deque<ConsumerRecord<byte[], byte[]>> polled = new ArrayDeque<>();

        Walk(TopicPartition partition, long to) {
            this.partition = partition;
            this.to = to;
        }

        @Override
        public boolean hasNext() {
            var waiting = patience.at(partition, consumer.position(partition));
            while (polled.isEmpty() && consumer.position(partition) < to) {
                consumer.poll(POLL).records(partition).stream()
                        .filter(record -> record.offset() < to)
                        .forEach(polled::add);
                waiting.came(consumer.position(partition));
            }
            return !polled.isEmpty();
        }

        @Override
        public ConsumerRecord<byte[], byte[]> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return polled.remove();
        }
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
