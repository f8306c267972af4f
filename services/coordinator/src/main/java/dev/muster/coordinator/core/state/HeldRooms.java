package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.placement.Capacity;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Where room is held for the pool's holder, and how much. */
final class HeldRooms {
    private final Capacity capacity;
    private final SortedMap<String, Hold.Room> rooms = new TreeMap<>();

    HeldRooms(Capacity capacity) {
        this.capacity = capacity;
    }

    void put(Hold.Room room) {
        rooms.put(room.node(), room);
        capacity.reserve(room.node(), room.amounts());
    }

    void remove(Hold.Room room) {
        rooms.remove(room.node());
        capacity.reserve(room.node(), Amounts.NONE);
    }

    /** By node. */
    SortedMap<String, Amounts> amounts() {
        var held = new TreeMap<String, Amounts>();
        rooms.forEach((node, room) -> held.put(node, room.amounts()));
        return held;
    }

    List<Hold.Room> all() {
        return List.copyOf(rooms.values());
    }
}
