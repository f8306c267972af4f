package dev.muster.schemas.demand;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The demand of a pod: its resources as kube-scheduler counts them, exact sums, rounded up to units
 * once at the end.
 */
public final class Demand {
    private static final String HUGE_PAGES = "hugepages-";

    private Demand() {}

    /**
     * Counts the demand of one pod.
     *
     * @return cpu in milli, everything else in whole units, {@code pods} always 1; nothing that is
     *     zero
     */
    public static SortedMap<String, Long> of(PodResources pod) {
        var whole = withPodLevel(pod.whole(), ofContainers(pod, Resources::asked));
        add(whole, pod.overhead());
        var demand = inUnits(whole);
        demand.put("pods", 1L);
        return demand;
    }

    /**
     * Counts what one pod may use at most, as quotas of namespaces do: of what has no limit
     * nothing.
     *
     * @return units as above; nothing that is zero
     */
    public static SortedMap<String, Long> limitsOf(PodResources pod) {
        var limits = ofContainers(pod, Resources::limits);
        pod.whole()
                .limits()
                .forEach((resource, amount) -> {
                    if (isPodLevel(resource)) {
                        limits.put(resource, amount);
                    }
                });
        // Overhead is no limit of its own.
        pod.overhead()
                .forEach((resource, amount) ->
                        limits.computeIfPresent(resource, (_, limit) -> limit.plus(amount)));
        return inUnits(limits);
    }

    private static SortedMap<String, Long> inUnits(Map<String, Quantity> quantities) {
        var units = new TreeMap<String, Long>();
        quantities.forEach((resource, quantity) -> units.put(resource, quantity.unitsOf(resource)));
        units.values().removeIf(amount -> amount == 0);
        return units;
    }

    /**
     * Containers run together with the restartable init containers; before that each ordinary init
     * container runs beside the restartable ones that stand before it.
     */
    private static SortedMap<String, Quantity> ofContainers(
            PodResources pod, Function<Resources, Map<String, Quantity>> counted) {
        var running = new TreeMap<String, Quantity>();
        pod.containers().forEach(container -> add(running, counted.apply(container)));
        var restartable = new TreeMap<String, Quantity>();
        var starting = new TreeMap<String, Quantity>();
        for (var init : pod.inits()) {
            var beside = new TreeMap<>(restartable);
            add(beside, counted.apply(init.resources()));
            beside.forEach((resource, amount) -> starting.merge(resource, amount, Quantity::max));
            if (init.restartable()) {
                add(running, counted.apply(init.resources()));
                restartable = beside;
            }
        }
        starting.forEach((resource, amount) -> running.merge(resource, amount, Quantity::max));
        return running;
    }

    /**
     * What is said for the pod as a whole wins over the sum of its containers. Where only a limit
     * is said, the containers' sum stands if they say anything, except for huge pages, which cannot
     * be overcommitted.
     */
    private static SortedMap<String, Quantity> withPodLevel(
            Resources whole, SortedMap<String, Quantity> containers) {
        var sum = new TreeMap<>(containers);
        whole.limits()
                .forEach((resource, amount) -> {
                    if (resource.startsWith(HUGE_PAGES)) {
                        sum.put(resource, amount);
                    } else if (isPodLevel(resource)) {
                        sum.putIfAbsent(resource, amount);
                    }
                });
        whole.requests()
                .forEach((resource, amount) -> {
                    if (isPodLevel(resource)) {
                        sum.put(resource, amount);
                    }
                });
        return sum;
    }

    private static boolean isPodLevel(String resource) {
        return resource.equals("cpu")
                || resource.equals("memory")
                || resource.startsWith(HUGE_PAGES);
    }

    private static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
        more.forEach((resource, amount) -> sum.merge(resource, amount, Quantity::plus));
    }
}
