package dev.muster.deploy;

import dev.muster.cli.Context;
import dev.muster.schemas.Topic;
import dev.muster.schemas.serde.AvroDeserializer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** All that a topic has at this moment. */
final class Records {
    private Records() {}

    static <T extends SpecificRecord> List<ConsumerRecord<String, T>> of(
            Context context, Topic<T> topic) {
        Map<String, Object> config =
                Map.of(
                        "bootstrap.servers",
                        context.bootstrapServers(),
                        "schema.registry.url",
                        context.registry(),
                        "isolation.level",
                        "read_committed",
                        "auto.offset.reset",
                        "earliest");
        var values = new AvroDeserializer<T>();
        values.configure(config, false);
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), values)) {
            var partitions =
                    consumer.partitionsFor(topic.name()).stream()
                            .map(info -> new TopicPartition(topic.name(), info.partition()))
                            .toList();
            consumer.assign(partitions);
            var ends = consumer.endOffsets(partitions);
            var all = new ArrayList<ConsumerRecord<String, T>>();
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
            }
            return all;
        }
    }
}
