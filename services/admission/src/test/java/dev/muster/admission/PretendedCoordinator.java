package dev.muster.admission;

import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobStatus;
import dev.muster.v1.JobTimes;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.PoolState;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.QueueState;
import dev.muster.v1.RequestResult;
import dev.muster.v1.RestartCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Answers what comes to the inbox of any pool: yes to everything, but nothing at all to jobs whose
 * name begins with {@code silent}.
 */
final class PretendedCoordinator {
    private final AvroSerializer<SpecificRecord> writer = new AvroSerializer<>();
    private final KafkaProducer<String, byte[]> producer =
            new KafkaProducer<>(
                    RunningAdmission.client(), new StringSerializer(), new ByteArraySerializer());

    private final Set<String> queues = new HashSet<>();

    /** What was told of how fast jobs train. */
    final List<InboxEvent> digests = new CopyOnWriteArrayList<>();

    /** What was told of what jobs have to say. */
    final List<InboxEvent> signals = new CopyOnWriteArrayList<>();

    PretendedCoordinator() {
        writer.configure(RunningAdmission.client(), false);
    }

    void start() {
        Thread.ofPlatform().daemon().name("pretended-coordinator").start(this::listen);
    }

    private void listen() {
        var reader = new AvroDeserializer<>(InboxEvent.class);
        reader.configure(RunningAdmission.client(), false);
        try (var consumer =
                new KafkaConsumer<>(RunningAdmission.client(), new StringDeserializer(), reader)) {
            var partitions =
                    consumer.partitionsFor(Topics.INBOX.name()).stream()
                            .map(info -> new TopicPartition(info.topic(), info.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (true) {
                for (var record : consumer.poll(Duration.ofSeconds(1))) {
                    on(record.partition(), record.value());
                }
            }
        }
    }

    private void on(int partition, InboxEvent event) {
        switch (event.getKind()) {
            case POOL_PUT -> {
                var spec = event.getPoolPut().getSpec();
                var name = event.getPoolPut().getName();
                var state =
                        PoolState.newBuilder()
                                .setEnvelope(envelope(event))
                                .setName(name)
                                .setNumber(partition)
                                .setSpec(spec)
                                .build();
                send(Topics.POOLS, name, state);
                answer(event, Outcome.DONE);
            }
            case QUEUE_PUT -> {
                set(event, event.getQueuePut().getName(), event.getQueuePut().getSpec());
                answer(event, Outcome.DONE);
            }
            case QUEUE_CHANGE -> {
                var change = event.getQueueChange();
                // Which is named of a whole queue alone.
                if (change.getFields().contains("pool")) {
                    set(event, change.getName(), change.getSpec());
                }
                answer(event, Outcome.DONE);
            }
            case POOL_CHANGE -> answer(event, Outcome.DONE);
            case QUEUE_DELETE -> {
                var isThere = queues.remove(event.getQueueDelete().getName());
                send(Topics.QUEUES, event.getQueueDelete().getName(), null);
                answer(event, isThere ? Outcome.DONE : Outcome.NOT_FOUND);
            }
            case JOB_SUBMITTED -> {
                if (!event.getJob().getName().startsWith("silent")) {
                    send(
                            Topics.JOB_STATUS,
                            JobKeys.of(event.getJob()),
                            status(event, Phase.QUEUED));
                    answer(event, Outcome.ACCEPTED);
                }
            }
            case JOB_CANCEL -> {
                send(Topics.JOB_STATUS, JobKeys.of(event.getJob()), status(event, Phase.CANCELLED));
                answer(event, Outcome.DONE);
            }
            case TRAINING_DIGEST -> digests.add(event);
            case JOB_SIGNAL -> signals.add(event);
            case JOB_CHANGE, BULK_CHANGE -> answer(event, Outcome.DONE);
            default -> throw new AssertionError("admission sent " + event.getKind());
        }
    }

    private void set(InboxEvent event, String name, QueueSpec spec) {
        queues.add(name);
        send(
                Topics.QUEUES,
                name,
                QueueState.newBuilder()
                        .setEnvelope(envelope(event))
                        .setName(name)
                        .setSpec(spec)
                        .build());
    }

    private static JobStatus status(InboxEvent event, Phase phase) {
        return JobStatus.newBuilder()
                .setEnvelope(envelope(event))
                .setJob(event.getJob())
                .setPhase(phase)
                .setAttempt(0)
                .setQueue("default")
                .setPool(event.getPool())
                .setRoles(List.of())
                .setRestarts(new RestartCounts(0, 0))
                .setTimesBuilder(JobTimes.newBuilder().setSubmitted(Instant.EPOCH))
                .setSeq(1)
                .build();
    }

    private void answer(InboxEvent event, Outcome outcome) {

        send(
                Topics.REQUEST_RESULTS,
                event.getRequestKey(),
                RequestResult.newBuilder()
                        .setEnvelope(envelope(event))
                        .setOutcome(outcome)
                        .setJob(event.getJob())
                        .setCounts(
                                event.getKind() == InboxKind.BULK_CHANGE
                                        ? Map.of("changed", 2L)
                                        : Map.of())
                        .build());
    }

    private void send(Topic<?> topic, String key, SpecificRecord value) {
        var partition =
                topic.equals(Topics.JOB_STATUS)
                        ? dev.muster.schemas.Partitions.ofKey(topic, key)
                        : null;
        producer.send(
                new ProducerRecord<>(
                        topic.name(), partition, key, writer.serialize(topic.name(), value)));
    }

    private static Envelope envelope(InboxEvent event) {
        return Envelope.newBuilder()
                .setId(UUID.randomUUID().toString())
                .setAt(Instant.EPOCH)
                .setActor("pretended")
                .setCause(event.getEnvelope().getId())
                .setRequestId(event.getEnvelope().getRequestId())
                .build();
    }
}
