package dev.muster.admission.core;

import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.contract.Paths;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it is to be, as far as admission judges it. Amounts are cpu in milli and everything
 * else in whole units.
 *
 * @param borrowLimit null: nothing is said
 * @param lendLimit null: nothing is said
 * @param maxRunning null: any number
 * @param orderKnown false: an order that only a later release knows
 * @param namespaces empty: everybody's
 */
public record QueueSettings(
        String pool,
        int weight,
        int maxWaiting,
        Map<String, Long> guaranteed,
        Map<String, Long> limit,
        @Nullable Map<String, Long> borrowLimit,
        @Nullable Map<String, Long> lendLimit,
        @Nullable Integer maxRunning,
        boolean orderKnown,
        Duration reserveAfter,
        int defaultPriority,
        List<String> namespaces,
        @Nullable String group) {

    public QueueSettings {
        guaranteed = Ordered.copy(guaranteed);
        limit = Ordered.copy(limit);
        borrowLimit = borrowLimit == null ? null : Ordered.copy(borrowLimit);
        lendLimit = lendLimit == null ? null : Ordered.copy(lendLimit);
        namespaces = List.copyOf(namespaces);
    }

    void check(Problems problems) {
        problems.unless(Names.isDnsLabel(pool), "spec.pool", pool, Names.DNS_LABEL);
        var numbers = new Numbers(problems);
        numbers.within("spec.weight", weight, 1, Limits.QUEUE_WEIGHT);
        numbers.within("spec.maxWaiting", maxWaiting, 1, Integer.MAX_VALUE);
        checkAmounts("spec.guaranteed", guaranteed, problems);
        checkAmounts("spec.limit", limit, problems);
        checkAmounts("spec.borrowLimit", borrowLimit, problems);
        checkAmounts("spec.lendLimit", lendLimit, problems);
        checkLimit(problems);
        if (maxRunning != null) {
            numbers.within("spec.maxRunning", maxRunning, 1, Integer.MAX_VALUE);
        }
        problems.unless(orderKnown, "spec.order", "", "must be Fifo or Priority");
        numbers.notNegative("spec.reserveAfter", reserveAfter);
        numbers.priority("spec.defaultPriority", defaultPriority);
        for (int i = 0; i < namespaces.size(); i++) {
            var namespace = namespaces.get(i);
            problems.unless(
                    Names.isDnsLabel(namespace),
                    "spec.namespaces[" + i + "]",
                    namespace,
                    Names.DNS_LABEL);
        }
        problems.unless(
                group == null || Names.isDnsLabel(group),
                "spec.group",
                group == null ? "" : group,
                Names.DNS_LABEL);
    }

    private static void checkAmounts(
            String path, @Nullable Map<String, Long> amounts, Problems problems) {
        if (amounts == null) {
            return;
        }
        Ordered.copy(amounts)
                .forEach((resource, amount) -> {
                    var here = Paths.field(path, resource);
                    problems.unless(Names.isResource(resource), here, resource, Names.RESOURCE);
                    new Numbers(problems).atLeastZero(here, amount);
                    problems.unless(
                            amount <= Limits.TOTAL_AMOUNT,
                            here,
                            Numbers.amount(resource, amount),
                            Numbers.atMost(resource, Limits.TOTAL_AMOUNT));
                });
    }

    private void checkLimit(Problems problems) {
        SortedMap<String, Long> limits = Ordered.copy(limit);
        limits.forEach((resource, most) -> {
            var least = guaranteed.getOrDefault(resource, 0L);
            problems.unless(
                    most < 0 || most >= least,
                    Paths.field("spec.limit", resource),
                    Numbers.amount(resource, most),
                    "must not be below what is guaranteed, which is "
                            + Numbers.amount(resource, least));
        });
    }
}
