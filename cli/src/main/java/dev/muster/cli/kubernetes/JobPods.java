package dev.muster.cli.kubernetes;

import dev.muster.cli.kubernetes.PodLogs.Wanted;
import dev.muster.schemas.contract.LabelNames;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** The pods of a job, found by their labels. */
final class JobPods {
    private final KubernetesClient client;
    private final Wanted wanted;

    JobPods(KubernetesClient client, Wanted wanted) {
        this.client = client;
        this.wanted = wanted;
    }

    /** By role and index. */
    List<Pod> now() {
        return list(new ListOptions());
    }

    /** As the API server has them in memory, which costs it little and may be a little old. */
    List<Pod> lately() {
        var options = new ListOptions();
        options.setResourceVersion("0");
        return list(options);
    }

    private List<Pod> list(ListOptions options) {
        var labels = new TreeMap<String, String>();
        labels.put(LabelNames.JOB, wanted.job());
        if (wanted.role() != null) {
            labels.put(LabelNames.ROLE, wanted.role());
        }
        if (wanted.index() != null) {
            labels.put(LabelNames.INDEX, wanted.index().toString());
        }
        return client
                .pods()
                .inNamespace(wanted.namespace())
                .withLabels(labels)
                .list(options)
                .getItems()
                .stream()
                .sorted(Comparator.comparing(JobPods::role).thenComparingInt(JobPods::index))
                .toList();
    }

    static boolean isPending(Pod pod) {
        return "Pending".equals(pod.getStatus().getPhase());
    }

    /**
     * What its lines begin with.
     *
     * @param pods of how many pods lines are printed
     */
    static String prefix(Pod pod, int pods) {
        return pods == 1 ? "" : role(pod) + "-" + index(pod) + " | ";
    }

    private static String role(Pod pod) {
        return label(pod, LabelNames.ROLE);
    }

    private static int index(Pod pod) {
        var text = label(pod, LabelNames.INDEX);
        return text.chars().allMatch(Character::isDigit) && !text.isEmpty()
                ? Integer.parseInt(text)
                : 0;
    }

    private static String label(Pod pod, String name) {
        return pod.getMetadata().getLabels().getOrDefault(name, "");
    }
}
