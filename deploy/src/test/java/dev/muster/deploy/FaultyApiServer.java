package dev.muster.deploy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Stands in front of the API server, and misbehaves towards whom it is told to. */
final class FaultyApiServer implements AutoCloseable {
    private static final List<String> PASSED_ON =
            List.of("Authorization", "Accept", "Content-Type");
    private static final int KNOWS_NO_WEB_SOCKETS = 200;
    private static final Duration LATE_BY = Duration.ofSeconds(3);

    /** What a watch is told whose resource version the server has forgotten. */
    private static final String GONE =
            """
            {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":\
            "Failure","message":"too old resource version","reason":"Expired","code":410}}
            """;

    /** As of a server that does not know the roles yet. */
    private static final String NO_RIGHT =
            "pods is forbidden: User \\\"muster\\\" cannot create resource \\\"pods\\\" in API group"
                    + " \\\"\\\"";

    private final HttpServer server;
    private final String behind;
    private final HttpClient client;
    private final AtomicInteger committed = new AtomicInteger();
    private volatile Fault fault = new Fault(_ -> false, How.REFUSED, 0);

    /** How a request is treated. */
    enum How {
        /** Answered with the code, and not done. */
        REFUSED,
        /** Done, and the connection closed before the answer. */
        DONE_WITHOUT_ANSWER,
        /** A watch that ends at once: what it wants to hear of is too long ago. */
        WATCH_TOO_OLD,
        /** A watch whose news come up to three seconds late, as of a cache that is behind. */
        LATE
    }

    /**
     * One kind of misbehaviour.
     *
     * @param of what requests
     * @param code of a refusal
     */
    record Fault(Predicate<Asked> of, How how, int code) {}

    /** A request. */
    record Asked(String method, String path, String query) {
        boolean isWrite() {
            return !method.equals("GET");
        }

        boolean isOfPods() {
            return path.contains("/pods");
        }

        boolean isOfSecrets() {
            return path.contains("/secrets");
        }

        boolean isWatch() {
            return query.contains("watch=true");
        }
    }

    FaultyApiServer() throws IOException {
        var config = Config.fromKubeconfig(TheSystem.context().kubeconfig().toFile());
        behind = config.getMasterUrl().replaceAll("/+$", "");
        client = HttpClient.newBuilder().sslContext(Trusting.context()).build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    /** From now on these requests are treated so, and all others as they should be. */
    void misbehave(Fault next) {
        committed.set(0);
        fault = next;
    }

    void behave() {
        fault = new Fault(_ -> false, How.REFUSED, 0);
    }

    /** How many requests were treated badly since it was last told to. */
    int count() {
        return committed.get();
    }

    /** A kubeconfig that leads here, with the login of another. */
    Path kubeconfig(Path real, Path file) {
        try {
            var here = "http://127.0.0.1:" + server.getAddress().getPort();
            var text =
                    Files.readString(real)
                            .replaceAll("server: .*", "server: " + here)
                            .replaceAll("    certificate-authority-data: .*\n", "");
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestHeaders().containsKey("Sec-WebSocket-Key")) {
                // A client then watches by plain HTTP; what is unavailable it would try for long.
                exchange.sendResponseHeaders(KNOWS_NO_WEB_SOCKETS, -1);
                return;
            }
            var uri = exchange.getRequestURI();
            var query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
            var asked = new Asked(exchange.getRequestMethod(), uri.getPath(), query);
            var now = fault;
            if (!now.of().test(asked)) {
                pass(exchange, uri, Duration.ZERO);
                return;
            }
            committed.incrementAndGet();
            switch (now.how()) {
                case REFUSED -> answer(exchange, now.code(), status(now.code(), asked));
                case DONE_WITHOUT_ANSWER -> asked(uri, exchange).body().close();
                case WATCH_TOO_OLD -> answer(exchange, 200, GONE);
                case LATE -> pass(exchange, uri, LATE_BY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String status(int code, Asked asked) {
        return """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"%s",\
        "message":"%s","code":%d}
        """
                .formatted(
                        switch (code) {
                            // Nobody may look whether a secret is there: it is not.
                            case 409 -> asked.isOfSecrets() ? "Conflict" : "AlreadyExists";
                            case 403 -> "Forbidden";
                            case 429 -> "TooManyRequests";
                            default -> "InternalError";
                        },
                        code == 403 ? NO_RIGHT : "as the test wants it",
                        code);
    }

    private static void answer(HttpExchange exchange, int code, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        if (code == 429) {
            exchange.getResponseHeaders().set("Retry-After", "1");
        }
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private void pass(HttpExchange exchange, URI uri, Duration late)
            throws IOException, InterruptedException {
        var response = asked(uri, exchange);
        try (var in = response.body()) {
            response.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            exchange.sendResponseHeaders(response.statusCode(), 0);
            var out = exchange.getResponseBody();
            out.flush(); // Else a watch of what does not change seems not to be answered.
            var block = new byte[1 << 13];
            long passed = System.nanoTime() - late.toNanos();
            for (int read = in.read(block); read >= 0; read = in.read(block)) {
                // What came during a delay is not delayed once more.
                if (System.nanoTime() - passed >= late.toNanos()) {
                    LockSupport.parkNanos(late.toNanos());
                    passed = System.nanoTime();
                }
                out.write(block, 0, read);
                out.flush();
            }
        }
    }

    private HttpResponse<InputStream> asked(URI uri, HttpExchange exchange)
            throws IOException, InterruptedException {
        var body = exchange.getRequestBody().readAllBytes();
        var request =
                HttpRequest.newBuilder(URI.create(behind + uri))
                        .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        for (var name : PASSED_ON) {
            var value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        return client.send(request.build(), BodyHandlers.ofInputStream());
    }

    @Override
    public void close() {
        server.stop(0);
        client.shutdownNow();
    }
}
