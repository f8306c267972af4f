package dev.muster.admission.core;

import java.math.BigDecimal;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The resources of a pod as kube-scheduler counts them: exact sums, rounded up to units once at the
 * end.
 */
final class Demand {
    /** Far above any machine, and so small that sums over whole pools stay exact. */
    private static final BigDecimal MOST = new BigDecimal("1e15");

    private static final String HUGE_PAGES = "hugepages-";

    private final Problems problems;

    private Demand(Problems problems) {
        this.problems = problems;
    }

    /**
     * Reads the demand of one pod.
     *
     * @param spec the template's {@code spec}
     * @return cpu in milli, everything else in whole units, {@code pods} always 1; nothing that is
     *     zero
     */
    static SortedMap<String, Long> of(JsonObject spec, Problems problems) {
        return new Demand(problems).read(spec);
    }

    private SortedMap<String, Long> read(JsonObject spec) {
        var containers = ofContainers(spec);
        var whole = withPodLevel(spec.object("resources"), containers);
        add(whole, spec.quantities("overhead"));
        var demand = new TreeMap<String, Long>();
        whole.forEach((resource, quantity) -> {
            var units = quantity.unitsOf(resource);
            if (units.compareTo(MOST) > 0) {
                problems.add(
                        spec.path(),
                        resource + " " + quantity.value().toPlainString(),
                        "one pod must not ask for more than 10^15 of a resource");
            } else if (units.signum() > 0) {
                demand.put(resource, units.longValueExact());
            }
        });
        demand.put("pods", 1L);
        return demand;
    }

    /**
     * Containers run together with the restartable init containers; before that each ordinary init
     * container runs beside the restartable ones that stand before it.
     */
    private static SortedMap<String, Quantity> ofContainers(JsonObject spec) {
        var running = new TreeMap<String, Quantity>();
        for (var container : spec.objects("containers")) {
            add(running, requests(container.object("resources")));
        }
        var restartable = new TreeMap<String, Quantity>();
        var starting = new TreeMap<String, Quantity>();
        for (var init : spec.objects("initContainers")) {
            var own = requests(init.object("resources"));
            if ("Always".equals(init.text("restartPolicy"))) {
                add(running, own);
                add(restartable, own);
                own = restartable;
            } else {
                add(own, restartable);
            }
            own.forEach((resource, amount) -> starting.merge(resource, amount, Quantity::max));
        }
        starting.forEach((resource, amount) -> running.merge(resource, amount, Quantity::max));
        return running;
    }

    /** A new map: requests, and limits where a resource has no request. */
    private static SortedMap<String, Quantity> requests(JsonObject resources) {
        var found = resources.quantities("limits");
        found.putAll(resources.quantities("requests"));
        return found;
    }

    /**
     * What is said for the pod as a whole wins over the sum of its containers. Where only a limit
     * is said, the containers' sum stands if they say anything, except for huge pages, which cannot
     * be overcommitted.
     */
    private static SortedMap<String, Quantity> withPodLevel(
            JsonObject resources, SortedMap<String, Quantity> containers) {
        var whole = new TreeMap<>(containers);
        resources
                .quantities("limits")
                .forEach((resource, amount) -> {
                    if (resource.startsWith(HUGE_PAGES)) {
                        whole.put(resource, amount);
                    } else if (isPodLevel(resource)) {
                        whole.putIfAbsent(resource, amount);
                    }
                });
        resources
                .quantities("requests")
                .forEach((resource, amount) -> {
                    if (isPodLevel(resource)) {
                        whole.put(resource, amount);
                    }
                });
        return whole;
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
