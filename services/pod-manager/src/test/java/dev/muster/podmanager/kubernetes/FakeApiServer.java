package dev.muster.podmanager.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.podmanager.core.TokenBucket;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An API server that answers everything as it was told to, and remembers what it was asked. */
public final class FakeApiServer implements AutoCloseable {
    /** How authorization says no to a list of one kind. */
    public static final String DENIAL =
            """
            {"reason": "Forbidden", "message": "things.example.com is forbidden: User \\"pods\\"\
             cannot list resource \\"things\\" in API group \\"example.com\\" at the cluster scope"}
            """;

    /** The longest that a client of it keeps quiet when asked to. */
    static final Duration MOST_QUIET = Duration.ofSeconds(30);

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final KubernetesClient client;
    private volatile Answering answering = exchange -> answer(exchange, 200, "{}");

    /** How it answers. */
    @FunctionalInterface
    public interface Answering {
        void answer(HttpExchange exchange) throws IOException;
    }

    public FakeApiServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
        var here = "http://127.0.0.1:" + server.getAddress().getPort();
        client =
                new KubernetesClientBuilder()
                        .withConfig(
                                new ConfigBuilder()
                                        .withMasterUrl(here)
                                        .withRequestRetryBackoffLimit(0)
                                        .build())
                        .build();
    }

    /** From now on it answers so. */
    public void answers(Answering how) {
        answering = how;
    }

    /** The requests in their order: method and path. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    /**
     * A client of it.
     *
     * @param clock is read once for each request, when it begins to wait for its turn
     */
    public Cluster cluster(InstantSource clock) {
        var bucket = new TokenBucket(1_000, 1_000, clock.instant());
        return new Cluster(api(new RateLimit(bucket, 1_000, clock)), "muster");
    }

    ApiServer api(RateLimit limit) {
        return new ApiServer(client, limit, TIMEOUT, MOST_QUIET);
    }

    /** One answer in JSON. */
    public static void answer(HttpExchange exchange, int code, String json) throws IOException {
        var bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private void handle(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath());
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            answering.answer(exchange);
        }
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
