package dev.muster.cli.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.cli.kubernetes.Following.Pauses;
import dev.muster.cli.kubernetes.PodLogs.Wanted;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is printed of the logs that an API server has, or has not. */
@Timeout(60)
class PodLogsTest {
    private static final Pauses SHORT =
            new Pauses(Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofMillis(20));

    private static final String NO_LOG =
            """
            {"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,
             "message":"container \\"main\\" in pod \\"a-worker-0\\" is waiting to start"}
            """;

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Those that are there at each question, the last of them from then on. */
    private final List<List<String>> pods = Collections.synchronizedList(new ArrayList<>());

    /** What each question asks for beside the labels. */
    private final List<String> versions = Collections.synchronizedList(new ArrayList<>());

    private final CountDownLatch worker = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    /** How the log of worker-0 is refused. */
    private int refusal = 400;

    /** Whether all questions but the first stay without an answer. */
    private boolean isSilent;

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
        end.countDown();
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
        assertThat(follow()).isTrue();
        assertThat(lines)
                .containsExactlyInAnyOrder(
                        "master-0 | log of a-master-0", "worker-1 | log of a-worker-1");
        // The first says whether there is any, the last whether there is any more.
        assertThat(versions).first().isEqualTo("");
        assertThat(versions).last().isEqualTo("");
        assertThat(versions).contains("0");
    }

    @Test
    void podThatIsYetToStartIsWaitedFor() {
        pods.add(List.of("worker-1", "worker-2-pending"));
        pods.add(List.of("worker-1", "worker-2-pending"));
        pods.add(List.of("worker-1", "worker-2"));
        assertThat(follow()).isTrue();
        assertThat(lines).hasSize(2).last().isEqualTo("worker-2 | log of a-worker-2");
    }

    @Test
    void podThatIsToGoBeforeItStartedIsNotWaitedFor() {
        pods.add(List.of("worker-1", "worker-2-pending-going"));
        assertThat(follow()).isTrue();
        assertThat(lines).containsExactly("log of a-worker-1");
    }

    @Test
    void podWithoutALogIsToldOfWhereOthersAreFollowedToo() {
        pods.add(List.of("worker-0", "worker-1"));
        assertThat(follow()).isFalse();
        assertThat(lines)
                .containsExactlyInAnyOrder(
                        "worker-0 | (no log: container \"main\" in pod \"a-worker-0\" is waiting to"
                                + " start)",
                        "worker-1 | log of a-worker-1");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 500, 504})
    void whatTheKubeletsSideSaysIsOfOnePod(int code) {
        refusal = code;
        pods.add(List.of("worker-0", "worker-1"));
        try (var logs = open()) {
            assertThat(logs.print(wanted("ml"), lines::add)).isFalse();
        }
        assertThat(lines).hasSize(2).last().isEqualTo("worker-1 | log of a-worker-1");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 429, 503})
    void whatTheApiServerRefusesIsNoLineOfALog(int code) {
        refusal = code;
        pods.add(List.of("worker-0", "worker-1"));
        try (var logs = open()) {
            assertThatThrownBy(() -> logs.print(wanted("ml"), lines::add))
                    .hasMessageStartingWith("the API server says: ");
            assertThat(lines).isEmpty();
            assertThatThrownBy(() -> logs.follow(wanted("ml"), lines::add))
                    .hasMessageStartingWith("the API server says: ");
            assertThat(lines).containsExactly("worker-1 | log of a-worker-1");
        }
    }

    @Test
    void nobodyWaitsForAnAnswerOnceNobodyReads() {
        isSilent = true;
        pods.add(List.of("master-0"));
        try (var logs = open()) {
            var _ = logs.follow(wanted("ml"), _ -> false);
        }
        assertThat(versions).hasSize(2);
    }

    @Test
    void podsAreAskedForMoreAndMoreSeldomWhileNoneStarts() {
        var pauses = Pauses.USUAL;
        var second = Duration.ofSeconds(1);
        assertThat(pauses.after(pauses.least(), false)).isEqualTo(second.multipliedBy(4));
        assertThat(pauses.after(second.multipliedBy(16), false)).isEqualTo(pauses.most());
        assertThat(pauses.after(pauses.most(), false)).isEqualTo(second.multipliedBy(30));
        assertThat(pauses.after(pauses.most(), true)).isEqualTo(second.multipliedBy(2));
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

    @Test
    void whatWasBeforeIsReadOfPodsInWhichTheContainerWasStartedAgain() {
        pods.add(List.of("worker-1", "worker-2-again"));
        try (var logs = open()) {
            assertThat(logs.print(previous(), lines::add)).isTrue();
        }
        assertThat(lines).containsExactly("log of a-worker-2 before");
    }

    @Test
    void whereNoneWasThatIsSaid() {
        pods.add(List.of("worker-1", "worker-2-pending"));
        try (var logs = open()) {
            assertThatThrownBy(() -> logs.print(previous(), lines::add))
                    .hasMessage(
                            "in no pod of job ml/a that is there a container was started again");
        }
    }

    private static Wanted previous() {
        return new Wanted("ml", "a", null, null, null, true);
    }

    private PodLogs open() {
        return PodLogs.open(folder.resolve("kubeconfig"), SHORT);
    }

    private boolean follow() {
        try (var logs = open()) {
            return logs.follow(wanted("ml"), lines::add);
        }
    }

    private static Wanted wanted(String namespace) {
        return new Wanted(namespace, "a", null, null, null, false);
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var query = exchange.getRequestURI().getQuery();
        if (!path.endsWith("/log")) {
            versions.add(query.contains("resourceVersion=0") ? "0" : "");
            if (isSilent && versions.size() > 1) {
                worker.countDown();
                await(end);
            }
            var now = pods.size() > 1 ? pods.removeFirst() : pods.getFirst();
            say(exchange, 200, list(now));
        } else if (path.contains("worker-0")) {
            say(exchange, refusal, NO_LOG.formatted(refusal));
        } else {
            if (path.contains("master") && query.contains("follow=true")) {
                // The master writes when the worker is read, too.
                await(worker);
            } else {
                worker.countDown();
            }
            var steps = path.split("/");
            var before = query.contains("previous=true") ? " before" : "";
            say(exchange, 200, "log of " + steps[steps.length - 2] + before + "\n");
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static String list(List<String> pods) {
        return "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":["
                + pods.stream().map(PodLogsTest::pod).collect(Collectors.joining(","))
                + "]}";
    }

    /**
     * @param said role and index, and whether it is pending, or even to go, or started again
     */
    private static String pod(String said) {
        var words = said.split("-");
        return """
        {"kind":"Pod","apiVersion":"v1",
         "metadata":{"name":"a-%1$s-%2$s","namespace":"ml","uid":"%1$s-%2$s",%3$s
          "labels":{"muster.dev/job":"a","muster.dev/role":"%1$s","muster.dev/index":"%2$s"}},
         "spec":{"containers":[{"name":"main"}]},
         "status":{"phase":"%4$s","containerStatuses":[
          {"name":"side","restartCount":7},{"name":"main","restartCount":%5$d}]}}
        """
                .formatted(
                        words[0],
                        words[1],
                        said.endsWith("going")
                                ? "\"deletionTimestamp\":\"2026-01-01T12:00:00Z\","
                                : "",
                        said.contains("pending") ? "Pending" : "Running",
                        said.endsWith("again") ? 1 : 0);
    }

    private static void say(HttpExchange exchange, int code, String text) throws IOException {
        var bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
