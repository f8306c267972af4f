package dev.muster.watcher;

import dev.muster.sandbox.TestParts;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** The broker, the registry and the API server, with the topics made, and pools to be put there. */
final class RealParts {
    static final Map<String, Object> KAFKA =
            Map.of(
                    "bootstrap.servers",
                    TestParts.bootstrapServers(),
                    "schema.registry.url",
                    TestParts.registryUrl());
    static final Admin ADMIN = Admin.create(KAFKA);
    static final KubernetesClient API =
            new KubernetesClientBuilder()
                    .withConfig(Config.fromKubeconfig(TestParts.kubeconfig().toFile()))
                    .build();

    /** A number is given once, as long as the broker runs. */
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private static final KafkaProducer<String, byte[]> PRODUCER =
            new KafkaProducer<>(KAFKA, new StringSerializer(), new ByteArraySerializer());
    private static final AvroSerializer<PoolState> POOL_STATES = new AvroSerializer<>();

    static {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
        POOL_STATES.configure(KAFKA, false);
        makeTopics();
        System.setProperty("kubeconfig", TestParts.kubeconfig().toString());
    }

    private RealParts() {}

    static int nextNumber() {
        return NUMBERS.getAndIncrement();
    }

    /** Lets the watchers know a pool of the nodes with label {@code pool} of its name. */
    static void putPool(String name, int number) throws Exception {
        putPool(name, number, Map.of("pool", name));
    }

    static void putPool(String name, int number, Map<String, String> selector) throws Exception {
        putPool(name, PoolSpec.newBuilder().setNumber(number).setNodeSelector(selector).build());
    }

    static void putPool(String name, PoolSpec spec) throws Exception {
        putPool(name, spec, false);
    }

    /**
     * The same.
     *
     * @param recreates containers can be started again
     */
    static void putPool(String name, PoolSpec spec, boolean recreates) throws Exception {
        var envelope =
                Envelope.newBuilder().setId("test").setAt(Instant.now()).setActor("test").build();
        var state =
                PoolState.newBuilder()
                        .setEnvelope(envelope)
                        .setName(name)
                        .setNumber(spec.getNumber())
                        .setSpec(spec)
                        .setRecreates(recreates)
                        .build();
        putPool(name, POOL_STATES.serialize(Topics.POOLS.name(), state));
    }

    static void putPool(String key, byte @Nullable [] value) throws Exception {
        PRODUCER.send(new ProducerRecord<>(Topics.POOLS.name(), key, value)).get();
    }

    /** Whether a record with a value of so many bytes gets into an inbox, here that of no pool. */
    static boolean inboxTakes(int bytes) throws InterruptedException {
        var last = Topics.INBOX.partitions() - 1;
        var record = new ProducerRecord<>(Topics.INBOX.name(), last, "none", new byte[bytes]);
        try {
            PRODUCER.send(record).get();
            return true;
        } catch (ExecutionException e) {
            return false;
        }
    }

    /** Reads an inbox from its beginning, a bit further at each call. */
    static final class Inbox implements AutoCloseable {
        private final KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(KAFKA, new StringDeserializer(), new ByteArrayDeserializer());
        private final AvroDeserializer<InboxEvent> deserializer =
                new AvroDeserializer<>(InboxEvent.class);
        private final List<InboxEvent> events = new ArrayList<>();

        Inbox(int number) {
            var partition = new TopicPartition(Topics.INBOX.name(), number);
            deserializer.configure(KAFKA, false);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
        }

        /** All that came until now. */
        List<InboxEvent> read() {
            for (var in : consumer.poll(Duration.ofMillis(50))) {
                events.add(read(in));
            }
            return List.copyOf(events);
        }

        private InboxEvent read(ConsumerRecord<String, byte[]> in) {
            var event = deserializer.deserialize(in.topic(), in.value());
            if (!event.getPool().equals(in.key())) {
                throw new AssertionError("the key " + in.key() + " is not the pool of " + event);
            }
            return event;
        }

        @Override
        public void close() {
            consumer.close();
            deserializer.close();
        }
    }

    private static void makeTopics() {
        try {
            ADMIN.createTopics(Stream.of(Topics.INBOX, Topics.POOLS).map(RealParts::made).toList())
                    .all()
                    .get();
        } catch (Exception e) {
            throw new IllegalStateException("the topics cannot be made", e);
        }
    }

    private static NewTopic made(Topic<?> topic) {
        return new NewTopic(topic.name(), topic.partitions(), (short) 1).configs(topic.settings());
    }
}
