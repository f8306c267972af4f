package dev.muster.watcher.core;

import dev.muster.schemas.contract.LabelNames;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A small cluster to read from. */
final class Cluster {
    static final Map<String, String> OURS =
            Map.of(
                    LabelNames.INSTALLATION, "muster",
                    LabelNames.JOB, "train",
                    LabelNames.UID, "3-4711",
                    LabelNames.ROLE, "worker",
                    LabelNames.INDEX, "2",
                    LabelNames.ATTEMPT, "1",
                    LabelNames.INCARNATION, "5",
                    LabelNames.PLAN, "7",
                    LabelNames.POOL, "default");

    /** Of the pod that has these labels. */
    static final String NAME = "train-worker-2";

    private Cluster() {}

    /** A pod that is bound to a node, or not, and wants so much cpu. */
    static Pod pod(String name, @Nullable String node, String cpu, Map<String, String> labels) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("ml")
                .withName(name)
                .withUid("uid-of-" + name)
                .withResourceVersion("100")
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addToContainers(
                        new ContainerBuilder()
                                .withName("main")
                                .withNewResources()
                                .addToRequests("cpu", new Quantity(cpu))
                                .endResources()
                                .build())
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
    }

    /** Rank worker-2 of a job. */
    static Pod ours(String job, @Nullable String node) {
        return pod(job + "-worker-2", node, "1", but(OURS, LabelNames.JOB, job));
    }

    static Pod foreign(String name, @Nullable String node, String cpu) {
        return pod(name, node, cpu, Map.of());
    }

    static Pod inPhase(Pod pod, String phase) {
        return new PodBuilder(pod)
                .editMetadata()
                .withResourceVersion("101")
                .endMetadata()
                .editStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }

    static Map<String, String> but(Map<String, String> labels, String label, String value) {
        var changed = new TreeMap<>(labels);
        changed.put(label, value);
        return changed;
    }

    static Node node(String name, String... labels) {
        var map = new LinkedHashMap<String, String>();
        for (var label : labels) {
            var parts = label.split("=", 2);
            map.put(parts[0], parts[1]);
        }
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid("uid-of-" + name)
                .withResourceVersion("10")
                .withLabels(map)
                .endMetadata()
                .withNewStatus()
                .addToAllocatable("cpu", new Quantity("4"))
                .addToAllocatable("memory", new Quantity("8Gi"))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }
}
