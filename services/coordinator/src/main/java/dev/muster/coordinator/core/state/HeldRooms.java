package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Fit;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.placement.Capacity;
import dev.muster.coordinator.core.placement.Extra;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Where room is held for the pool's holder, and how much. */
public final class HeldRooms {
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
    public SortedMap<String, Amounts> amounts() {
        var held = new TreeMap<String, Amounts>();
        rooms.forEach((node, room) -> held.put(node, room.amounts()));
        return held;
    }

    public List<Hold.Room> all() {
        return List.copyOf(rooms.values());
    }

    /** Where this fits that may have all that is held, too. */
    public Fit fit(Shape shape) {
        return capacity.fit(shape, Extra.room(amounts()));
    }
}
