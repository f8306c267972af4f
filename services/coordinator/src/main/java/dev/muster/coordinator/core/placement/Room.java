package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Sums;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One node's account. It is there before the node is seen when something of it is heard first. */
final class Room {
    final int id;
    final String name;
    @Nullable Node node;

    /** By shard. */
    final SortedMap<Integer, Others> others = new TreeMap<>();

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

    boolean takesPods() {
        return node != null && node.takesPods();
    }

    /** Nothing is said of it any more. */
    boolean isBlank() {
        return node == null && others.isEmpty() && free.isZero();
    }
}
