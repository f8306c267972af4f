package dev.muster.cli.kafka;

import dev.muster.cli.Context;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.schemas.Uid;
import dev.muster.v1.JobRequest;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What jobs were submitted with, from topic job-requests: a uid says where it stands. */
public final class Submissions {
    private Submissions() {}

    /**
     * What a submission asked for; empty where it is not kept any more.
     *
     * @throws IllegalArgumentException when {@code uid} is none
     */
    public static Optional<TrainJobSpec> find(
            Context context, String namespace, String name, String uid) {
        var at = Uid.parse(uid);
        Consumer<String, JobRequest> consumer = Kafka.consumer(context);
        try {
            return read(consumer, at)
                    .filter(record -> record.key().equals(JobKeys.of(namespace, name)))
                    .map(record -> record.value().getSubmit());
        } catch (KafkaException e) {
            throw Kafka.trouble(context, e);
        } finally {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    static Optional<ConsumerRecord<String, JobRequest>> read(
            Consumer<String, JobRequest> consumer, Uid at) {
        var partition = new TopicPartition(Topics.JOB_REQUESTS.name(), at.partition());
        if (!Kafka.partitions(consumer, Topics.JOB_REQUESTS).contains(partition)) {
            return Optional.empty();
        }
        consumer.assign(List.of(partition));
        var first = consumer.beginningOffsets(List.of(partition)).get(partition);
        var end = consumer.endOffsets(List.of(partition)).get(partition);
        if (first == null || end == null || at.offset() < first || at.offset() >= end) {
            return Optional.empty();
        }
        consumer.seek(partition, at.offset());
        var found = new AtomicReference<@Nullable ConsumerRecord<String, JobRequest>>();
        Kafka.readTo(
                consumer,
                Map.of(partition, at.offset() + 1),
                records -> {
                    for (var record : records) {
                        if (record.offset() == at.offset()) {
                            found.set(record);
                        }
                    }
                });
        return Optional.ofNullable(found.get());
    }
}
