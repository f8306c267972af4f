package dev.muster.watcher.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Has nothing to list, and says in a watch, on a word, that it knows nothing of its version. */
final class ForgetfulApiServer implements AutoCloseable {
    private static final String EMPTY =
            """
            {"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}
            """;
    private static final String BOOKMARK =
            """
            {"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1",\
            "metadata":{"resourceVersion":"1"}}}
            """;
    private static final String GONE =
            """
            {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},\
            "status":"Failure","message":"too old","reason":"Expired","code":410}}
            """;

    private final HttpServer server =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final AtomicInteger lists = new AtomicInteger();
    private final AtomicInteger watches = new AtomicInteger();
    private final CountDownLatch forgets = new CountDownLatch(1);
    private final CountDownLatch listsAgain = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    ForgetfulApiServer() throws IOException {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** The first watch can go on no more, and the list that follows is not answered. */
    void forgets() {
        forgets.countDown();
    }

    /** Answers it. */
    void lists() {
        listsAgain.countDown();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestHeaders().containsKey("Sec-WebSocket-Key")) {
                exchange.sendResponseHeaders(200, -1); // A client then watches by plain HTTP.
            } else if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
                watch(exchange);
            } else {
                list(exchange);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void list(HttpExchange exchange) throws IOException, InterruptedException {
        if (lists.getAndIncrement() > 0) {
            listsAgain.await();
        }
        answer(exchange, EMPTY);
    }

    private void watch(HttpExchange exchange) throws IOException, InterruptedException {
        boolean isFirst = watches.getAndIncrement() == 0;
        answer(exchange, BOOKMARK);
        if (isFirst) {
            forgets.await();
            write(exchange, GONE);
        } else {
            closed.await();
        }
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        write(exchange, text);
    }

    private static void write(HttpExchange exchange, String line) throws IOException {
        exchange.getResponseBody().write(line.getBytes(UTF_8));
        exchange.getResponseBody().flush();
    }

    @Override
    public void close() {
        forgets.countDown();
        listsAgain.countDown();
        closed.countDown();
        server.stop(0);
    }
}
