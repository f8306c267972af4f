package dev.muster.cli.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.cli.kubernetes.PodLogs.Wanted;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is printed of the logs that an API server has, or has not. */
@Timeout(60)
class PodLogsTest {
    private static final String NEVER_RAN =
            """
            {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"BadRequest","code":400,
             "message":"container \\"main\\" in pod \\"a-worker-0\\" is waiting to start"}
            """;

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Those that are there at each question, the last of them from then on. */
    private final List<List<String>> pods = Collections.synchronizedList(new ArrayList<>());

    private final CountDownLatch worker = new CountDownLatch(1);
    private final HttpServer server;

    @TempDir private Path folder;

    PodLogsTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @BeforeEach
    void writeTheKubeconfig() throws IOException {
        Files.writeString(
                folder.resolve("kubeconfig"),
                """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: u, user: {}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """
                        .formatted(server.getAddress().getPort()));
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void podWithoutALogIsToldAndTheOthersArePrinted() {
        pods.add(List.of("master-0", "worker-0", "worker-1"));
        try (var logs = open()) {
            assertThat(logs.print(wanted("ml"), lines::add)).isFalse();
        }
        assertThat(lines)
                .containsExactly(
                        "master-0 | log of a-master-0",
                        "worker-0 | (no log: container \"main\" in pod \"a-worker-0\" is waiting to"
                                + " start)",
                        "worker-1 | log of a-worker-1");
    }

    @Test
    void onePodsLogHasNothingBeforeItsLines() {
        pods.add(List.of("worker-1"));
        try (var logs = open()) {
            assertThat(logs.print(wanted("ml"), lines::add)).isTrue();
        }
        assertThat(lines).containsExactly("log of a-worker-1");
    }

    @Test
    void podsThatStartLaterAreFollowedToo() {
        pods.add(List.of("master-0"));
        pods.add(List.of("master-0", "worker-1"));
        try (var logs = open()) {
            logs.follow(wanted("ml"), lines::add);
        }
        assertThat(lines)
                .containsExactlyInAnyOrder(
                        "master-0 | log of a-master-0", "worker-1 | log of a-worker-1");
    }

    @Test
    void jobWithoutPodsIsLookedForInItsNamespace() {
        pods.add(List.of());
        try (var logs = open()) {
            assertThatThrownBy(() -> logs.print(wanted("ml"), lines::add))
                    .hasMessage(
                            "there is no pod of a job ml/a ('muster get a -n ml' shows the job, if"
                                    + " it is there)");
        }
    }

    private PodLogs open() {
        return PodLogs.open(folder.resolve("kubeconfig"));
    }

    private static Wanted wanted(String namespace) {
        return new Wanted(namespace, "a", null, null, null);
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        if (!path.endsWith("/log")) {
            var now = pods.size() > 1 ? pods.removeFirst() : pods.getFirst();
            say(exchange, 200, list(now));
        } else if (path.contains("worker-0")) {
            say(exchange, 400, NEVER_RAN);
        } else {
            var query = exchange.getRequestURI().getQuery();
            if (path.contains("master") && query.contains("follow=true")) {
                await();
            } else {
                worker.countDown();
            }
            var steps = path.split("/");
            say(exchange, 200, "log of " + steps[steps.length - 2] + "\n");
        }
    }

    /** The master writes when the worker is read, too. */
    private void await() throws IOException {
        try {
            worker.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static String list(List<String> pods) {
        return "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":["
                + pods.stream().map(PodLogsTest::pod).collect(Collectors.joining(","))
                + "]}";
    }

    private static String pod(String rank) {
        var words = rank.split("-");
        return """
        {"kind":"Pod","apiVersion":"v1",
         "metadata":{"name":"a-%1$s","namespace":"ml","uid":"%1$s",
          "labels":{"muster.dev/job":"a","muster.dev/role":"%2$s","muster.dev/index":"%3$s"}},
         "spec":{"containers":[{"name":"main"}]},
         "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}
        """
                .formatted(rank, words[0], words[1]);
    }

    private static void say(HttpExchange exchange, int code, String text) throws IOException {
        var bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
