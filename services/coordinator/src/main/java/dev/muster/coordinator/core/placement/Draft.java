package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Sums;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** What is left of each room while one gang is being placed. Nothing of it stays. */
final class Draft {
    private final Rooms rooms;
    private final View view;
    private final SortedMap<String, Amounts> extra;
    private final SortedMap<String, SortedSet<JobId>> gone;

    /** By room; null where nothing is different. */
    private @Nullable Sums[] changed = {};

    private final List<Integer> touched = new ArrayList<>();

    /**
     * @param extra more room than the view has, by node, and whose pods are not in the way there
     */
    Draft(Rooms rooms, View view, Extra extra) {
        this.rooms = rooms;
        this.view = view;
        this.extra = extra.room();
        this.gone = extra.gone();
        clear();
    }

    /** As at the beginning. */
    void clear() {
        touched.forEach(id -> changed[id] = null);
        touched.clear();
        extra.forEach((name, amounts) -> {
            var room = rooms.find(name);
            if (room != null) {
                own(room.id).add(rooms.resources, amounts, 1);
            }
        });
        gone.keySet()
                .forEach(name -> {
                    var room = rooms.find(name);
                    if (room != null) {
                        var _ = own(room.id);
                    }
                });
    }

    void take(int room, Amounts demand, int pods) {
        own(room).add(rooms.resources, demand, pods * -1L);
    }

    private Sums own(int room) {
        if (changed.length < rooms.count()) {
            changed = new Sums[rooms.count()];
        }
        var known = changed[room];
        if (known != null) {
            return known;
        }
        var sums = new Sums(rooms.get(room).sums(view));
        changed[room] = sums;
        touched.add(room);
        return sums;
    }

    Sums sums(int room) {
        var own = room < changed.length ? changed[room] : null;
        return own == null ? rooms.get(room).sums(view) : own;
    }

    long free(int room, String resource) {
        return sums(room).get(rooms.resources.find(resource));
    }

    /**
     * @param kind of the same view
     */
    int slots(Kind kind, int room) {
        var own = room < changed.length ? changed[room] : null;
        if (own == null) {
            return kind.slots(room);
        }
        return kind.accepts(room, gone(room)) ? kind.slots(own) : 0;
    }

    /** The same, whoever is there. */
    int slotsBesideAny(Kind kind, int room) {
        return kind.matching().accepts(room) ? kind.slots(sums(room)) : 0;
    }

    /** Whose pods keep such off; null: nobody's do. */
    Tenants.@Nullable Repelling repelling(Kind kind, int room) {
        return kind.repelling(room, gone(room));
    }

    private SortedSet<JobId> gone(int room) {
        return gone.isEmpty()
                ? Collections.emptySortedSet()
                : gone.getOrDefault(rooms.get(room).name, Collections.emptySortedSet());
    }

    /** Nothing is different yet, so that a kind's own sum is right. */
    boolean isUntouched() {
        return touched.isEmpty();
    }
}
