package dev.muster.admission.core;

import dev.muster.schemas.demand.Demand;
import dev.muster.schemas.demand.PodResources;
import dev.muster.schemas.demand.PodResources.Init;
import dev.muster.schemas.demand.Resources;
import java.util.SortedMap;

/** Reads the demand of a template's pods. */
final class PodDemand {
    /** Far above any machine, and so small that sums over whole pools stay exact. */
    private static final long MOST = 1_000_000_000_000_000L;

    private PodDemand() {}

    /** Reads what one pod may use at most, in the same units; nothing that is zero. */
    static SortedMap<String, Long> limits(JsonObject spec) {
        return Demand.limitsOf(resources(spec));
    }

    /**
     * Reads the demand of one pod.
     *
     * @param spec the template's {@code spec}
     * @return cpu in milli, everything else in whole units, {@code pods} always 1; nothing that is
     *     zero
     */
    static SortedMap<String, Long> of(JsonObject spec, Problems problems) {
        var demand = Demand.of(resources(spec));
        demand.forEach((resource, amount) ->
                problems.unless(
                        amount <= MOST,
                        spec.path(),
                        resource + " " + amount,
                        "one pod must not ask for more than 10^15 of a resource"));
        return demand;
    }

    private static PodResources resources(JsonObject spec) {
        return new PodResources(
                spec.objects("containers").stream().map(PodDemand::resourcesOf).toList(),
                spec.objects("initContainers").stream()
                        .map(init ->
                                new Init(
                                        resourcesOf(init),
                                        "Always".equals(init.text("restartPolicy"))))
                        .toList(),
                resourcesOf(spec),
                spec.quantities("overhead"));
    }

    private static Resources resourcesOf(JsonObject owner) {
        var resources = owner.object("resources");
        return new Resources(resources.quantities("requests"), resources.quantities("limits"));
    }
}
