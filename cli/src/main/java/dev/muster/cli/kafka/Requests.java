package dev.muster.cli.kafka;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.schemas.trainjob.TrainJobForm.Read;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobRequestKind;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.QueueRequestKind;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.RequestResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Produces requests, and waits for the one answer to each. */
public final class Requests implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    private final Context context;
    private final String actor;
    private final Consumer<String, RequestResult> results;
    private final Map<String, RequestResult> answers = new TreeMap<>();

    private Requests(Context context, String actor, Consumer<String, RequestResult> results) {
        this.context = context;
        this.actor = actor;
        this.results = results;
    }

    /** From now on answers are heard. */
    public static Requests open(Context context, String actor) {
        Consumer<String, RequestResult> results = Kafka.consumer(context);
        try {
            var partitions = Kafka.assign(results, Topics.REQUEST_RESULTS);
            results.seekToEnd(partitions);
            // Seeking is lazy: what is sent after this comes after these positions.
            partitions.forEach(results::position);
            return new Requests(context, actor, results);
        } catch (KafkaException e) {
            results.close();
            throw Kafka.trouble(context, e);
        }
    }

    /** Produces the submission of a job; the request's id. */
    public String submit(Read job) {
        var id = UUID.randomUUID().toString();
        var request =
                JobRequest.newBuilder()
                        .setEnvelope(envelope(id))
                        .setKind(JobRequestKind.SUBMIT)
                        .setNamespace(job.namespace())
                        .setName(job.name())
                        .setSubmit(job.spec())
                        .build();
        send(Topics.JOB_REQUESTS, JobKeys.of(job.namespace(), job.name()), request);
        return id;
    }

    /** Produces the wish for a queue that is so in every field; the request's id. */
    public String put(String name, QueueSpec queue) {
        return put(new QueueSetting(name, queue));
    }

    /** Produces the wish for a queue; the request's id. */
    public String put(QueueSetting queue) {
        return send(
                asked(queue.name())
                        .setKind(QueueRequestKind.CHANGE_QUEUE)
                        .setQueue(queue.spec())
                        .setFields(queue.fields())
                        .setCreate(true));
    }

    /** Produces the wish for a pool; the request's id. */
    public String put(String name, PoolSpec pool) {
        return send(asked(name).setKind(QueueRequestKind.PUT_POOL).setPool(pool));
    }

    /** Produces the wish for a queue if there is none of the name; the request's id. */
    public String make(String name, QueueSpec queue) {
        return send(
                asked(name).setKind(QueueRequestKind.CHANGE_QUEUE).setQueue(queue).setCreate(true));
    }

    /** Produces the wish for a pool if there is none of the name; the request's id. */
    public String make(String name, PoolSpec pool) {
        return send(
                asked(name).setKind(QueueRequestKind.CHANGE_POOL).setPool(pool).setCreate(true));
    }

    private QueueRequest.Builder asked(String name) {
        return QueueRequest.newBuilder()
                .setEnvelope(envelope(UUID.randomUUID().toString()))
                .setName(name);
    }

    private String send(QueueRequest.Builder asked) {
        var request = asked.build();
        send(Topics.QUEUE_REQUESTS, request.getName(), request);
        return request.getEnvelope().getId();
    }

    private Envelope envelope(String id) {
        return Envelope.newBuilder()
                .setId(id)
                .setAt(Instant.now())
                .setActor(actor)
                .setRequestId(id)
                .build();
    }

    private <T extends SpecificRecord> void send(Topic<T> topic, String key, T value) {
        try (var producer = Kafka.<T>producer(context)) {
            // A producer that asks for a topic makes it where the broker allows that.
            Kafka.partitions(results, topic);
            producer.send(new ProducerRecord<>(topic.name(), key, value)).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException kafka
                    ? Kafka.trouble(context, kafka)
                    : CommandFailedException.failed(
                            "cannot produce to " + topic.name() + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailedException.failed("interrupted", e);
        } catch (KafkaException e) {
            throw Kafka.trouble(context, e);
        }
    }

    /**
     * Waits for the answer to a request that was produced here.
     *
     * @throws CommandFailedException when there is none within the time
     */
    public RequestResult answer(String requestId, Duration within) {
        var end = System.nanoTime() + within.toNanos();
        try {
            while (!answers.containsKey(requestId)) {
                if (System.nanoTime() > end) {
                    throw CommandFailedException.failed(
                            "no answer to the request within " + within.toSeconds() + " s", null);
                }
                for (var record : results.poll(POLL)) {
                    @Nullable String answered = record.value().getEnvelope().getRequestId();
                    if (answered != null) {
                        answers.put(answered, record.value());
                    }
                }
            }
        } catch (KafkaException e) {
            throw Kafka.trouble(context, e);
        }
        return answers.get(requestId);
    }

    @Override
    public void close() {
        results.close(CloseOptions.timeout(Duration.ZERO));
    }
}
