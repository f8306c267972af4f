package dev.muster.cli.kafka;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.coordinator.history.log.Patience;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topic;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Consumers and producers for one short command: no groups, no offsets kept. */
public final class Kafka {
    /** How long a broker that is there may be silent before the command gives up. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration POLL = Duration.ofMillis(200);
    private static final int CONNECT_MILLIS = 3000;

    private static final Logger LOG = LoggerFactory.getLogger(Kafka.class);

    private Kafka() {}

    /** Reads what is committed, from where it is told to. */
    public static <T extends SpecificRecord> Consumer<String, T> consumer(Context context) {
        requireAnybody(context);
        return consumerOf(context);
    }

    private static <T extends SpecificRecord> Consumer<String, T> consumerOf(Context context) {
        var config = common(context);
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", false);
        config.put("auto.offset.reset", "earliest");
        // One that the broker made would have a shape of its own.
        config.put("allow.auto.create.topics", false);
        config.put("fetch.max.wait.ms", 100);
        config.put("default.api.timeout.ms", (int) PATIENCE.toMillis());
        config.put("request.timeout.ms", (int) PATIENCE.toMillis() / 2);
        var values = new AvroDeserializer<T>();
        values.configure(config, false);
        try {
            return new KafkaConsumer<>(config, new StringDeserializer(), values);
        } catch (KafkaException e) {
            throw noClient(e);
        }
    }

    /** Sends at once, and to all replicas that are in sync. */
    public static <T extends SpecificRecord> Producer<String, T> producer(Context context) {
        requireAnybody(context);
        return producerOf(context);
    }

    /** Settings of a client, those of the registry among them, for readers that make their own. */
    public static Map<String, Object> settings(Context context) {
        requireAnybody(context);
        var config = common(context);
        config.put("default.api.timeout.ms", (int) PATIENCE.toMillis());
        return Map.copyOf(config);
    }

    /** Loads the clients' classes; they speak to nobody before they are asked something. */
    static void rehearse(Context nowhere) {
        Kafka.<JobStatus>consumerOf(nowhere).close(CloseOptions.timeout(Duration.ZERO));
        Kafka.<JobRequest>producerOf(nowhere).close(Duration.ZERO);
    }

    private static <T extends SpecificRecord> Producer<String, T> producerOf(Context context) {
        var config = common(context);
        config.put("acks", "all");
        config.put("linger.ms", 0);
        config.put("max.block.ms", PATIENCE.toMillis());
        config.put("delivery.timeout.ms", (int) PATIENCE.toMillis());
        config.put("request.timeout.ms", (int) PATIENCE.toMillis() / 2);
        // The broker's own limit answers, not the client's.
        config.put("max.request.size", 64 << 20);
        var values = new AvroSerializer<T>();
        values.configure(config, false);
        try {
            return new KafkaProducer<>(config, new StringSerializer(), values);
        } catch (KafkaException e) {
            throw noClient(e);
        }
    }

    /** What made it fail stands in the cause. */
    private static CommandFailedException noClient(KafkaException e) {
        var cause = e.getCause() == null ? e : e.getCause();
        return CommandFailedException.failed(
                "no client of Kafka can be made with clientProperties: " + cause.getMessage(), e);
    }

    /** The clients would go on trying where nobody listens. */
    private static void requireAnybody(Context context) {
        for (var address : context.bootstrapServers().split(",", -1)) {
            var colon = address.lastIndexOf(':');
            try (var socket = new Socket()) {
                var port = Integer.parseInt(address.substring(colon + 1).strip());
                var host = address.substring(0, Math.max(colon, 0)).strip();
                socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
                return;
            } catch (IOException | IllegalArgumentException e) {
                LOG.atInfo().addKeyValue("address", address).setCause(e).log("nobody answers");
            }
        }
        throw CommandFailedException.failed(nobody(context), null);
    }

    private static String nobody(Context context) {
        return "no Kafka broker answers at " + context.bootstrapServers() + ": is the system up?";
    }

    static Map<String, Object> common(Context context) {
        var config = new TreeMap<String, Object>(properties(context.clientProperties()));
        config.put("bootstrap.servers", context.bootstrapServers());
        config.put("schema.registry.url", context.registry());
        config.put("client.id", "muster-cli");
        return config;
    }

    /** Of what it holds nothing is ever told: it may be credentials. */
    private static Map<String, String> properties(@Nullable Path file) {
        var all = new TreeMap<String, String>();
        if (file == null) {
            return all;
        }
        var read = new Properties();
        try (var lines = Files.newBufferedReader(file)) {
            read.load(lines);
        } catch (IOException | IllegalArgumentException e) {
            throw CommandFailedException.failed(
                    "cannot read clientProperties %s of the context file: %s"
                            .formatted(
                                    file,
                                    e instanceof NoSuchFileException
                                            ? "there is no such file"
                                            : e instanceof IOException
                                                    ? e.getMessage()
                                                    : "it is no file of properties"),
                    e);
        }
        read.stringPropertyNames().forEach(name -> all.put(name, read.getProperty(name)));
        return all;
    }

    /** Takes all partitions of a topic by hand. */
    public static List<TopicPartition> assign(Consumer<String, ?> consumer, Topic<?> topic) {
        var partitions = partitions(consumer, topic);
        consumer.assign(partitions);
        return partitions;
    }

    /** Takes the partition in which all is that a topic has of a key. */
    static List<TopicPartition> assign(Consumer<String, ?> consumer, Topic<?> topic, String key) {
        var partition = new TopicPartition(topic.name(), Partitions.ofKey(topic, key));
        if (!partitions(consumer, topic).contains(partition)) {
            throw CommandFailedException.failed("the broker has no partition " + partition, null);
        }
        consumer.assign(List.of(partition));
        return List.of(partition);
    }

    static List<TopicPartition> partitions(Consumer<String, ?> consumer, Topic<?> topic) {
        var partitions =
                consumer.partitionsFor(topic.name()).stream()
                        .map(p -> new TopicPartition(p.topic(), p.partition()))
                        .toList();
        if (partitions.isEmpty()) {
            throw CommandFailedException.failed("the broker has no topic " + topic.name(), null);
        }
        return partitions;
    }

    /**
     * Reads on to where partitions ended before.
     *
     * @param taking is handed what comes, also a little of what is behind the ends
     * @throws TimeoutException when nothing has come of them for as long as a broker may be silent
     */
    static <T> void readTo(
            Consumer<String, T> consumer,
            Map<TopicPartition, Long> ends,
            java.util.function.Consumer<ConsumerRecords<String, T>> taking) {
        readTo(consumer, ends, new Patience(PATIENCE), taking);
    }

    /**
     * The same.
     *
     * @param patience how long nothing may come
     */
    static <T> void readTo(
            Consumer<String, T> consumer,
            Map<TopicPartition, Long> ends,
            Patience patience,
            java.util.function.Consumer<ConsumerRecords<String, T>> taking) {
        var waiting = patience.at(ends.keySet(), positions(consumer, ends));
        while (ends.entrySet().stream()
                .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            taking.accept(consumer.poll(POLL));
            waiting.came(positions(consumer, ends));
        }
    }

    private static Map<TopicPartition, Long> positions(
            Consumer<String, ?> consumer, Map<TopicPartition, Long> of) {
        var positions = new LinkedHashMap<TopicPartition, Long>();
        of.keySet().forEach(partition -> positions.put(partition, consumer.position(partition)));
        return positions;
    }

    /** What a failure of the client means to the user. */
    public static CommandFailedException trouble(Context context, KafkaException e) {
        var line =
                e instanceof TimeoutException
                        ? nobody(context)
                        : "Kafka at " + context.bootstrapServers() + ": " + e.getMessage();
        return CommandFailedException.failed(line, e);
    }
}
