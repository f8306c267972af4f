package dev.muster.sandbox.node.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.sandbox.node.core.PodStatuses;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kubelet's port on the loopback address: logs, the pods, and a sign of life. Whoever may reach
 * the machine's loopback may ask: it is a sandbox.
 */
public final class KubeletServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KubeletServer.class);

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ContainerLogs logs;
    private final KubernetesSerialization serialization;

    private KubeletServer(
            HttpsServer server, ContainerLogs logs, KubernetesSerialization serialization) {
        this.server = server;
        this.logs = logs;
        this.serialization = serialization;
    }

    /**
     * Starts it.
     *
     * @param port 0 takes a free one
     * @param folder where its certificate is kept
     */
    public static KubeletServer start(
            int port, Path folder, ContainerLogs logs, KubernetesSerialization serialization)
            throws IOException {
        var address = new InetSocketAddress(PodStatuses.HOST_IP, port);
        var https = HttpsServer.create(address, 0);
        https.setHttpsConfigurator(new HttpsConfigurator(Certificate.in(folder).context()));
        var server = new KubeletServer(https, logs, serialization);
        https.setExecutor(server.threads);
        https.createContext("/", server::answer);
        https.start();
        return server;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = List.of(exchange.getRequestURI().getPath().substring(1).split("/", -1));
            switch (path.getFirst()) {
                case "healthz" -> send(exchange, 200, "ok");
                case "pods" -> {
                    var all = new PodListBuilder().withItems(logs.pods()).build();
                    exchange.getResponseHeaders().add("Content-Type", "application/json");
                    send(exchange, 200, serialization.asJson(all));
                }
                case "containerLogs" -> log(exchange, path);
                default -> send(exchange, 404, "the sandbox's node has no " + path.getFirst());
            }
        } catch (IllegalArgumentException e) {
            send(exchange, 400, "" + e.getMessage());
        } catch (IOException e) {
            // Usually the reader of a log that is followed has enough.
            LOG.atDebug().addKeyValue("why", e.getMessage()).log("answer cut short");
        }
    }

    private void log(HttpExchange exchange, List<String> path) throws IOException {
        if (path.size() != 4) {
            throw new IllegalArgumentException("/containerLogs/NAMESPACE/POD/CONTAINER is known");
        }
        var query = LogQuery.of(exchange.getRequestURI(), Instant.now());
        switch (logs.find(path.get(1), path.get(2), path.get(3), query.previous())) {
            case ContainerLogs.Answer.Unknown(var message) -> send(exchange, 404, message);
            case ContainerLogs.Answer.Nothing(var message) -> send(exchange, 400, message);
            case ContainerLogs.Answer.Found(var log, var growing) -> {
                if (!Files.exists(log)) {
                    send(exchange, 400, "that log is not here any more");
                    return;
                }
                exchange.getResponseHeaders().add("Content-Type", "text/plain");
                exchange.sendResponseHeaders(200, 0);
                LogTail.copy(log, query, growing, exchange.getResponseBody());
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
