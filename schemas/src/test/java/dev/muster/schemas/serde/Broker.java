package dev.muster.schemas.serde;

import dev.muster.sandbox.TestParts;
import dev.muster.schemas.Topic;
import dev.muster.schemas.TopicCreator;
import dev.muster.schemas.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

/** The sandbox's broker as the tests here use it. */
final class Broker {
    static void createTopics() {
        try (var admin = Admin.create(settings(Map.of()))) {
            new TopicCreator(admin, 1).run();
            Awaitility.await()
                    .until(() ->
                            admin.listTopics()
                                    .names()
                                    .get()
                                    .containsAll(Topics.all().stream().map(Topic::name).toList()));
        }
    }

    static <V> Producer<String, V> producer(Map<String, Object> more) {
        var settings = settings(more);
        settings.put("key.serializer", StringSerializer.class);
        return new KafkaProducer<>(settings);
    }

    static <V> Consumer<String, V> consumer(Map<String, Object> more) {
        var settings = settings(more);
        settings.put("key.deserializer", StringDeserializer.class);
        return new KafkaConsumer<>(settings);
    }

    static <V> RecordMetadata send(
            Producer<String, V> producer, Topic<?> topic, String key, V value) {
        try {
            return producer.send(new ProducerRecord<>(topic.name(), key, value)).get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The record that stands there. */
    static <V> ConsumerRecord<String, V> readAt(Consumer<String, V> consumer, RecordMetadata at) {
        var partition = new TopicPartition(at.topic(), at.partition());
        consumer.assign(List.of(partition));
        consumer.seek(partition, at.offset());
        return Awaitility.await()
                .until(
                        () -> consumer.poll(Duration.ofMillis(200)).records(partition),
                        records -> !records.isEmpty())
                .getFirst();
    }

    private static Map<String, Object> settings(Map<String, Object> more) {
        var settings = new HashMap<String, Object>(more);
        settings.put("bootstrap.servers", TestParts.bootstrapServers());
        settings.put("schema.registry.url", TestParts.registryUrl());
        return settings;
    }

    private Broker() {}
}
