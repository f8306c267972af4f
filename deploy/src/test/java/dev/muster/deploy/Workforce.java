package dev.muster.deploy;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Set;
import java.util.stream.Collectors;

/** The workers of one job, as the cluster has them. */
record Workforce(String namespace, String job) {
    boolean isRunning(int index) {
        try (var client = TheSystem.administrator()) {
            var pod = client.pods().inNamespace(namespace).withName(job + "-worker-" + index).get();
            return pod != null && isRunning(pod);
        }
    }

    /** How often its container started again. */
    int restarts(int index) {
        try (var client = TheSystem.administrator()) {
            var pod = client.pods().inNamespace(namespace).withName(job + "-worker-" + index).get();
            return pod == null
                    ? 0
                    : pod.getStatus().getContainerStatuses().stream()
                            .mapToInt(ContainerStatus::getRestartCount)
                            .sum();
        }
    }

    /**
     * Whether these run, and no other is there; and the launcher, if there is one, has a list of
     * them.
     */
    boolean is(Set<Integer> indices) {
        var names = names(indices);
        try (var client = TheSystem.administrator()) {
            var there =
                    client.pods()
                            .inNamespace(namespace)
                            .withLabel("muster.dev/job", job)
                            .withLabel("muster.dev/role", "worker")
                            .list()
                            .getItems();
            return there.stream().allMatch(Workforce::isRunning)
                    && there.stream()
                            .map(pod -> pod.getMetadata().getName())
                            .collect(Collectors.toUnmodifiableSet())
                            .equals(names)
                    && isListed(client, names);
        }
    }

    /** Whether the launcher's list has these, and no other. */
    boolean isListed(Set<Integer> indices) {
        try (var client = TheSystem.administrator()) {
            return isListed(client, names(indices));
        }
    }

    private Set<String> names(Set<Integer> indices) {
        return indices.stream()
                .map(index -> job + "-worker-" + index)
                .collect(Collectors.toUnmodifiableSet());
    }

    private boolean isListed(KubernetesClient client, Set<String> names) {
        var list = client.configMaps().inNamespace(namespace).withName(job + "-hosts").get();
        return list == null || HostListEvents.hosts(list.getData().get("hosts")).equals(names);
    }

    private static boolean isRunning(Pod pod) {
        return pod.getStatus().getPhase().equals("Running") && !pod.isMarkedForDeletion();
    }
}
