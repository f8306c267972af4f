package dev.muster.cli.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.cli.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Says over HTTP what it was told to say, and keeps what it was asked. */
public final class FakeAdmission implements AutoCloseable {
    private final Deque<Reply> replies = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final HttpServer server;

    private record Reply(int status, String body) {}

    public FakeAdmission() {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    /** What it says next. */
    public FakeAdmission says(int status, String body) {
        replies.add(new Reply(status, body));
        return this;
    }

    /** It takes the next request, and is gone. */
    public FakeAdmission hangsUp() {
        replies.add(new Reply(0, ""));
        return this;
    }

    /** Method, address and body of each request. */
    public List<String> asked() {
        return asked;
    }

    /** The idempotency key of each request. */
    public List<String> keys() {
        return keys;
    }

    /** Where it is. */
    public Context context() {
        return new Context(root(), "b:1", "http://c:2", Path.of("/k.yaml"));
    }

    String root() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
        keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")));
        var reply = replies.remove();
        if (reply.status() == 0) {
            exchange.close();
            return;
        }
        var bytes = reply.body().getBytes(UTF_8);
        exchange.sendResponseHeaders(reply.status(), bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
