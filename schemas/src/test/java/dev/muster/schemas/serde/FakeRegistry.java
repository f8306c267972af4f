package dev.muster.schemas.serde;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A schema registry in memory, on a free port of this machine: as much of Confluent's API as a
 * serde asks for. For fast tests; its compatibility rule is to take everything.
 */
public final class FakeRegistry implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpServer server;
    private final List<String> schemas = new ArrayList<>();
    private final List<String> subjects = new ArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Answer> next = new CopyOnWriteArrayList<>();
    private @Nullable String authorization;
    private volatile CountDownLatch silence = new CountDownLatch(0);

    private record Answer(int status, String body) {}

    /** Takes registrations and answers at once. */
    public FakeRegistry() {
        this(0, null);
    }

    FakeRegistry(int port, @Nullable SSLContext ssl) {
        this(port, ssl, false);
    }

    FakeRegistry(int port, @Nullable SSLContext ssl, boolean clientsShowWhoTheyAre) {
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            if (ssl == null) {
                server = HttpServer.create(address, 0);
            } else {
                var secure = HttpsServer.create(address, 0);
                secure.setHttpsConfigurator(
                        new HttpsConfigurator(ssl) {
                            @Override
                            public void configure(HttpsParameters parameters) {
                                var wanted = ssl.getDefaultSSLParameters();
                                wanted.setNeedClientAuth(clientsShowWhoTheyAre);
                                parameters.setSSLParameters(wanted);
                            }
                        });
                server = secure;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    /** The root of its API. */
    public String url() {
        var scheme = server instanceof HttpsServer ? "https" : "http";
        return scheme + "://localhost:" + port();
    }

    /** What a serde needs to be told. */
    public Map<String, String> config() {
        return Map.of("schema.registry.url", url());
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** What was asked so far, as in {@code GET /schemas/ids/1}. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Makes the next request, and with further calls the ones after it, answer so. */
    public void answerNext(int status, String body) {
        next.add(new Answer(status, body));
    }

    /** From now on it takes requests and answers none, until {@link #speakAgain}. */
    public void fallSilent() {
        silence = new CountDownLatch(1);
    }

    public void speakAgain() {
        silence.countDown();
    }

    /** From now on only requests with this header are answered. */
    void ask(String authorization) {
        this.authorization = authorization;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            silence.await();
            var answer = answer(exchange);
            var bytes = answer.body().getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Answer answer(HttpExchange exchange) throws IOException {
        var given = exchange.getRequestHeaders().getFirst("Authorization");
        if (authorization != null && !authorization.equals(given)) {
            return error(401, 401, "Unauthorized");
        }
        if (!next.isEmpty()) {
            return next.removeFirst();
        }
        var path = exchange.getRequestURI().getRawPath().split("/");
        var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        return switch (path[1]) {
            case "schemas" -> schema(Integer.parseInt(path[3]));
            case "subjects" -> subject(URLDecoder.decode(path[2], UTF_8), path.length > 3, body);
            default -> error(404, 404, "HTTP 404 Not Found");
        };
    }

    private Answer schema(int id) {
        return id < 1 || id > schemas.size()
                ? error(404, 40403, "Schema not found")
                : ok(Map.of("schema", schemas.get(id - 1)));
    }

    private Answer subject(String subject, boolean register, String body) {
        var schema = JSON.readTree(body).path("schema").asString();
        var name = subject + "=" + schema;
        if (!subjects.contains(name)) {
            if (!register) {
                return error(404, 40401, "Subject not found");
            }
            subjects.add(name);
        }
        if (!schemas.contains(schema)) {
            schemas.add(schema);
        }
        return ok(Map.of("id", schemas.indexOf(schema) + 1));
    }

    private static Answer ok(Map<String, ?> body) {
        return new Answer(200, JSON.writeValueAsString(body));
    }

    private static Answer error(int status, int code, String message) {
        return new Answer(
                status, JSON.writeValueAsString(Map.of("error_code", code, "message", message)));
    }

    @Override
    public void close() {
        speakAgain();
        server.stop(0);
    }
}
