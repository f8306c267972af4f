package dev.muster.admission.http;

import dev.muster.schemas.Topics;
import dev.muster.schemas.Uid;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.v1.JobRequest;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.stereotype.Component;

/**
 * What was once asked for: a uid says where on the topic of requests it stands. Asked for seldom,
 * so each question has a reader of its own.
 */
@Component
final class PastRequests {
    private static final long TIMEOUT_MILLIS = 5_000;
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaProperties kafka;

    PastRequests(KafkaProperties kafka) {
        this.kafka = kafka;
    }

    /**
     * Reads what a submission asked for.
     *
     * @param key namespace/name of the job
     * @return null: there was no such submission, or it is not kept any more
     * @throws Asking.UnavailableException when Kafka or the registry does not answer
     */
    @Nullable TrainJobSpec submitted(String key, String uid) {
        Uid at;
        try {
            at = Uid.parse(uid);
        } catch (IllegalArgumentException noUid) {
            return null;
        }
        if (at.partition() >= Topics.JOB_REQUESTS.partitions()) {
            return null;
        }
        var values = new AvroDeserializer<JobRequest>();
        values.configure(settings(), false);
        try (var consumer = new KafkaConsumer<>(settings(), new StringDeserializer(), values)) {
            var record = read(consumer, at);
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            return record != null && key.equals(record.key()) ? record.value().getSubmit() : null;
        } catch (KafkaException e) {
            throw new Asking.UnavailableException("Kafka does not show what was asked for", e);
        }
    }

    private static @Nullable ConsumerRecord<String, JobRequest> read(
            KafkaConsumer<String, JobRequest> consumer, Uid at) {
        var partition = new TopicPartition(Topics.JOB_REQUESTS.name(), at.partition());
        var patience = Duration.ofMillis(TIMEOUT_MILLIS);
        consumer.assign(List.of(partition));
        var first = consumer.beginningOffsets(List.of(partition), patience).get(partition);
        var end = consumer.endOffsets(List.of(partition), patience).get(partition);
        if (first == null || end == null || at.offset() < first || at.offset() >= end) {
            return null;
        }
        consumer.seek(partition, at.offset());
        for (var left = TIMEOUT_MILLIS; left > 0; left -= POLL.toMillis()) {
            var records = consumer.poll(POLL);
            if (!records.isEmpty()) {
                var record = records.iterator().next();
                return record.offset() == at.offset() ? record : null;
            }
            if (consumer.position(partition, patience) > at.offset()) {
                return null; // Written, and taken back.
            }
        }
        throw new TimeoutException("no record within " + patience);
    }

    private HashMap<String, Object> settings() {
        var settings = new HashMap<String, Object>(kafka.buildConsumerProperties());
        settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) TIMEOUT_MILLIS);
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) TIMEOUT_MILLIS / 2);
        settings.putIfAbsent(RegistryConfig.WAIT, TIMEOUT_MILLIS);
        return settings;
    }
}
