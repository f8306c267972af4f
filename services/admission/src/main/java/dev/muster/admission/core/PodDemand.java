package dev.muster.admission.core;

import dev.muster.admission.core.PodNeeds.MainMemory;
import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.contract.Paths;
import dev.muster.schemas.demand.Demand;
import dev.muster.schemas.demand.PodResources;
import dev.muster.schemas.demand.PodResources.Init;
import dev.muster.schemas.demand.Quantity;
import dev.muster.schemas.demand.Resources;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the demand of a template's pods. */
final class PodDemand {
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
    static SortedMap<String, Long> of(JsonObject spec) {
        return Demand.of(resources(spec));
    }

    /** Tells of what is more than any machine has, each field by itself and then all of them. */
    static void check(JsonObject spec, Problems problems) {
        var told = new TreeSet<String>();
        for (var owner : owners(spec)) {
            var resources = owner.object("resources");
            checkEach(resources, "requests", told, problems);
            checkEach(resources, "limits", told, problems);
        }
        checkEach(spec, "overhead", told, problems);
        checkSum(spec, "requests", of(spec), told, problems);
        checkSum(spec, "limits", limits(spec), told, problems);
    }

    private static List<JsonObject> owners(JsonObject spec) {
        var owners = new ArrayList<>(List.of(spec));
        owners.addAll(spec.objects("initContainers"));
        owners.addAll(spec.objects("containers"));
        return owners;
    }

    private static void checkEach(
            JsonObject owner, String key, Set<String> told, Problems problems) {
        owner.quantities(key)
                .forEach((resource, quantity) -> {
                    if (quantity.unitsOf(resource) > Limits.POD_AMOUNT) {
                        told.add(resource);
                        problems.add(
                                Paths.field(owner.at(key), resource),
                                String.valueOf(owner.object(key).members().get(resource)),
                                Numbers.atMost(resource, Limits.POD_AMOUNT));
                    }
                });
    }

    private static void checkSum(
            JsonObject spec,
            String what,
            SortedMap<String, Long> sum,
            Set<String> told,
            Problems problems) {
        sum.forEach((resource, amount) ->
                problems.unless(
                        amount <= Limits.POD_AMOUNT || told.contains(resource),
                        spec.path(),
                        Paths.field(what, resource) + " " + Numbers.amount(resource, amount),
                        Numbers.atMost(resource, Limits.POD_AMOUNT) + " for one pod"));
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
