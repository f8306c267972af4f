package dev.muster.coordinator.history.log;

import dev.muster.schemas.Topics;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** A pool's inbox where it lies: its partition of the topic. */
public final class InboxTopic implements InboxLog {
    private final TopicReader reader;
    private final Supplier<TopicReader> singles;
    private final TopicPartition partition;
    private final long first;
    private final long end;

    /**
     * @param kafka settings of a client
     */
    public InboxTopic(Map<String, ?> kafka, int partition) {
        this(new TopicReader(kafka), () -> TopicReader.ofSingles(kafka), partition);
    }

    /**
     * @param reader closed with this
     * @param singles makes one that reads few records at a time
     */
    InboxTopic(TopicReader reader, Supplier<TopicReader> singles, int partition) {
        this.reader = reader;
        this.singles = singles;
        this.partition = new TopicPartition(Topics.INBOX.name(), partition);
        first = reader.beginning(this.partition);
        end = reader.end(this.partition);
    }

    @Override
    public int partition() {
        return partition.partition();
    }

    @Override
    public long first() {
        return first;
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public long upTo(Instant time) {
        long later = Math.min(end, reader.at(partition, time.plusMillis(1)));
        long last = Math.min(end, reader.at(partition, time.plus(TopicReader.AHEAD)));
        try (var some = singles.get()) {
            return new LastAppended(reader, some, partition, time.toEpochMilli())
                    .behind(later, last);
        }
    }

    @Override
    public long since(Instant time) {
        return Math.min(end, reader.at(partition, time));
    }

    @Override
    public Iterator<InboxRecord> between(long from, long before) {
        var records = reader.read(partition, Math.max(from, first), Math.min(before, end));
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return records.hasNext();
            }

            @Override
            public InboxRecord next() {
                return record(records.next());
            }
        };
    }

    private static InboxRecord record(ConsumerRecord<byte[], byte[]> in) {
        return new InboxRecord(
                in.partition(), in.offset(), Instant.ofEpochMilli(in.timestamp()), in.value());
    }

    @Override
    public void close() {
        reader.close();
    }
}
