package dev.muster.watcher.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A watch through a proxy that lets no web sockets through. */
class HttpWatchTest {
    private static final String ADDED =
            """
            {"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1",\
            "metadata":{"name":"hosts","namespace":"ml","resourceVersion":"1"}}}
            """;

    private final HttpServer server =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final AtomicInteger webSockets = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    HttpWatchTest() throws IOException {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    @AfterEach
    void close() {
        closed.countDown();
        server.stop(0);
    }

    @Test
    @Timeout(30)
    void whoIsToldToTriesNoWebSocketAndHears() throws InterruptedException {
        var config =
                new ConfigBuilder(Cluster.config(false))
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .build();
        try (var client = new KubernetesClientBuilder().withConfig(config).build();
                var _ = client.configMaps().inNamespace("ml").watch(new Listener())) {
            assertThat(heard.take()).isEqualTo("hosts");
        }
        assertThat(webSockets).hasValue(0);
    }

    @Test
    void webSocketsAreTriedElse() {
        assertThat(Cluster.config(true).isOnlyHttpWatches()).isFalse();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestHeaders().containsKey("Sec-WebSocket-Key")) {
                webSockets.incrementAndGet();
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(ADDED.getBytes(UTF_8));
            exchange.getResponseBody().flush();
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Listener implements Watcher<ConfigMap> {
        @Override
        public void eventReceived(Action action, ConfigMap object) {
            heard.add(object.getMetadata().getName());
        }

        @Override
        public void onClose(WatcherException cause) {}
    }
}
