package dev.muster.deploy;

import static org.awaitility.Awaitility.await;

import dev.muster.deploy.StepLogs.Life;
import dev.muster.sandbox.node.NodePart;
import dev.muster.sandbox.node.process.PodFolder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The logs of all pods of a namespace, read as they are written: of a pod that is gone its node
 * keeps none.
 */
final class FollowedLogs implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration AGAIN = Duration.ofMillis(100);

    private static final String MAIN = "main";

    private final KubernetesClient client;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Map<String, Followed> byUid = new ConcurrentSkipListMap<>();
    private final SharedIndexInformer<Pod> informer;

    /** Nodes that were killed, by name. */
    private final Map<String, NodePart> dead = new ConcurrentSkipListMap<>();

    private FollowedLogs(KubernetesClient client, String namespace) {
        this.client = client;
        this.informer = client.pods().inNamespace(namespace).inform(new Handler());
    }

    static FollowedLogs of(KubernetesClient client, String namespace) {
        return new FollowedLogs(client, namespace);
    }

    private record Followed(String role, String index, Thread reader, AtomicReference<byte[]> log) {
        private List<String> lines() {
            return new String(log.get(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private final class Handler implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            take(pod);
        }

        @Override
        public void onUpdate(Pod old, Pod pod) {
            take(pod);
        }

        @Override
        public void onDelete(Pod pod, boolean unseen) {
            take(pod);
        }
    }

    private void take(Pod pod) {
        if (runs(pod)) {
            byUid.computeIfAbsent(pod.getMetadata().getUid(), _ -> follow(pod));
        }
    }

    private Followed follow(Pod pod) {
        var log = new AtomicReference<>(new byte[0]);
        var labels = pod.getMetadata().getLabels();
        return new Followed(
                labels.get("muster.dev/role"),
                labels.get("muster.dev/index"),
                Thread.ofVirtual().start(() -> copy(pod, log)),
                log);
    }

    /**
     * Until its process has ended; what breaks off before that is read again. On a dead node it
     * has, though the pod stays for a minute, until Kubernetes collects it.
     */
    private void copy(Pod pod, AtomicReference<byte[]> log) {
        boolean runs = true;
        while (runs && !closed.get()) {
            var lost = dead.get(pod.getSpec().getNodeName());
            var read = lost == null ? ask(pod) : fromDisk(pod, lost);
            log.updateAndGet(known -> read.length > known.length ? read : known);
            runs = lost == null && runs(client.pods().resource(pod).get(), pod);
            LockSupport.parkNanos(AGAIN.toNanos());
        }
    }

    private static boolean runs(@Nullable Pod now, Pod pod) {
        return now != null
                && now.getMetadata().getUid().equals(pod.getMetadata().getUid())
                && runs(now);
    }

    private static boolean runs(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .anyMatch(container -> container.getState().getRunning() != null);
    }

    /** What ran there is read from that node's disk, since nobody else answers for it. */
    void dies(NodePart node) {
        dead.put(node.name(), node);
    }

    private static byte[] fromDisk(Pod pod, NodePart node) {
        var meta = pod.getMetadata();
        var folder = PodFolder.of(node.root(), meta.getNamespace(), meta.getName(), meta.getUid());
        try {
            return Files.readAllBytes(folder.run(MAIN, 0).log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] ask(Pod pod) {
        var all = new ByteArrayOutputStream();
        try (var watch = client.pods().resource(pod).watchLog();
                var output = watch.getOutput()) {
            output.transferTo(all);
        } catch (IOException | KubernetesClientException e) {
            System.out.printf(
                    "the log of %s breaks off: %s%n", pod.getMetadata().getName(), e.getMessage());
        }
        return all.toByteArray();
    }

    /** What all of them wrote, once they have ended. */
    StepLogs ended() {
        await("the ends of all logs")
                .atMost(PATIENCE)
                .until(() -> byUid.values().stream().noneMatch(one -> one.reader().isAlive()));
        var masters = byUid.values().stream().filter(one -> one.role().equals("master")).toList();
        var workers =
                byUid.values().stream()
                        .filter(one -> one.role().equals("worker"))
                        .map(one -> new Life("worker-" + one.index(), one.lines()))
                        .toList();
        return new StepLogs(
                masters.stream().flatMap(one -> one.lines().stream()).toList(), workers);
    }

    @Override
    public void close() {
        closed.set(true);
        informer.close();
    }
}
