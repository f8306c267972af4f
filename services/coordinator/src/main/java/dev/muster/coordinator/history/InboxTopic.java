package dev.muster.coordinator.history;

import dev.muster.schemas.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** A pool's inbox where it lies: its partition of the topic. */
public final class InboxTopic implements InboxLog {
    /** Nobody can look up the last record of a time: for so long behind the first it is read on. */
    private static final Duration AHEAD = Duration.ofHours(4);

    private final TopicReader reader;
    private final TopicPartition partition;
    private final long first;
    private final long end;

    /**
     * @param kafka settings of a client
     */
    public InboxTopic(Map<String, ?> kafka, int partition) {
        this(new TopicReader(kafka), partition);
    }

    /**
     * @param reader closed with this
     */
    InboxTopic(TopicReader reader, int partition) {
        this.reader = reader;
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
        long last = Math.min(end, reader.at(partition, time.plus(AHEAD)));
        long behind = later;
        for (var records = reader.read(partition, later, last); records.hasNext(); ) {
            var in = records.next();
            behind = in.timestamp() > time.toEpochMilli() ? behind : in.offset() + 1;
        }
        return behind;
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
