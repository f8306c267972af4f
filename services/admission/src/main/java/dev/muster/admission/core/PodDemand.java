package dev.muster.admission.core;

import dev.muster.admission.core.PodNeeds.MainMemory;
import dev.muster.schemas.demand.Demand;
import dev.muster.schemas.demand.PodResources;
import dev.muster.schemas.demand.PodResources.Init;
import dev.muster.schemas.demand.Quantity;
import dev.muster.schemas.demand.Resources;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Reads the demand of a template's pods. */
final class PodDemand {
    /** Far above any machine, and so small that sums over whole pools stay exact. */
    private static final long MOST = 1_000_000_000_000_000L;

    private static final String MEMORY = "memory";

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

    /**
     * Null: the main container names none of its own, or its template names the pod's as a whole.
     */
    static @Nullable MainMemory mainMemory(JsonObject spec, String main) {
        var whole = resourcesOf(spec);
        var named =
                spec.objects("containers").stream()
                        .filter(container -> main.equals(container.text("name")))
                        .findFirst();
        if (named.isEmpty() || whole.asked().containsKey(MEMORY)) {
            return null;
        }
        var own = resourcesOf(named.get());
        var limit = own.limits().get(MEMORY);
        var asked = limit == null ? own.requests().get(MEMORY) : limit;
        if (asked == null || asked.equals(Quantity.ZERO)) {
            return null;
        }
        var beside = beside(spec, main, limit != null);
        return new MainMemory(
                asked.unitsOf(MEMORY),
                Demand.of(beside).getOrDefault(MEMORY, 0L) - 1,
                limit == null ? null : Demand.limitsOf(beside).getOrDefault(MEMORY, 0L) - 1,
                lessThan(limit, own.requests().get(MEMORY)));
    }

    /** Null: what is asked for is the limit. */
    private static @Nullable Long lessThan(@Nullable Quantity limit, @Nullable Quantity request) {
        return limit == null || request == null || request.compareTo(limit) >= 0
                ? null
                : Long.valueOf(request.unitsOf(MEMORY));
    }

    /** What runs together, one byte in place of the main container's memory. */
    private static PodResources beside(JsonObject spec, String main, boolean limited) {
        var all = resources(spec);
        var containers = new ArrayList<Resources>();
        var byte1 = Map.of(MEMORY, new Quantity(BigDecimal.ONE));
        for (var container : spec.objects("containers")) {
            containers.add(
                    main.equals(container.text("name"))
                            ? new Resources(byte1, limited ? byte1 : Map.of())
                            : resourcesOf(container));
        }
        var restartable = all.inits().stream().filter(Init::restartable).toList();
        return new PodResources(containers, restartable, all.whole(), all.overhead());
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
