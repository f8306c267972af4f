package dev.muster.bench.jobs;

import dev.muster.bench.system.PretendedCluster;
import dev.muster.cli.CommandFailedException;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.scheduling.v1alpha2.PodGroup;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A gang that may go to one node alone, which has room for one pod less: pods that are bound one by
 * one would fill it. So a cluster says whether it has gangs at all.
 *
 * @param pods of 1 cpu
 */
public record TooLargeGang(int pods, String node) {
    private static final String NAME = "too-large";
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    /**
     * Posts it, waits until kube-scheduler has said that it fits nowhere, and removes it.
     *
     * @return what was seen, in words
     * @throws CommandFailedException when a pod was bound, or nothing was said
     */
    public String isBoundNowhere(PretendedCluster cluster) {
        try (var client = cluster.client()) {
            var group = client.resource(BarePods.group(NAME, pods));
            group.create();
            for (int i = 0; i < pods; i++) {
                client.resource(pod(i)).create();
            }
            var why = awaitVerdict(group);
            long bound = bound(client);
            if (bound > 0) {
                throw CommandFailedException.failed(
                        "%d of %d pods of a gang that does not fit are bound"
                                .formatted(bound, pods),
                        null);
            }
            mine(client).delete();
            group.delete();
            return "checked: of a gang of %d pods, of which %s takes all but one, none is bound: %s"
                    .formatted(pods, node, why);
        }
    }

    private Pod pod(int index) {
        var pod = BarePods.pod(NAME + "-" + index, Map.of("bench", NAME));
        return BarePods.in(NAME, pod)
                .edit()
                .editSpec()
                .withNodeSelector(Map.of("kubernetes.io/hostname", node))
                .endSpec()
                .build();
    }

    private static FilterWatchListDeletable<Pod, PodList, PodResource> mine(
            KubernetesClient client) {
        return client.pods().inNamespace(Submitter.NAMESPACE).withLabel("bench", NAME);
    }

    private static long bound(KubernetesClient client) {
        return mine(client).list().getItems().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .count();
    }

    private static String awaitVerdict(Resource<PodGroup> group) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < end) {
            var verdict = verdict(group.get());
            if (verdict.isPresent()) {
                return verdict.get();
            }
            Moments.await(System.nanoTime() + LOOK_AGAIN.toNanos());
        }
        throw CommandFailedException.failed(
                "kube-scheduler did not refuse a gang that does not fit within " + LIMIT, null);
    }

    private static Optional<String> verdict(PodGroup group) {
        return Optional.ofNullable(group.getStatus()).stream()
                .flatMap(status -> status.getConditions().stream())
                .filter(condition -> condition.getType().equals("PodGroupScheduled"))
                .filter(condition -> condition.getStatus().equals("False"))
                .map(condition -> condition.getReason() + ", " + condition.getMessage())
                .findFirst();
    }
}
