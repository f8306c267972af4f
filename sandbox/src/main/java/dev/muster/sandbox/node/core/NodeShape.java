package dev.muster.sandbox.node.core;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The node as the API server shows it.
 *
 * @param taints that it has from its first registration on; later they are others' to change
 * @param allocatable pretended: nothing measures or limits what the processes use
 * @param version what it calls itself as a kubelet
 */
public record NodeShape(
        String name,
        Map<String, String> labels,
        List<Taint> taints,
        Map<String, Quantity> allocatable,
        String version) {
    private static final List<String> OWN =
            List.of("MemoryPressure", "DiskPressure", "PIDPressure", "Ready");

    /** The node to be registered; its status is not taken then. */
    public Node node() {
        var all = new TreeMap<String, String>();
        all.put("kubernetes.io/hostname", name);
        all.put("kubernetes.io/os", "linux");
        all.put("kubernetes.io/arch", arch());
        all.putAll(labels);
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(all)
                .endMetadata()
                .withNewSpec()
                .withTaints(taints)
                .endSpec()
                .build();
    }

    /**
     * The node's status. Conditions that are others' stay, as kubelets have it.
     *
     * @param ready false when the node is about to stop
     * @param before the conditions that the node has, with their transition times
     */
    public NodeStatus status(
            int kubeletPort, boolean ready, List<NodeCondition> before, Instant now) {
        return new NodeStatusBuilder()
                .withAllocatable(allocatable)
                .withCapacity(allocatable)
                .addNewAddress(PodStatuses.HOST_IP, "InternalIP")
                .addNewAddress(name, "Hostname")
                .withNewDaemonEndpoints()
                .withNewKubeletEndpoint(kubeletPort)
                .endDaemonEndpoints()
                .withNewNodeInfo()
                .withArchitecture(arch())
                .withOperatingSystem("linux")
                .withOsImage(System.getProperty("os.name"))
                .withKernelVersion(System.getProperty("os.version"))
                .withContainerRuntimeVersion("sandbox://" + version)
                .withKubeletVersion(version)
                .withKubeProxyVersion("")
                .withBootID("")
                .withMachineID("")
                .withSystemUUID("")
                .endNodeInfo()
                .withConditions(
                        Stream.concat(
                                        before.stream().filter(old -> !OWN.contains(old.getType())),
                                        OWN.stream()
                                                .map(type -> condition(type, ready, before, now)))
                                .toList())
                .build();
    }

    private static NodeCondition condition(
            String type, boolean ready, List<NodeCondition> before, Instant now) {
        boolean isReady = type.equals("Ready");
        String status = isReady && ready ? "True" : "False";
        String at = Times.kubernetes(now);
        String since =
                before.stream()
                        .filter(old -> old.getType().equals(type))
                        .filter(old -> old.getStatus().equals(status))
                        .map(NodeCondition::getLastTransitionTime)
                        .findFirst()
                        .orElse(at);
        return new NodeConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason(type, ready))
                .withMessage(isReady && !ready ? "the sandbox's node is stopping" : null)
                .withLastHeartbeatTime(at)
                .withLastTransitionTime(since)
                .build();
    }

    private static String reason(String type, boolean ready) {
        return switch (type) {
            case "Ready" -> ready ? "KubeletReady" : "KubeletNotReady";
            case "MemoryPressure" -> "KubeletHasSufficientMemory";
            case "DiskPressure" -> "KubeletHasNoDiskPressure";
            default -> "KubeletHasSufficientPID";
        };
    }

    private static String arch() {
        return switch (System.getProperty("os.arch")) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            case String other -> other;
        };
    }
}
