package dev.muster.bench.jobs;

import static java.util.Objects.requireNonNull;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.kafka.Kafka;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobRequestKind;
import dev.muster.v1.TrainJobSpec;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Produces submissions of one job under many names, as a user's own producer would. */
public final class Submitter implements AutoCloseable {
    /** Of every job that is measured. */
    public static final String NAMESPACE = "default";

    private static final String ONE_KIND = "";

    private final Producer<String, JobRequest> producer;
    private final Map<String, TrainJobSpec> kinds;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    private Submitter(Producer<String, JobRequest> producer, Map<String, TrainJobSpec> kinds) {
        this.producer = producer;
        this.kinds = kinds;
    }

    /**
     * Connects, to submit jobs of one kind.
     *
     * @param job the text of a TrainJob; its name is not used
     */
    public static Submitter open(Context context, String job) {
        return open(context, Map.of(ONE_KIND, job));
    }

    /**
     * Connects.
     *
     * @param jobs the texts of TrainJobs by what they are called in {@link #submit(String, String)}
     */
    public static Submitter open(Context context, Map<String, String> jobs) {
        var kinds = new TreeMap<String, TrainJobSpec>();
        jobs.forEach((kind, text) -> kinds.put(kind, read(text)));
        var submitter = new Submitter(Kafka.producer(context), kinds);
        // Else the first submission fetches what the client must know of the topic.
        submitter.producer.partitionsFor(Topics.JOB_REQUESTS.name());
        return submitter;
    }

    private static TrainJobSpec read(String job) {
        return switch (TrainJobForm.read(job)) {
            case TrainJobForm.Read read -> read.spec();
            case TrainJobForm.Refused(var problems, var _) ->
                    throw new IllegalArgumentException("not a job: " + problems);
        };
    }

    /**
     * Submits a job of the only kind.
     *
     * @return the moment just before it was sent
     */
    public long submit(String name) {
        return submit(name, ONE_KIND);
    }

    /**
     * Submits a job under a name that was not used yet; does not wait for the broker.
     *
     * @return the moment just before it was sent
     */
    public long submit(String name, String kind) {
        var failed = failure.get();
        if (failed != null) {
            throw CommandFailedException.failed(
                    "a submission was lost: " + failed.getMessage(), failed);
        }
        var request =
                JobRequest.newBuilder()
                        .setEnvelope(
                                Envelope.newBuilder()
                                        .setId(name)
                                        .setAt(Instant.now())
                                        .setActor("bench")
                                        .setRequestId(name)
                                        .build())
                        .setKind(JobRequestKind.SUBMIT)
                        .setNamespace(NAMESPACE)
                        .setName(name)
                        .setSubmit(requireNonNull(kinds.get(kind), kind))
                        .build();
        var record =
                new ProducerRecord<>(
                        Topics.JOB_REQUESTS.name(), JobKeys.of(NAMESPACE, name), request);
        long moment = System.nanoTime();
        var _ =
                producer.send(
                        record,
                        (_, e) -> {
                            if (e != null) {
                                failure.compareAndSet(null, e);
                            }
                        });
        return moment;
    }

    @Override
    public void close() {
        producer.close();
    }
}
