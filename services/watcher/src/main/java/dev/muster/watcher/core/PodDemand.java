package dev.muster.watcher.core;

import dev.muster.schemas.demand.Demand;
import dev.muster.schemas.demand.PodResources;
import dev.muster.schemas.demand.PodResources.Init;
import dev.muster.schemas.demand.Quantity;
import dev.muster.schemas.demand.Resources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what a pod takes of its node, also while it is being resized. */
final class PodDemand {
    private final Pod pod;
    private final Map<String, ContainerStatus> statuses = new HashMap<>();

    private PodDemand(Pod pod) {
        this.pod = pod;
        if (pod.getStatus() != null) {
            Stream.of(
                            pod.getStatus().getInitContainerStatuses(),
                            pod.getStatus().getContainerStatuses())
                    .flatMap(List::stream)
                    .forEach(status -> statuses.put(status.getName(), status));
        }
    }

    /**
     * The demand of a pod as the API server holds it. While something of it is resized the larger
     * of what it has and what it is to have counts; what it can never have does not.
     */
    static SortedMap<String, Long> of(Pod pod) {
        return Demand.of(new PodDemand(pod).resources());
    }

    /** What the pod may use at most, as quotas of namespaces count it. */
    static SortedMap<String, Long> limits(Pod pod) {
        var spec = pod.getSpec();
        return Demand.limitsOf(
                new PodResources(
                        spec.getContainers().stream()
                                .map(container -> resources(container.getResources()))
                                .toList(),
                        spec.getInitContainers().stream().map(PodDemand::limits).toList(),
                        resources(spec.getResources()),
                        Quantities.exact(spec.getOverhead())));
    }

    private static Init limits(Container init) {
        return new Init(resources(init.getResources()), "Always".equals(init.getRestartPolicy()));
    }

    private PodResources resources() {
        var spec = pod.getSpec();
        return new PodResources(
                spec.getContainers().stream().map(this::running).toList(),
                spec.getInitContainers().stream().map(this::init).toList(),
                whole(),
                Quantities.exact(spec.getOverhead()));
    }

    private Init init(Container container) {
        return "Always".equals(container.getRestartPolicy())
                ? new Init(running(container), true)
                : new Init(resources(container.getResources()), false);
    }

    /** Of a container that goes on, so that it can be resized. */
    private Resources running(Container container) {
        var said = resources(container.getResources());
        var status = statuses.get(container.getName());
        if (status == null || status.getResources() == null) {
            return said;
        }
        return resized(
                said.asked(),
                Quantities.exact(status.getResources().getRequests()),
                Quantities.exact(status.getAllocatedResources()));
    }

    private Resources whole() {
        var said = resources(pod.getSpec().getResources());
        var status = pod.getStatus();
        if (said.requests().isEmpty() || status == null || status.getResources() == null) {
            return said;
        }
        var resized =
                resized(
                        said.requests(),
                        Quantities.exact(status.getResources().getRequests()),
                        Quantities.exact(status.getAllocatedResources()));
        var requests = new TreeMap<>(said.requests());
        requests.replaceAll((name, _) -> resized.requests().getOrDefault(name, Quantity.ZERO));
        return new Resources(requests, said.limits());
    }

    private Resources resized(
            Map<String, Quantity> wanted,
            Map<String, Quantity> actual,
            Map<String, Quantity> allocated) {
        var largest = new TreeMap<>(actual);
        allocated.forEach((name, amount) -> largest.merge(name, amount, Quantity::max));
        if (!resizeIsInfeasible()) {
            wanted.forEach((name, amount) -> largest.merge(name, amount, Quantity::max));
        }
        return new Resources(largest, Map.of());
    }

    private boolean resizeIsInfeasible() {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> "PodResizePending".equals(condition.getType()))
                .anyMatch(condition -> "Infeasible".equals(condition.getReason()));
    }

    private static Resources resources(@Nullable ResourceRequirements said) {
        return said == null
                ? new Resources(Map.of(), Map.of())
                : new Resources(
                        Quantities.exact(said.getRequests()), Quantities.exact(said.getLimits()));
    }
}
