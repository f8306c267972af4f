package dev.muster.coordinator.core.commands;

import dev.muster.coordinator.core.model.PoolSpec;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a pool that an operator names, in the words of its file: one as a whole, as in {@code
 * aging}, or a part of it, as in {@code aging.step}.
 */
record PoolFields(SortedSet<String> names) {
    /** Its number is admission's matter. */
    private static final List<String> KNOWN =
            List.of(
                    "number",
                    "backend",
                    "capacity",
                    "backendQueue",
                    "policy",
                    "preemption",
                    "minimumRun",
                    "preemptionBudget",
                    "aging",
                    "aging.step",
                    "aging.most",
                    "spot",
                    "spot.tolerations",
                    "notices",
                    "notices.taints",
                    "notices.conditions",
                    "notices.annotations",
                    "nodeHealth",
                    "nodeHealth.halfLife",
                    "nodeHealth.excludeAt");

    private static final List<String> MAPS =
            List.of("nodeSelector", "priorityClasses", "spot.nodeSelector");

    /** The first that no pool has; null: there is none. */
    @Nullable String unknown() {
        return names.stream().filter(name -> !isKnown(name)).findFirst().orElse(null);
    }

    private static boolean isKnown(String name) {
        return KNOWN.contains(name)
                || MAPS.stream().anyMatch(map -> name.equals(map) || name.startsWith(map + "."));
    }

    /** What is named is as in {@code said}, all else as it was. */
    PoolSpec of(PoolSpec said, PoolSpec before) {
        return new PoolSpec(
                map("nodeSelector", said.nodeSelector(), before.nodeSelector()),
                has("policy") ? said.policy() : before.policy(),
                preemption(said.preemption(), before.preemption()),
                priorities(said.priorities(), before.priorities()),
                spot(said.spot(), before.spot()),
                backing(said.backing(), before.backing()),
                notices(said.notices(), before.notices()),
                nodeHealth(said.nodeHealth(), before.nodeHealth()));
    }

    private PoolSpec.Preemption preemption(PoolSpec.Preemption said, PoolSpec.Preemption before) {
        return new PoolSpec.Preemption(
                has("preemption") ? said.mode() : before.mode(),
                has("minimumRun") ? said.minimumRun() : before.minimumRun(),
                has("preemptionBudget") ? said.budget() : before.budget());
    }

    private PoolSpec.Priorities priorities(PoolSpec.Priorities said, PoolSpec.Priorities before) {
        return new PoolSpec.Priorities(
                map("priorityClasses", said.classes(), before.classes()),
                has("aging.step") ? said.agingStep() : before.agingStep(),
                has("aging.most") ? said.agingMost() : before.agingMost());
    }

    private PoolSpec.Spot spot(PoolSpec.Spot said, PoolSpec.Spot before) {
        return new PoolSpec.Spot(
                map("spot.nodeSelector", said.selector(), before.selector()),
                has("spot.tolerations") ? said.tolerations() : before.tolerations());
    }

    private PoolSpec.Notices notices(PoolSpec.Notices said, PoolSpec.Notices before) {
        return new PoolSpec.Notices(
                has("notices.taints") ? said.taints() : before.taints(),
                has("notices.conditions") ? said.conditions() : before.conditions(),
                has("notices.annotations") ? said.annotations() : before.annotations());
    }

    private PoolSpec.NodeHealth nodeHealth(PoolSpec.NodeHealth said, PoolSpec.NodeHealth before) {
        return new PoolSpec.NodeHealth(
                has("nodeHealth.halfLife") ? said.halfLife() : before.halfLife(),
                has("nodeHealth.excludeAt") ? said.excludeAt() : before.excludeAt());
    }

    private PoolSpec.Backing backing(PoolSpec.Backing said, PoolSpec.Backing before) {
        return new PoolSpec.Backing(
                has("backend") ? said.backend() : before.backend(),
                has("capacity") ? said.delegated() : before.delegated(),
                has("backendQueue") ? said.queue() : before.queue());
    }

    /** It is named, or what it is a part of. */
    private boolean has(String name) {
        int dot = name.indexOf('.');
        return names.contains(name) || (dot > 0 && names.contains(name.substring(0, dot)));
    }

    private <V> SortedMap<String, V> map(
            String field, SortedMap<String, V> said, SortedMap<String, V> before) {
        if (has(field)) {
            return said;
        }
        var next = new TreeMap<>(before);
        for (var name : names) {
            if (name.startsWith(field + ".")) {
                var key = name.substring(field.length() + 1);
                var value = said.get(key);
                if (value == null) {
                    next.remove(key);
                } else {
                    next.put(key, value);
                }
            }
        }
        return next;
    }
}
