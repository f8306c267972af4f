package dev.muster.bench.jobs;

import dev.muster.bench.system.PretendedCluster;
import dev.muster.cli.CommandFailedException;
import dev.muster.sandbox.process.Together;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** Pods like those of {@link Jobs#gang}, made without Muster. */
public final class BarePods {
    /** As many requests as pod-manager has under way. */
    private static final int AT_ONCE = 50;

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private BarePods() {}

    /**
     * Posts pods and waits until all are bound and run.
     *
     * @return when they were bound, in that order
     */
    public static List<Instant> bind(
            PretendedCluster cluster, String prefix, int count, Duration within)
            throws InterruptedException {
        int before = cluster.audit().bindings().size();
        var label = Map.of("bench", prefix);
        try (var client = cluster.client()) {
            var slots = new Semaphore(AT_ONCE);
            try (var together = new Together()) {
                for (int i = 0; i < count; i++) {
                    var pod = pod(prefix + "-" + i, label);
                    slots.acquire();
                    var _ =
                            together.begin(() -> {
                                try {
                                    return client.resource(pod).create();
                                } finally {
                                    slots.release();
                                }
                            });
                }
            }
            long end = System.nanoTime() + within.toNanos();
            var last = client.pods().inNamespace(Submitter.NAMESPACE);
            while (last.withLabels(label)
                            .withField("status.phase", "Pending")
                            .list()
                            .getItems()
                            .size()
                    > 0) {
                if (System.nanoTime() > end) {
                    throw CommandFailedException.failed("not all pods ran within " + within, null);
                }
                Moments.await(System.nanoTime() + LOOK_AGAIN.toNanos());
            }
        }
        var all = cluster.audit().bindings();
        return all.subList(before, all.size());
    }

    private static Pod pod(String name, Map<String, String> labels) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(Submitter.NAMESPACE)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("python:3.12")
                .withCommand("sleep", "infinity")
                .withNewResources()
                .withRequests(Map.of("cpu", new Quantity("1")))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }
}
