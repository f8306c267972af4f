package dev.muster.deploy;

import static java.net.HttpURLConnection.HTTP_ACCEPTED;

import dev.muster.cli.kafka.Kafka;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import dev.muster.v1.HookSpec;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobRequestKind;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Requests of a test: what was acknowledged must be answered. */
final class Asked implements AutoCloseable {
    private static final int NO_ANSWER = 599;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration AGAIN = Duration.ofMillis(200);
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final Producer<String, JobRequest> producer = Kafka.producer(TheSystem.context());
    private final HttpClient http = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** By id, what it was. */
    private final Map<String, String> acknowledged = new ConcurrentSkipListMap<>();

    /** Those that the broker, or admission by HTTP, took; by id, with what they were. */
    Map<String, String> acknowledged() {
        return new TreeMap<>(acknowledged);
    }

    /** Whether the job was asked for here, and acknowledged. */
    boolean isSubmitted(String namespace, String name) {
        return acknowledged.containsValue(namespace + "/" + name + " SUBMIT");
    }

    void submit(String namespace, String name, String yaml, boolean byHttp) {
        if (byHttp) {
            repeatedly(namespace + "/" + name + " submitted", "/v1/jobs", yaml);
        } else {
            var spec = Jobs.read(yaml).spec();
            send(request(namespace, name).setKind(JobRequestKind.SUBMIT).setSubmit(spec));
        }
    }

    void change(String namespace, String name, JobChangeKind kind, boolean byHttp) {
        if (byHttp) {
            var verb = kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
            var path = "/v1/jobs/" + namespace + "/" + name + "/" + verb;
            repeatedly(namespace + "/" + name + " " + verb, path, "{}");
        } else {
            var change = JobChange.newBuilder().setKind(kind).build();
            send(request(namespace, name).setKind(JobRequestKind.CHANGE).setChange(change));
        }
    }

    /** The job says that it has saved, as it was asked to; nobody is answered. */
    void saved(String namespace, String name, String ask) {
        var path = "/v1/jobs/" + namespace + "/" + name + "/signals";
        var body = "{\"kind\": \"CheckpointSaved\", \"answers\": \"%s\"}".formatted(ask);
        var request = post(UUID.randomUUID().toString(), path, body);
        var _ = threads.submit(() -> askUntil(request, status -> status == HTTP_ACCEPTED));
    }

    /**
     * The one of that name leaves, and has a second to end by itself.
     *
     * @param hook run once before that
     */
    void scaleIn(String namespace, String name, String rank, List<String> hook, boolean byHttp) {
        scaleIn(namespace, name, rank, SHORT, hook, byHttp);
    }

    /** The one of that name leaves, and has so long to end by itself. */
    void drain(String namespace, String name, String rank, Duration drain) {
        scaleIn(namespace, name, rank, drain, List.of(), false);
    }

    private void scaleIn(
            String namespace,
            String name,
            String rank,
            Duration drain,
            List<String> hook,
            boolean byHttp) {
        if (byHttp) {
            var body =
                    "{\"role\": \"worker\", \"names\": [\"%s\"], \"drain\": \"%ds\"%s}"
                            .formatted(
                                    rank,
                                    drain.toSeconds(),
                                    hook.isEmpty() ? "" : ", " + asJson(hook));
            scale(namespace, name, body);
        } else {
            scale(
                    namespace,
                    name,
                    worker(ScaleKind.IN)
                            .setNames(List.of(rank))
                            .setDrainMillis(drain.toMillis())
                            .setHook(
                                    hook.isEmpty()
                                            ? null
                                            : HookSpec.newBuilder()
                                                    .setCommand(hook)
                                                    .setRetries(0)
                                                    .build()));
        }
    }

    /** So many more come, all or none. */
    void scaleOut(String namespace, String name, int count, boolean byHttp) {
        scaleOut(namespace, name, count, true, byHttp);
    }

    /** As many of these come as can. */
    void scaleOutBestEffort(String namespace, String name, int count, boolean byHttp) {
        scaleOut(namespace, name, count, false, byHttp);
    }

    private void scaleOut(
            String namespace, String name, int count, boolean atomic, boolean byHttp) {
        if (byHttp) {
            var body =
                    "{\"role\": \"worker\", \"out\": %d, \"timeout\": \"10m\", \"bestEffort\": %b}"
                            .formatted(count, !atomic);
            scale(namespace, name, body);
        } else {
            scale(
                    namespace,
                    name,
                    worker(ScaleKind.OUT)
                            .setCount(count)
                            .setAtomic(atomic)
                            .setTimeoutMillis(600_000));
        }
    }

    /** The command of scale that is under way is taken back. */
    void withdraw(String namespace, String name, boolean byHttp) {
        if (byHttp) {
            scale(namespace, name, "{\"cancel\": true}");
        } else {
            scale(namespace, name, ScaleSpec.newBuilder().setKind(ScaleKind.CANCEL).setRole(""));
        }
    }

    private void scale(String namespace, String name, String body) {
        var path = "/v1/jobs/" + namespace + "/" + name + "/scale";
        repeatedly(namespace + "/" + name + " scale", path, body);
    }

    private void scale(String namespace, String name, ScaleSpec.Builder scale) {
        var change =
                JobChange.newBuilder().setKind(JobChangeKind.SCALE).setScale(scale.build()).build();
        send(request(namespace, name).setKind(JobRequestKind.CHANGE).setChange(change));
    }

    private static ScaleSpec.Builder worker(ScaleKind kind) {
        return ScaleSpec.newBuilder().setKind(kind).setRole("worker");
    }

    private static String asJson(List<String> hook) {
        var command = String.join("\", \"", hook);
        return "\"hook\": {\"command\": [\"" + command + "\"], \"retries\": 0}";
    }

    private static JobRequest.Builder request(String namespace, String name) {
        var id = UUID.randomUUID().toString();
        var envelope =
                Envelope.newBuilder()
                        .setId(id)
                        .setAt(Instant.now())
                        .setActor("crash test")
                        .setRequestId(id)
                        .build();
        return JobRequest.newBuilder().setEnvelope(envelope).setNamespace(namespace).setName(name);
    }

    private void send(JobRequest.Builder builder) {
        var request = builder.build();
        var key = JobKeys.of(request.getNamespace(), request.getName());
        try {
            producer.send(new ProducerRecord<>(Topics.JOB_REQUESTS.name(), key, request)).get();
            acknowledged.put(request.getEnvelope().getRequestId(), key + " " + kind(request));
        } catch (ExecutionException e) {
            throw new AssertionError("the broker did not take a request of " + key, e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String kind(JobRequest request) {
        var change = request.getChange();
        return change == null ? request.getKind().name() : change.getKind().name();
    }

    /** As a client does whose server went away: the same key, until there is an answer. */
    private void repeatedly(String what, String path, String body) {
        var id = UUID.randomUUID().toString();
        var request = post(id, path, body);
        var _ =
                threads.submit(() -> {
                    askUntil(request, status -> status < 500 && status != HTTP_ACCEPTED);
                    acknowledged.put(id, what);
                });
    }

    private static HttpRequest post(String id, String path, String body) {
        return HttpRequest.newBuilder(URI.create(TheSystem.context().admission() + path))
                .timeout(Duration.ofSeconds(10))
                .header("Idempotency-Key", id)
                .header(
                        "Content-Type",
                        body.startsWith("{") ? "application/json" : "application/yaml")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    /** Ends after a while, whether it is answered so or not. */
    private void askUntil(HttpRequest request, IntPredicate isAnswer) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end && !isAnswer.test(status(request))) {
            LockSupport.parkNanos(AGAIN.toNanos());
        }
    }

    /** {@link #NO_ANSWER}: there is none. */
    private int status(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return NO_ANSWER;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        producer.close();
        threads.shutdownNow();
    }
}
