package dev.muster.bench.jobs;

import dev.muster.bench.system.PretendedCluster;
import dev.muster.cli.CommandFailedException;
import dev.muster.sandbox.process.Together;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.scheduling.v1alpha2.PodGroup;
import io.fabric8.kubernetes.api.model.scheduling.v1alpha2.PodGroupBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** Pods like those of {@link Jobs#gang}, made without Muster. */
public record BarePods(PretendedCluster cluster, Binding binding) {
    /** How kube-scheduler binds them. */
    public enum Binding {
        /** Each for itself. */
        ONE_BY_ONE,
        /** The pods of a {@code PodGroup} together or not at all. */
        GANGS
    }

    /** As many requests as pod-manager has under way. */
    private static final int AT_ONCE = 50;

    private static final String LABEL = "bench";
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /**
     * Posts the pods of some gangs and waits until all are bound and run.
     *
     * @param prefix of the gangs' names, not used before
     * @return when they were bound, in that order
     */
    public List<Instant> bind(String prefix, int gangs, int pods, Duration within)
            throws InterruptedException {
        int before = cluster.audit().bindings().size();
        try (var client = cluster.client()) {
            post(client, prefix, gangs, pods);
            await(client, prefix, within);
        }
        var all = cluster.audit().bindings();
        return all.subList(before, all.size());
    }

    /** A gang's group goes first; nobody waits for it, since its pods wait for it. */
    private void post(KubernetesClient client, String prefix, int gangs, int pods)
            throws InterruptedException {
        var slots = new Semaphore(AT_ONCE);
        try (var together = new Together()) {
            for (int i = 0; i < gangs; i++) {
                var gang = prefix + "-" + i;
                if (binding == Binding.GANGS) {
                    post(client, group(gang, pods), slots, together);
                }
                for (int j = 0; j < pods; j++) {
                    var pod = pod(gang + "-" + j, Map.of(LABEL, prefix));
                    post(client, binding == Binding.GANGS ? in(gang, pod) : pod, slots, together);
                }
            }
        }
    }

    private static void post(
            KubernetesClient client, HasMetadata object, Semaphore slots, Together together)
            throws InterruptedException {
        slots.acquire();
        var _ =
                together.begin(() -> {
                    try {
                        return client.resource(object).create();
                    } finally {
                        slots.release();
                    }
                });
    }

    private static void await(KubernetesClient client, String prefix, Duration within) {
        long end = System.nanoTime() + within.toNanos();
        var pending =
                client.pods()
                        .inNamespace(Submitter.NAMESPACE)
                        .withLabel(LABEL, prefix)
                        .withField("status.phase", "Pending");
        while (!pending.list().getItems().isEmpty()) {
            if (System.nanoTime() > end) {
                throw CommandFailedException.failed("not all pods ran within " + within, null);
            }
            Moments.await(System.nanoTime() + LOOK_AGAIN.toNanos());
        }
    }

    /** Of so many pods, all of which are needed. */
    static PodGroup group(String name, int pods) {
        return new PodGroupBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(Submitter.NAMESPACE)
                .endMetadata()
                .withNewSpec()
                .withNewSchedulingPolicy()
                .withNewGang()
                .withMinCount(pods)
                .endGang()
                .endSchedulingPolicy()
                .endSpec()
                .build();
    }

    /** The same pod as one of that group. */
    static Pod in(String group, Pod pod) {
        return pod.edit()
                .editSpec()
                .withNewSchedulingGroup()
                .withPodGroupName(group)
                .endSchedulingGroup()
                .endSpec()
                .build();
    }

    /** Of one cpu. */
    static Pod pod(String name, Map<String, String> labels) {
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
