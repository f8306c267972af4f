package dev.muster.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.sandbox.TestParts;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Admission on the real broker and registry, one for all tests of the JVM. */
public final class RunningAdmission {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int REPORTS = freePort();
    private static final Path STATE = Path.of("target", "it-state", UUID.randomUUID().toString());

    private static @Nullable RunningAdmission only;

    private final PretendedCoordinator coordinator = new PretendedCoordinator();
    private ConfigurableApplicationContext application;

    private RunningAdmission() {
        createTopics();
        coordinator.start();
        application = start();
    }

    /** Not in a static initialiser: its threads would wait for the class, and it for them. */
    public static synchronized RunningAdmission get() {
        if (only == null) {
            only = new RunningAdmission();
        }
        return only;
    }

    /** What HTTP answered. */
    public record Answer(int status, String contentType, JsonNode body) {
        /** The paths of its problems. */
        public List<String> problemPaths() {
            return body.path("problems").valueStream().map(p -> p.path("path").asString()).toList();
        }
    }

    /** Settings by which any Kafka client finds the parts. */
    static Map<String, Object> client() {
        return Map.of(
                "bootstrap.servers",
                TestParts.bootstrapServers(),
                "schema.registry.url",
                TestParts.registryUrl(),
                "isolation.level",
                "read_committed");
    }

    /** Nobody listened there just now. */
    public static int freePort() {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void createTopics() {
        var topics =
                Topics.all().stream()
                        .map(topic ->
                                new NewTopic(topic.name(), topic.partitions(), (short) 1)
                                        .configs(topic.settings()))
                        .toList();
        try (var admin = Admin.create(client())) {
            admin.createTopics(topics).all().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("topics cannot be created", e);
        }
    }

    private static ConfigurableApplicationContext start() {
        var application =
                new SpringApplicationBuilder(AdmissionApp.class)
                        .run(
                                "--server.port=0",
                                "--admission.report-port=" + REPORTS,
                                "--spring.kafka.bootstrap-servers=" + TestParts.bootstrapServers(),
                                "--spring.kafka.properties.schema.registry.url="
                                        + TestParts.registryUrl(),
                                "--spring.kafka.streams.state-dir=" + STATE,
                                "--admission.answer-timeout=8s");
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> {
                    var ready = get(application, "/actuator/health/readiness");
                    if (ready.statusCode() != 200) {
                        throw new AssertionError(ready.body());
                    }
                });
        return application;
    }

    /** Stops it in good order and starts it again with what it remembers. */
    public void restart() {
        application.close();
        application = start();
    }

    /** What pools were told of how fast a job trains. */
    public List<InboxEvent> digestsOf(String name) {
        return coordinator.digests.stream()
                .filter(event -> event.getJob().getName().equals(name))
                .toList();
    }

    /** What pools were told of what a job has to say. */
    public List<InboxEvent> signalsOf(String name) {
        return coordinator.signals.stream()
                .filter(event -> event.getJob().getName().equals(name))
                .toList();
    }

    /** As a client does it: while there is no answer it asks again under the same key. */
    public Answer submit(String text) {
        return submit(text, UUID.randomUUID().toString());
    }

    public Answer submit(String text, String key) {
        for (int i = 0; i < 5; i++) {
            var answer = submitOnce(text, key);
            if (answer.status() != 202) {
                return answer;
            }
        }
        throw new AssertionError("no answer to " + key);
    }

    public Answer submitOnce(String text, String key) {
        return send(
                request("/v1/jobs")
                        .header("Idempotency-Key", key)
                        .POST(BodyPublishers.ofString(text)));
    }

    /** As curl sends what it is given with -d: under the name of a form. */
    public Answer submitAsForm(String text, String requestId) {
        return send(
                request("/v1/jobs?requestId=" + requestId)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(text)));
    }

    public Answer put(String path, String text) {
        return send(request(path).PUT(BodyPublishers.ofString(text)));
    }

    public Answer patch(String path, String text) {
        return send(request(path).method("PATCH", BodyPublishers.ofString(text)));
    }

    /** The same, by somebody whom the header names. */
    public Answer postAs(String actor, String path, String text) {
        return send(
                request(path).header("X-Muster-Actor", actor).POST(BodyPublishers.ofString(text)));
    }

    public Answer post(String path, String text) {
        return send(request(path).POST(BodyPublishers.ofString(text)));
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer delete(String path) {
        return send(request(path).DELETE());
    }

    /** At the port for what jobs say of themselves. */
    public Answer ofReports(String method, String path, String text) {
        return send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + REPORTS + path))
                        .method(method, BodyPublishers.ofString(text)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(at(application, path));
    }

    private static URI at(ConfigurableApplicationContext application, String path) {
        var port = application.getEnvironment().getRequiredProperty("local.server.port");
        return URI.create("http://localhost:" + port + path);
    }

    private static HttpResponse<String> get(
            ConfigurableApplicationContext application, String path) {
        return exchange(HttpRequest.newBuilder(at(application, path)));
    }

    private static Answer send(HttpRequest.Builder request) {
        var response = exchange(request);
        return new Answer(
                response.statusCode(),
                response.headers().firstValue("content-type").orElse(""),
                JSON.readTree(response.body()));
    }

    private static HttpResponse<String> exchange(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
