package dev.muster.sandbox.node;

import dev.muster.sandbox.node.core.Launch;
import dev.muster.sandbox.node.core.Mounts;
import dev.muster.sandbox.node.core.PodAddress;
import dev.muster.sandbox.node.core.Readiness;
import dev.muster.sandbox.node.process.ContainerProcess;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks one incarnation of a container, again and again, whether it is ready. A probe by gRPC or
 * HTTPS asks no more than whether the port takes connections.
 */
final class ReadinessProbe {
    private static final HttpClient HTTP =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(1))
                    .build();
    private static final int PERIOD = 10;
    private static final int FAILURES = 3;

    private final Pod pod;
    private final Container container;
    private final Probe probe;
    private final Mounts mounts;
    private final ContainerProcess process;

    /**
     * @param root the folder that stands for the container's {@code /}
     */
    ReadinessProbe(Pod pod, Container container, Path root, ContainerProcess process) {
        this.pod = pod;
        this.container = container;
        this.probe = container.getReadinessProbe();
        this.mounts = Launch.mounts(container, root.toString());
        this.process = process;
    }

    /** Asks until the process has ended. */
    void run(Consumer<Boolean> onChange) {
        var period = seconds(probe.getPeriodSeconds(), PERIOD);
        var memory = Readiness.UNASKED;
        boolean ended = process.awaitEnd(seconds(probe.getInitialDelaySeconds(), 0));
        while (!ended) {
            var before = memory;
            memory =
                    before.answered(
                            ask(),
                            or(probe.getSuccessThreshold(), 1),
                            or(probe.getFailureThreshold(), FAILURES));
            if (memory.ready() != before.ready()) {
                onChange.accept(memory.ready());
            }
            ended = process.awaitEnd(period);
        }
    }

    private boolean ask() {
        var timeout = seconds(probe.getTimeoutSeconds(), 1);
        try {
            if (probe.getExec() != null) {
                var command = probe.getExec().getCommand().stream().map(mounts::resolve);
                return process.exec(command.toList(), timeout);
            }
            var http = probe.getHttpGet();
            if (http != null && !"HTTPS".equals(http.getScheme())) {
                return answers(http, timeout);
            }
            if (http != null) {
                return connects(http.getHost(), port(http.getPort()), timeout);
            }
            var tcp = probe.getTcpSocket();
            return tcp != null
                    ? connects(tcp.getHost(), port(tcp.getPort()), timeout)
                    : connects(null, or(probe.getGrpc().getPort(), 0), timeout);
        } catch (IOException notReady) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean answers(HTTPGetAction http, Duration timeout)
            throws IOException, InterruptedException {
        var path = Objects.requireNonNullElse(http.getPath(), "/");
        var uri =
                "http://%s:%d%s%s"
                        .formatted(
                                host(http.getHost()),
                                port(http.getPort()),
                                path.startsWith("/") ? "" : "/",
                                path);
        var request = HttpRequest.newBuilder(URI.create(uri)).timeout(timeout);
        http.getHttpHeaders().stream()
                .filter(header -> !header.getName().equalsIgnoreCase("Host"))
                .forEach(header -> request.header(header.getName(), header.getValue()));
        int status = HTTP.send(request.build(), BodyHandlers.discarding()).statusCode();
        return status >= 200 && status < 400;
    }

    private boolean connects(@Nullable String host, int port, Duration timeout) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host(host), port), (int) timeout.toMillis());
            return true;
        }
    }

    private String host(@Nullable String stated) {
        return stated == null || stated.isEmpty() ? PodAddress.of(pod) : stated;
    }

    private int port(IntOrString stated) throws IOException {
        if (stated.getIntVal() != null) {
            return stated.getIntVal();
        }
        return container.getPorts().stream()
                .filter(port -> stated.getStrVal().equals(port.getName()))
                .findFirst()
                .orElseThrow(() -> new IOException("no port is named " + stated.getStrVal()))
                .getContainerPort();
    }

    private static Duration seconds(@Nullable Integer stated, int otherwise) {
        return Duration.ofSeconds(or(stated, otherwise));
    }

    private static int or(@Nullable Integer stated, int otherwise) {
        return stated == null ? otherwise : stated;
    }
}
