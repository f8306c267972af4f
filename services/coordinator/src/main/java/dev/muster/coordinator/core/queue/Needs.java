package dev.muster.coordinator.core.queue;

import dev.muster.coordinator.core.model.Amounts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the jobs of some lines need of each resource, to find out what a change bears on. */
public final class Needs {
    /** By resource and amount, how many lines need so much. */
    private final Map<String, TreeMap<Long, Integer>> lines = new LinkedHashMap<>();

    void add(Amounts need) {
        for (int i = 0; i < need.size(); i++) {
            lines.computeIfAbsent(need.name(i), _ -> new TreeMap<>())
                    .merge(need.amount(i), 1, Integer::sum);
        }
    }

    void remove(Amounts need) {
        for (int i = 0; i < need.size(); i++) {
            long amount = need.amount(i);
            lines.computeIfPresent(
                    need.name(i),
                    (_, amounts) -> {
                        amounts.computeIfPresent(amount, (_, n) -> n == 1 ? null : n - 1);
                        return amounts.isEmpty() ? null : amounts;
                    });
        }
    }

    /** Some line needs no more than the one amount, but more than the other. */
    public boolean isAnyBetween(String resource, long one, long other) {
        var amounts = lines.get(resource);
        if (amounts == null || one == other) {
            return false;
        }
        var next = amounts.higherKey(Math.min(one, other));
        return next != null && next <= Math.max(one, other);
    }

    /** The least that a line needs above an amount; null: none needs more. */
    public @Nullable Long above(String resource, long amount) {
        var amounts = lines.get(resource);
        return amounts == null ? null : amounts.higherKey(amount);
    }

    /** The most that a line needs within an amount; null: none needs so little. */
    public @Nullable Long within(String resource, long amount) {
        var amounts = lines.get(resource);
        return amounts == null ? null : amounts.floorKey(amount);
    }
}
