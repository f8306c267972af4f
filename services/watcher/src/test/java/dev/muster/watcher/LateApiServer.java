package dev.muster.watcher;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.sandbox.TestParts;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands in front of the API server: from a word on nothing is heard of watches through it, or its
 * answers about Leases come late.
 */
public final class LateApiServer implements AutoCloseable {
    private static final List<String> PASSED_ON =
            List.of("Authorization", "Accept", "Content-Type");
    private static final int KNOWS_NO_WEB_SOCKETS = 200;

    private final Config config = Config.fromKubeconfig(TestParts.kubeconfig().toFile());
    private final HttpClient client;
    private final HttpServer server;
    private final AtomicInteger podWatches = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean isLate;
    private volatile Duration leasesLate = Duration.ZERO;

    public LateApiServer() throws Exception {
        client = HttpClient.newBuilder().sslContext(SSLUtils.sslContext(config)).build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    void isLate() {
        isLate = true;
    }

    /** What is asked of Leases from now on is done at once, and answered so much later. */
    public void answersLeasesAfter(Duration later) {
        leasesLate = later;
    }

    /** How often pods were listed, and are watched. */
    int podWatches() {
        return podWatches.get();
    }

    /** A kubeconfig that leads here, with the same login. */
    public Path kubeconfig(Path file) throws IOException {
        var here = "http://127.0.0.1:" + server.getAddress().getPort();
        var text =
                Files.readString(TestParts.kubeconfig())
                        .replaceAll("server: .*", "server: " + here)
                        .replaceAll(" *certificate-authority(-data)?: .*\n", "");
        return Files.writeString(file, text);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestHeaders().containsKey("Sec-WebSocket-Key")) {
                // A client then watches by plain HTTP; what is unavailable it would try for long.
                exchange.sendResponseHeaders(KNOWS_NO_WEB_SOCKETS, -1);
                return;
            }
            pass(exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(HttpExchange exchange) throws IOException, InterruptedException {
        var uri = exchange.getRequestURI();
        var isWatch = String.valueOf(uri.getRawQuery()).contains("watch=true");
        var response = client.send(request(exchange), BodyHandlers.ofInputStream());
        if (isWatch && uri.getPath().endsWith("/pods")) {
            podWatches.incrementAndGet();
        }
        if (uri.getPath().contains("/leases")) {
            var _ = closed.await(leasesLate.toMillis(), TimeUnit.MILLISECONDS);
        }
        try (var in = response.body()) {
            response.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            exchange.sendResponseHeaders(response.statusCode(), 0);
            copy(in, exchange, isWatch);
        }
    }

    private void copy(InputStream in, HttpExchange exchange, boolean isWatch)
            throws IOException, InterruptedException {
        var out = exchange.getResponseBody();
        out.flush(); // Whoever watches knows that he does, though he may never hear anything.
        var block = new byte[1 << 13];
        for (int read = in.read(block); read >= 0; read = in.read(block)) {
            if (isWatch && isLate) {
                closed.await();
                return;
            }
            out.write(block, 0, read);
            out.flush();
        }
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        var behind = config.getMasterUrl().replaceAll("/+$", "");
        var body = exchange.getRequestBody().readAllBytes();
        var request =
                HttpRequest.newBuilder(URI.create(behind + exchange.getRequestURI()))
                        .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        for (var name : PASSED_ON) {
            var value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        return request.build();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        client.shutdownNow();
    }
}
