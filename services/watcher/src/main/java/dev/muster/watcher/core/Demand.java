package dev.muster.watcher.core;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a pod takes of its node, as kube-scheduler counts it. */
final class Demand {
    private final Pod pod;
    private final Map<String, ContainerStatus> statuses = new HashMap<>();

    private Demand(Pod pod) {
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
     * The demand of a pod as the API server holds it: requests, defaulted from limits; the larger
     * of what runs together and of what each init container needs; pod-level resources in their
     * place; overhead; and itself as one of the node's pods. While a pod is resized the larger of
     * what it has and what it is to have counts.
     */
    static Map<String, Long> of(Pod pod) {
        var demand = new Demand(pod).exact();
        var units = new TreeMap<String, Long>();
        demand.forEach((name, amount) -> units.put(name, Quantities.inUnits(name, amount)));
        units.put("pods", 1L);
        units.values().removeIf(amount -> amount <= 0);
        return units;
    }

    private Map<String, BigDecimal> exact() {
        var demand = largest(together(this::allocated), together(this::actual));
        if (!resizeIsInfeasible()) {
            demand = largest(demand, together(Demand::requested));
        }
        var ofThePod = pod.getSpec().getResources();
        if (ofThePod != null) {
            putPodLevel(demand, ofThePod);
        }
        var overhead = pod.getSpec().getOverhead();
        if (overhead != null) {
            overhead.forEach(adding(demand));
        }
        return demand;
    }

    /** What runs at once: the containers with all sidecars, or one init with those before it. */
    private Map<String, BigDecimal> together(Function<Container, Map<String, Quantity>> requests) {
        Map<String, BigDecimal> running = new TreeMap<>();
        Map<String, BigDecimal> sidecars = new TreeMap<>();
        Map<String, BigDecimal> starting = new TreeMap<>();
        pod.getSpec().getContainers().forEach(c -> requests.apply(c).forEach(adding(running)));
        for (var init : pod.getSpec().getInitContainers()) {
            var own = requests.apply(init);
            if ("Always".equals(init.getRestartPolicy())) {
                own.forEach(adding(running));
                own.forEach(adding(sidecars));
                starting = largest(starting, sidecars);
            } else {
                var with = new TreeMap<>(sidecars);
                own.forEach(adding(with));
                starting = largest(starting, with);
            }
        }
        return largest(running, starting);
    }

    private static Map<String, Quantity> requested(Container container) {
        var resources = container.getResources();
        if (resources == null) {
            return Map.of();
        }
        var requests = new HashMap<>(orNone(resources.getLimits()));
        requests.putAll(orNone(resources.getRequests()));
        return requests;
    }

    private Map<String, Quantity> allocated(Container container) {
        var status = statuses.get(container.getName());
        var allocated = status == null ? null : status.getAllocatedResources();
        if (allocated != null && !allocated.isEmpty()) {
            return allocated;
        }
        return resizeIsInfeasible() ? Map.of() : requested(container);
    }

    private Map<String, Quantity> actual(Container container) {
        var status = statuses.get(container.getName());
        var resources = status == null ? null : status.getResources();
        var actual = resources == null ? null : resources.getRequests();
        return actual != null && !actual.isEmpty() ? actual : allocated(container);
    }

    private boolean resizeIsInfeasible() {
        return pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                "PodResizePending".equals(condition.getType())
                                        && "Infeasible".equals(condition.getReason()));
    }

    private static void putPodLevel(Map<String, BigDecimal> demand, ResourceRequirements level) {
        orNone(level.getLimits())
                .forEach((name, limit) -> {
                    if (countsForThePod(name)) {
                        demand.putIfAbsent(name, Quantities.exact(limit));
                    }
                });
        orNone(level.getRequests())
                .forEach((name, request) -> {
                    if (countsForThePod(name)) {
                        demand.put(name, Quantities.exact(request));
                    }
                });
    }

    private static boolean countsForThePod(String resource) {
        return resource.equals("cpu")
                || resource.equals("memory")
                || resource.startsWith("hugepages-");
    }

    private static Map<String, BigDecimal> largest(
            Map<String, BigDecimal> one, Map<String, BigDecimal> other) {
        var largest = new TreeMap<>(one);
        other.forEach((name, amount) -> largest.merge(name, amount, BigDecimal::max));
        return largest;
    }

    private static BiConsumer<String, Quantity> adding(Map<String, BigDecimal> sum) {
        return (name, amount) -> sum.merge(name, Quantities.exact(amount), BigDecimal::add);
    }

    private static Map<String, Quantity> orNone(@Nullable Map<String, Quantity> quantities) {
        return quantities == null ? Map.of() : quantities;
    }
}
