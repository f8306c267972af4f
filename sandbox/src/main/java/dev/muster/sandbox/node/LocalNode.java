package dev.muster.sandbox.node;

import dev.muster.sandbox.node.core.NodeShape;
import dev.muster.sandbox.node.core.PodRules;
import dev.muster.sandbox.node.http.KubeletServer;
import dev.muster.sandbox.node.kubernetes.NodeApi;
import dev.muster.sandbox.node.kubernetes.PodApi;
import dev.muster.sandbox.node.process.ContainerProcess;
import dev.muster.sandbox.node.process.Leftovers;
import dev.muster.sandbox.node.process.PortBook;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node, from its start to its stop: it registers, takes the pods that are bound to it, and
 * stops them when it is stopped.
 *
 * <p>It is ready when the file {@code ready} in its folder holds its process id.
 */
public final class LocalNode {
    private static final Logger LOG = LoggerFactory.getLogger(LocalNode.class);
    private static final String VERSION = "v1.36.3";
    private static final Duration BEAT = Duration.ofSeconds(10);
    private static final int BEATS_PER_REGISTRATION = 30;
    // A stop must fit the patience of who asked for it: first containers, then the last reports.
    private static final Duration STOP_GRACE = Duration.ofSeconds(2);
    private static final Duration LAST_WORDS = Duration.ofSeconds(3);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final NodeSettings settings;
    private final KubernetesClient client;
    private final Pods pods;
    private final KubeletServer server;
    private final NodeApi api;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private LocalNode(NodeSettings settings, KubernetesClient client) throws IOException {
        this.settings = settings;
        this.client = client;
        var allocatable = new TreeMap<String, Quantity>();
        var shows = settings.shows();
        shows.allocatable()
                .forEach((name, amount) -> allocatable.put(name, Quantity.parse(amount)));
        var machine =
                new Machine(
                        settings.root(),
                        new PodApi(client),
                        new PodRules(settings.manners().restartDelay()),
                        PortBook.of(settings.root().resolveSibling("ports"), settings.name()),
                        allocatable,
                        settings.manners().services());
        this.pods = new Pods(machine);
        this.server =
                KubeletServer.start(
                        settings.kubeletPort(),
                        settings.root(),
                        pods,
                        client.getKubernetesSerialization());
        var shape =
                new NodeShape(
                        settings.name(), shows.labels(), shows.taints(), allocatable, VERSION);
        this.api = new NodeApi(client, shape, server.port());
    }

    /** Runs a node until the process is ended. {@link NodeSettings} names the arguments. */
    public static void main(String[] arguments) {
        try {
            run(NodeSettings.parse(List.of(arguments)));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + System.lineSeparator() + NodeSettings.USAGE);
            System.exit(2);
        } catch (IOException | KubernetesClientException e) {
            System.err.println("the local node cannot start: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void run(NodeSettings settings) throws IOException {
        if (!System.getProperty("os.name").equals("Linux")) {
            throw new IOException(
                    "it runs containers as processes, which needs Linux; name a cluster that has"
                            + " nodes instead");
        }
        ContainerProcess.setsid();
        Files.createDirectories(settings.root());
        // Secrets that pods mount lie below.
        Files.setPosixFilePermissions(
                settings.root(), PosixFilePermissions.fromString("rwx------"));
        try (var lock = lock(settings.root())) {
            if (settings.manners().endWithNode()) {
                Leftovers.killWithThisJvm(settings.root());
            }
            var node = new LocalNode(settings, PodApi.connect(settings.kubeconfig()));
            Runtime.getRuntime().addShutdownHook(new Thread(node::stop, "stop"));
            node.start();
            node.beat();
            LOG.atDebug().addKeyValue("lock", lock.isOpen()).log("over");
        }
    }

    /** The file that a running node has in its folder: its process id and the kubelet's port. */
    static Path ready(Path root) {
        return root.resolve("ready");
    }

    private static FileChannel lock(Path root) throws IOException {
        var file = root.resolve("lock");
        var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            channel.close();
            throw new IOException("another node has the folder " + root);
        }
        return channel;
    }

    private void start() throws IOException {
        api.register(Instant.now());
        SharedIndexInformer<Pod> informer = new PodApi(client).watch(settings.name(), pods);
        // Answers when the first list is there.
        informer.run();
        pods.clean(informer.getStore().list());
        var written = settings.root().resolve("ready.new");
        Files.writeString(written, ProcessHandle.current().pid() + " " + server.port());
        Files.move(written, ready(settings.root()), StandardCopyOption.ATOMIC_MOVE);
        LOG.atInfo()
                .addKeyValue("node", settings.name())
                .addKeyValue("kubeletPort", server.port())
                .log("ready");
    }

    private void beat() {
        try {
            for (int beat = 1; !stopped.await(BEAT.toMillis(), TimeUnit.MILLISECONDS); beat++) {
                try {
                    if (beat % BEATS_PER_REGISTRATION == 0) {
                        api.register(Instant.now());
                    } else {
                        api.beat(Instant.now());
                    }
                } catch (KubernetesClientException e) {
                    LOG.atWarn().addKeyValue("why", e.getMessage()).log("missed a heartbeat");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops all containers, says so as far as the API server still listens, and is done. */
    private void stop() {
        var end = Instant.now().plus(STOP_GRACE).plus(LAST_WORDS);
        var goodbye = Thread.startVirtualThread(() -> api.report(false, Instant.now()));
        pods.stop(Instant.now().plus(STOP_GRACE));
        while (!pods.allOver() && Instant.now().isBefore(end)) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
        Leftovers.kill(settings.root());
        try {
            goodbye.join(LAST_WORDS);
            Files.deleteIfExists(ready(settings.root()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("why", e.getMessage()).log("left a file");
        }
        server.close();
        stopped.countDown();
    }
}
