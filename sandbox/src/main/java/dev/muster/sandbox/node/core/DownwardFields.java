package dev.muster.sandbox.node.core;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a pod may ask about itself: fieldRef, resourceFieldRef. */
final class DownwardFields {
    private static final Pattern KEYED =
            Pattern.compile("metadata\\.(labels|annotations)\\['([^']+)'\\]");

    private final Pod pod;
    private final Map<String, Quantity> allocatable;

    /**
     * @param allocatable of the node: the limit of a container that has none
     */
    DownwardFields(Pod pod, Map<String, Quantity> allocatable) {
        this.pod = pod;
        this.allocatable = allocatable;
    }

    /** The value of a field; empty for one that is not set. */
    String field(String path) {
        var keyed = KEYED.matcher(path);
        if (keyed.matches()) {
            return map(keyed.group(1)).getOrDefault(keyed.group(2), "");
        }
        var metadata = pod.getMetadata();
        return switch (path) {
            case "metadata.name" -> metadata.getName();
            case "metadata.namespace" -> metadata.getNamespace();
            case "metadata.uid" -> metadata.getUid();
            case "metadata.labels" -> lines(map("labels"));
            case "metadata.annotations" -> lines(map("annotations"));
            case "spec.nodeName" -> Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
            case "spec.serviceAccountName" ->
                    Objects.requireNonNullElse(pod.getSpec().getServiceAccountName(), "");
            case "status.hostIP", "status.hostIPs" -> PodStatuses.HOST_IP;
            case "status.podIP", "status.podIPs" -> PodAddress.of(pod);
            default -> "";
        };
    }

    /** Limits and requests, rounded up to whole divisors, as a kubelet does. */
    String resource(Container container, ResourceFieldSelector wanted) {
        var name = wanted.getResource();
        var resource = name.substring(name.indexOf('.') + 1);
        var resources = container.getResources();
        Map<String, Quantity> limits = resources == null ? Map.of() : resources.getLimits();
        Map<String, Quantity> requests = resources == null ? Map.of() : resources.getRequests();
        Quantity amount =
                name.startsWith("limits.")
                        ? limits.getOrDefault(resource, allocatable.get(resource))
                        : requests.getOrDefault(resource, limits.get(resource));
        if (amount == null) {
            return "0";
        }
        var divisor =
                wanted.getDivisor() == null
                        ? BigDecimal.ZERO
                        : wanted.getDivisor().getNumericalAmount();
        return amount.getNumericalAmount()
                .divide(divisor.signum() == 0 ? BigDecimal.ONE : divisor, 0, RoundingMode.CEILING)
                .toPlainString();
    }

    private Map<String, String> map(String which) {
        var map =
                which.equals("labels")
                        ? pod.getMetadata().getLabels()
                        : pod.getMetadata().getAnnotations();
        return map == null ? Map.of() : map;
    }

    private static String lines(Map<String, String> map) {
        return new TreeMap<>(map)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + quoted(entry.getValue()))
                        .collect(Collectors.joining("\n"));
    }

    private static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
