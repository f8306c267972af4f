package dev.muster.coordinator.history.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.coordinator.history.log.Patience;
import dev.muster.coordinator.history.log.TopicReader;
import dev.muster.coordinator.stream.avro.Output;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.Envelope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What the coordinator published about one pool, read beside a replay. In each partition it lies in
 * the order of the inbox records that it comes from, so no more is held than was read ahead.
 */
public final class Published implements AutoCloseable {
    /** What a replay makes; parked records it passes over. */
    static final List<Topic<?>> TOPICS =
            List.of(
                    Topics.JOB_PLANS,
                    Topics.JOB_STATUS,
                    Topics.JOB_EVENTS,
                    Topics.DECISIONS,
                    Topics.REQUEST_RESULTS,
                    Topics.QUEUES,
                    Topics.POOLS);

    private static final Duration POLL = Duration.ofMillis(500);

    private final int pool;
    private final Consumer<byte[], byte[]> consumer;
    private final Patience patience;
    private final AvroDeserializer<SpecificRecord> values = new AvroDeserializer<>();
    private final Map<TopicPartition, Lane> lanes = new LinkedHashMap<>();
    private long newest = -1;

    /**
     * Where a published record comes from, as its id says.
     *
     * @param offset of the inbox record
     * @param index of the output among those of that record
     */
    public record Source(long offset, int index) implements Comparable<Source> {
        private static final Comparator<Source> ORDER =
                Comparator.comparingLong(Source::offset).thenComparingInt(Source::index);

        /** Null: it comes from no record of this pool. */
        static @Nullable Source of(Envelope envelope, int pool) {
            return envelope.getId().startsWith(pool + "-") ? of(envelope) : null;
        }

        /** Null: it comes from no inbox record. */
        public static @Nullable Source of(Envelope envelope) {
            var id = envelope.getId();
            int dash = id.indexOf('-');
            int slash = id.indexOf('/', dash + 1);
            if (!envelope.getActor().equals("coordinator") || dash < 0 || slash < 0) {
                return null;
            }
            try {
                return new Source(
                        Long.parseLong(id.substring(dash + 1, slash)),
                        Integer.parseInt(id.substring(slash + 1)));
            } catch (NumberFormatException e) {
                return null;
            }
        }

        @Override
        public int compareTo(Source other) {
            return ORDER.compare(this, other);
        }
    }

    /** One published record. */
    record Sent(Source source, String topic, String key, SpecificRecord value) {}

    /** A partition as far as it was read. */
    private static final class Lane {
        private final TopicPartition partition;
        private final long end;

        /** All that was published since the beginning of the replay is there still. */
        private final boolean whole;

        private final Deque<Sent> ahead = new ArrayDeque<>();

        Lane(TopicPartition partition, long end, boolean whole) {
            this.partition = partition;
            this.end = end;
            this.whole = whole;
        }
    }

    /**
     * @param kafka settings of a client, those of the registry among them
     * @param pool its number
     * @param since the pool's time from which on the replay makes outputs
     */
    public Published(Map<String, ?> kafka, int pool, Instant since) {
        this(TopicReader.consumer(kafka, 500), kafka, pool, since);
    }

    /**
     * The same.
     *
     * @param consumer closed with this
     * @param kafka settings of the registry
     */
    public Published(
            Consumer<byte[], byte[]> consumer, Map<String, ?> kafka, int pool, Instant since) {
        this.pool = pool;
        this.consumer = consumer;
        patience = Patience.of(kafka);
        values.configure(kafka, false);
        var partitions = new ArrayList<TopicPartition>();
        TOPICS.forEach(topic ->
                consumer.partitionsFor(topic.name())
                        .forEach(info ->
                                partitions.add(
                                        new TopicPartition(topic.name(), info.partition()))));
        consumer.assign(partitions);
        var beginnings = consumer.beginningOffsets(partitions);
        var ends = consumer.endOffsets(partitions);
        var times = new LinkedHashMap<TopicPartition, Long>();
        partitions.forEach(partition -> times.put(partition, Math.max(0, since.toEpochMilli())));
        var found = consumer.offsetsForTimes(times);
        for (var partition : partitions) {
            long end = ends.getOrDefault(partition, 0L);
            long beginning = beginnings.getOrDefault(partition, 0L);
            var at = found.get(partition);
            long from = at == null ? end : at.offset();
            consumer.seek(partition, from);
            boolean whole = isKeptInFull(partition) && (beginning == 0 || from > beginning);
            lanes.put(partition, new Lane(partition, end, whole));
        }
        consumer.pause(partitions);
    }

    private static boolean isKeptInFull(TopicPartition partition) {
        return TOPICS.stream()
                .filter(topic -> topic.name().equals(partition.topic()))
                .noneMatch(topic -> topic.kept() instanceof Topic.Kept.Newest);
    }

    /**
     * What was published under the id of this output.
     *
     * @param strays takes what was published before it, and which no output was
     * @return null: nothing was
     */
    @Nullable Sent find(Output output, Source source, List<Sent> strays) {
        var lane = lane(output);
        for (var next = peek(lane); next != null; next = peek(lane)) {
            int order = next.source().compareTo(source);
            if (order > 0) {
                return null;
            }
            lane.ahead.remove();
            if (order == 0) {
                return next;
            }
            strays.add(next);
        }
        return null;
    }

    /** Whether it would be there if it had been published; else it may have been cleaned away. */
    boolean isKept(Output output) {
        return lane(output).whole;
    }

    /** The last inbox record about which anything was found to be published; -1: none. */
    long newest() {
        return newest;
    }

    /** Passes over what comes from records before this one. */
    void skipTo(long offset) {
        for (var lane : lanes.values()) {
            for (var next = peek(lane);
                    next != null && next.source().offset() < offset;
                    next = peek(lane)) {
                lane.ahead.remove();
            }
        }
    }

    /** What was published from records up to this one and was not asked for. */
    List<Sent> strays(long last) {
        var strays = new ArrayList<Sent>();
        for (var lane : lanes.values()) {
            for (var next = peek(lane);
                    next != null && next.source().offset() <= last;
                    next = peek(lane)) {
                strays.add(lane.ahead.remove());
            }
        }
        return strays;
    }

    private Lane lane(Output output) {
        var topic = output.topic();
        var partition = new TopicPartition(topic.name(), Partitions.ofKey(topic, output.key()));
        var lane = lanes.get(partition);
        if (lane == null) {
            throw new IllegalStateException("the broker has no partition " + partition);
        }
        return lane;
    }

    private @Nullable Sent peek(Lane lane) {
        if (lane.ahead.isEmpty() && consumer.position(lane.partition) < lane.end) {
            consumer.resume(List.of(lane.partition));
            var waiting = patience.at(lane.partition, consumer.position(lane.partition));
            while (lane.ahead.isEmpty() && consumer.position(lane.partition) < lane.end) {
                consumer.poll(POLL).records(lane.partition).forEach(in -> take(in, lane));
                waiting.came(consumer.position(lane.partition));
            }
            consumer.pause(List.of(lane.partition));
        }
        return lane.ahead.peek();
    }

    private void take(ConsumerRecord<byte[], byte[]> in, Lane lane) {
        if (in.value() == null || in.offset() >= lane.end) {
            return;
        }
        var value = values.deserialize(in.topic(), in.value());
        var source = isParked(value) ? null : Source.of(envelope(value), pool);
        if (source != null) {
            newest = Math.max(newest, source.offset());
            lane.ahead.add(new Sent(source, in.topic(), new String(in.key(), UTF_8), value));
        }
    }

    /** Of a record that was passed over nothing follows. */
    private static boolean isParked(SpecificRecord value) {
        return value instanceof Decision decision && decision.getKind() == DecisionKind.PARKED;
    }

    static Envelope envelope(SpecificRecord value) {
        return (Envelope) value.get(value.getSchema().getField("envelope").pos());
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
        values.close();
    }
}
