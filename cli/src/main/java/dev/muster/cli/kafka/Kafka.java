package dev.muster.cli.kafka;

import dev.muster.cli.Context;
import dev.muster.cli.Trouble;
import dev.muster.schemas.Topic;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Consumers and producers for one short command: no groups, no offsets kept. */
final class Kafka {
    /** How long a broker may be silent before the command gives up. */
    static final Duration PATIENCE = Duration.ofSeconds(8);

    private Kafka() {}

    static <T extends SpecificRecord> Consumer<String, T> consumer(Context context) {
        return consumer(context, PATIENCE);
    }

    static <T extends SpecificRecord> Consumer<String, T> consumer(
            Context context, Duration patience) {
        var config = common(context);
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", false);
        config.put("auto.offset.reset", "earliest");
        config.put("fetch.max.wait.ms", 100);
        config.put("default.api.timeout.ms", (int) patience.toMillis());
        config.put("request.timeout.ms", (int) patience.toMillis() / 2);
        var values = new AvroDeserializer<T>();
        values.configure(config, false);
        return new KafkaConsumer<>(config, new StringDeserializer(), values);
    }

    static <T extends SpecificRecord> Producer<String, T> producer(Context context) {
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
        return new KafkaProducer<>(config, new StringSerializer(), values);
    }

    private static Map<String, Object> common(Context context) {
        var config = new TreeMap<String, Object>();
        config.put("bootstrap.servers", context.bootstrapServers());
        config.put("schema.registry.url", context.registry());
        config.put("client.id", "muster-cli");
        return config;
    }

    /** Takes all partitions of a topic by hand. */
    static List<TopicPartition> assign(Consumer<String, ?> consumer, Topic<?> topic) {
        var partitions =
                consumer.partitionsFor(topic.name()).stream()
                        .map(p -> new TopicPartition(p.topic(), p.partition()))
                        .toList();
        if (partitions.isEmpty()) {
            throw Trouble.failed("the broker has no topic " + topic.name(), null);
        }
        consumer.assign(partitions);
        return partitions;
    }

    /** What a failure of the client means to the user. */
    static Trouble trouble(Context context, KafkaException e) {
        var line =
                e instanceof TimeoutException
                        ? "no Kafka broker answers at "
                                + context.bootstrapServers()
                                + ": is the system up?"
                        : "Kafka at " + context.bootstrapServers() + ": " + e.getMessage();
        return Trouble.failed(line, e);
    }
}
