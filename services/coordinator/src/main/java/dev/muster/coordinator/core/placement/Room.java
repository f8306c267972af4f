package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Sums;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One node's account. It is there before the node is seen when something of it is heard first. */
final class Room {
    final int id;
    final String name;
    @Nullable Node node;

    /** By shard. */
    final SortedMap<Integer, Others> others = new TreeMap<>();

    /** Null: all that are there may lie beside any other. */
    private @Nullable Tenants tenants;

    /** Allocatable less what others use. */
    final Sums empty = new Sums();

    /** Less what our jobs hold and what is kept for the holder, too. */
    final Sums free = new Sums();

    Room(int id, String name) {
        this.id = id;
        this.name = name;
    }

    Sums sums(View view) {
        return switch (view) {
            case NOW -> free;
            case EMPTY -> empty;
        };
    }

    /** By the resources' numbers, of each at least 0; there is nothing of those left out. */
    long[] amounts(View view) {
        var sums = sums(view);
        var amounts = new long[sums.size()];
        Arrays.setAll(amounts, resource -> Math.max(0, sums.get(resource)));
        return amounts;
    }

    boolean takesPods() {
        return node != null && node.takesPods();
    }

    void settle(JobId job, Repulsion repulsion, int sign) {
        var all = tenants == null ? new Tenants() : tenants;
        all.count(job, repulsion, sign);
        tenants = all.areNone() ? null : all;
    }

    /**
     * Who keeps such pods off; null: nobody.
     *
     * @param but jobs that do not count
     */
    Tenants.@Nullable Repelling repelling(Repulsion repulsion, SortedSet<JobId> but) {
        return tenants == null || repulsion.isNone() ? null : tenants.repelling(repulsion, but);
    }

    /** Nothing is said of it any more. */
    boolean isBlank() {
        return node == null && others.isEmpty() && free.isZero() && tenants == null;
    }
}
