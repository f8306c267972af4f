package dev.muster.coordinator.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.sandbox.TestParts;
import dev.muster.schemas.Topic;
import dev.muster.schemas.TopicCreator;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.InboxEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.IntPredicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** The coordinator's surroundings on real parts: who writes its inboxes and reads its topics. */
final class Outside implements AutoCloseable {
    static final Map<String, Object> KAFKA =
            Map.of(
                    "bootstrap.servers", TestParts.bootstrapServers(),
                    "schema.registry.url", TestParts.registryUrl());

    /** What was published. */
    record Sent<T>(String key, int partition, int size, @Nullable T value) {}

    private final Map<String, Object> kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AvroSerializer<InboxEvent> serializer = new AvroSerializer<>();

    Outside() {
        this(KAFKA);
    }

    /**
     * Of another broker.
     *
     * @param kafka its address, and the registry's
     */
    Outside(Map<String, Object> kafka) {
        this.kafka = kafka;
        producer = new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer());
        serializer.configure(kafka, false);
        try (var admin = Admin.create(kafka)) {
            new TopicCreator(admin, 1).run();
        }
    }

    /** One of the pools, by its number. */
    Inbox pool(int number) {
        return new Inbox(number);
    }

    final class Inbox {
        private final int number;

        private Inbox(int number) {
            this.number = number;
        }

        String name() {
            return "pool-" + number;
        }

        Inbox withNodes(int nodes, int cores) {
            var put = InboxRecords.poolPut();
            put.getPoolPut().setName(name());
            send(put);
            send(InboxRecords.queuePut());
            send(InboxRecords.snapshotBegin());
            for (int i = 0; i < nodes; i++) {
                send(InboxRecords.node("n" + i, cores));
            }
            send(InboxRecords.snapshotEnd());
            return this;
        }

        /** Says when the broker appended it, by the broker's clock. */
        Instant send(InboxEvent event) {
            event.setPool(name());
            return send(serializer.serialize(Topics.INBOX.name(), event));
        }

        Instant send(byte[] value) {
            try {
                var record =
                        new ProducerRecord<>(
                                Topics.INBOX.name(), number, name().getBytes(UTF_8), value);
                return Instant.ofEpochMilli(producer.send(record).get().timestamp());
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** All that is on a topic now, as a reader of committed records sees it. */
    <T extends SpecificRecord> List<Sent<T>> read(Topic<T> topic) {
        return read(topic, _ -> true);
    }

    /** All that one pool has heard until now. */
    List<Sent<InboxEvent>> inbox(int number) {
        return read(Topics.INBOX, partition -> partition == number);
    }

    private <T extends SpecificRecord> List<Sent<T>> read(Topic<T> topic, IntPredicate wanted) {
        try (var consumer =
                        new KafkaConsumer<>(
                                committed(),
                                new StringDeserializer(),
                                new ByteArrayDeserializer());
                var reader = new AvroDeserializer<>(topic.value())) {
            reader.configure(kafka, false);
            var partitions =
                    consumer.partitionsFor(topic.name()).stream()
                            .filter(info -> wanted.test(info.partition()))
                            .map(info -> new TopicPartition(topic.name(), info.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            var found = new ArrayList<Sent<T>>();
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(record -> found.add(sent(record, reader)));
            }
            return found;
        }
    }

    private Map<String, Object> committed() {
        return Map.of(
                "bootstrap.servers",
                kafka.get("bootstrap.servers"),
                "isolation.level",
                "read_committed",
                "max.partition.fetch.bytes",
                5 * 1024 * 1024);
    }

    private static <T extends SpecificRecord> Sent<T> sent(
            ConsumerRecord<String, byte[]> record, AvroDeserializer<T> reader) {
        return new Sent<>(
                record.key(),
                record.partition(),
                record.serializedValueSize(),
                reader.deserialize(record.topic(), record.value()));
    }

    @Override
    public void close() {
        producer.close();
        serializer.close();
    }
}
