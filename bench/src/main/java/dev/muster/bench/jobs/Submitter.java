package dev.muster.bench.jobs;

import dev.muster.cli.Context;
import dev.muster.cli.Trouble;
import dev.muster.cli.kafka.Kafka;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobRequestKind;
import dev.muster.v1.TrainJobSpec;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Produces submissions of one job under many names, as a user's own producer would. */
public final class Submitter implements AutoCloseable {
    /** Of every job that is measured. */
    static final String NAMESPACE = "default";

    private final Producer<String, JobRequest> producer;
    private final TrainJobSpec spec;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    private Submitter(Producer<String, JobRequest> producer, TrainJobSpec spec) {
        this.producer = producer;
        this.spec = spec;
    }

    /**
     * Connects.
     *
     * @param job the text of a TrainJob; its name is not used
     */
    public static Submitter open(Context context, String job) {
        return switch (TrainJobForm.read(job)) {
            case TrainJobForm.Read read -> {
                var submitter = new Submitter(Kafka.producer(context), read.spec());
                // Else the first submission fetches what the client must know of the topic.
                submitter.producer.partitionsFor(Topics.JOB_REQUESTS.name());
                yield submitter;
            }
            case TrainJobForm.Refused(var problems, var _) ->
                    throw new IllegalArgumentException("not a job: " + problems);
        };
    }

    /**
     * Submits the job under a name that was not used yet; does not wait for the broker.
     *
     * @return the moment just before it was sent
     */
    public long submit(String name) {
        var failed = failure.get();
        if (failed != null) {
            throw Trouble.failed("a submission was lost: " + failed.getMessage(), failed);
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
                        .setSubmit(spec)
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
