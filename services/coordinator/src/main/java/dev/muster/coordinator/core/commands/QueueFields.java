package dev.muster.coordinator.core.commands;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a queue that an operator names, in the words of its file: one as a whole, as in {@code
 * limit}, or one resource of it, as in {@code limit.cpu}.
 */
record QueueFields(SortedSet<String> names) {
    /** Those of the pool are admission's matter. */
    private static final List<String> KNOWN =
            List.of(
                    "pool",
                    "weight",
                    "paused",
                    "draining",
                    "maxWaiting",
                    "maxRunning",
                    "namespaces",
                    "order",
                    "defaultPriority",
                    "backfill",
                    "reserveAfter",
                    "borrowing",
                    "group");

    private static final List<String> AMOUNTS =
            List.of("guaranteed", "limit", "borrowLimit", "lendLimit");

    /** The first that no queue has; null: there is none. */
    @Nullable String unknown() {
        return names.stream().filter(name -> !isKnown(name)).findFirst().orElse(null);
    }

    private static boolean isKnown(String name) {
        int dot = name.indexOf('.');
        return KNOWN.contains(name) || AMOUNTS.contains(dot < 0 ? name : name.substring(0, dot));
    }

    /** What is named is as in {@code said}, all else as it was. */
    QueueSpec of(QueueSpec said, QueueSpec before) {
        return new QueueSpec(
                names.contains("weight") ? said.weight() : before.weight(),
                doors(said.doors(), before.doors()),
                order(said.order(), before.order()),
                quota(said.quota(), before.quota()));
    }

    private QueueSpec.Doors doors(QueueSpec.Doors said, QueueSpec.Doors before) {
        return new QueueSpec.Doors(
                names.contains("paused") ? said.paused() : before.paused(),
                names.contains("draining") ? said.draining() : before.draining(),
                names.contains("maxWaiting") ? said.maxWaiting() : before.maxWaiting(),
                names.contains("maxRunning") ? said.maxRunning() : before.maxRunning(),
                names.contains("namespaces") ? said.namespaces() : before.namespaces());
    }

    private QueueSpec.Order order(QueueSpec.Order said, QueueSpec.Order before) {
        return new QueueSpec.Order(
                names.contains("order") ? said.kind() : before.kind(),
                names.contains("defaultPriority")
                        ? said.defaultPriority()
                        : before.defaultPriority(),
                names.contains("backfill") ? said.backfill() : before.backfill(),
                names.contains("reserveAfter") ? said.reserveAfter() : before.reserveAfter());
    }

    private Quota quota(Quota said, Quota before) {
        return new Quota(
                Amounts.of(
                        amounts(
                                "guaranteed",
                                said.guaranteed().byName(),
                                before.guaranteed().byName())),
                amounts("limit", said.limit(), before.limit()),
                names.contains("borrowing") ? said.borrowing() : before.borrowing(),
                amounts("borrowLimit", said.borrowLimit(), before.borrowLimit()),
                amounts("lendLimit", said.lendLimit(), before.lendLimit()),
                names.contains("group") ? said.group() : before.group());
    }

    private SortedMap<String, Long> amounts(
            String field, SortedMap<String, Long> said, SortedMap<String, Long> before) {
        if (names.contains(field)) {
            return said;
        }
        var amounts = new TreeMap<>(before);
        for (var name : names) {
            if (name.startsWith(field + ".")) {
                var resource = name.substring(field.length() + 1);
                var amount = said.get(resource);
                if (amount == null) {
                    amounts.remove(resource);
                } else {
                    amounts.put(resource, amount);
                }
            }
        }
        return amounts;
    }
}
