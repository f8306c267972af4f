package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Node.Trust;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Resources;
import dev.muster.coordinator.core.model.Sums;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of all nodes, and what changed in them. Every sum is exact and kept as things come
 * and go; so it is the same whatever the order in which they came, and after a restore.
 *
 * <p>Rooms are told by numbers that are used again when a room is forgotten. Answers follow the
 * order of names alone.
 */
final class Rooms {
    final Resources resources = new Resources();
    private final SortedMap<String, Room> rooms = new TreeMap<>();
    private final List<Room> byId = new ArrayList<>();
    private final Deque<Integer> unused = new ArrayDeque<>();
    private final Map<View, Changes> changes = new EnumMap<>(View.class);
    private final Changes looks = new Changes();
    private final Sums total = new Sums();
    private @Nullable Amounts totalRead;
    private final SortedMap<String, Amounts> kept = new TreeMap<>();
    private int[] nodes = new int[0];
    private final BitSet suspects = new BitSet();
    private @Nullable Trusted trusted;
    private long grown;

    /**
     * Rooms of nodes that pods go to first, and of those that they go to last.
     *
     * @param first by name
     * @param last by name
     */
    record Trusted(int[] first, int[] last) {}

    Rooms() {
        for (var view : View.values()) {
            changes.put(view, new Changes());
        }
    }

    void put(Node node) {
        var room = room(node.name());
        var before = room.node;
        if (before == null) {
            insert(room);
        }
        boolean sameAmounts = before != null && before.allocatable().equals(node.allocatable());
        suspect(room, node.trust() == Trust.SUSPECT);
        if (before != null && sameAmounts && before.looksLike(node)) {
            room.node = node;
            return;
        }
        change(
                room,
                node,
                node.allocatable(),
                before == null ? Amounts.NONE : before.allocatable());
    }

    /** Gangs are placed otherwise from now on, and fit as they did. */
    private void suspect(Room room, boolean suspect) {
        if (suspects.get(room.id) != suspect) {
            trusted = null;
            suspects.set(room.id, suspect);
            changes(View.NOW).add(room.id);
        }
    }

    void removeNode(String name) {
        var room = rooms.get(name);
        if (room != null && room.node != null) {
            suspect(room, false);
            change(room, null, Amounts.NONE, room.node.allocatable());
            remove(room);
            forgetIfBlank(room);
        }
    }

    void put(Others use) {
        var room = room(use.node());
        var before = room.others.put(use.shard(), use);
        var used = before == null ? Amounts.NONE : before.used();
        if (!used.equals(use.used())) {
            change(room, room.node, used, use.used());
        }
    }

    void remove(Others use) {
        var room = rooms.get(use.node());
        var before = room == null ? null : room.others.remove(use.shard());
        if (room != null && before != null) {
            change(room, room.node, before.used(), Amounts.NONE);
            forgetIfBlank(room);
        }
    }

    /** A node, or what others use of it. */
    private void change(Room room, @Nullable Node node, Amounts more, Amounts less) {
        var before = new Sums(room.free);
        var nodeBefore = room.node;
        boolean tookPods = room.takesPods();
        count(room, -1);
        room.node = node;
        room.empty.add(resources, more, 1);
        room.empty.add(resources, less, -1);
        room.free.add(resources, more, 1);
        room.free.add(resources, less, -1);
        count(room, 1);
        changes(View.NOW).add(room.id);
        changes(View.EMPTY).add(room.id);
        boolean looksNew = node == null || nodeBefore == null || !nodeBefore.looksLike(node);
        if (looksNew) {
            looks.add(room.id);
        }
        if (room.takesPods() && (looksNew || !tookPods || room.free.exceeds(before))) {
            grown++;
        }
    }

    /** Takes the room's part in the total in, or out. */
    private void count(Room room, int times) {
        totalRead = null;
        if (room.takesPods()) {
            for (int i = 0; i < resources.count(); i++) {
                total.add(i, Math.max(0, room.empty.get(i)), times);
            }
        }
    }

    void occupy(String node, Amounts demand) {
        var room = room(node);
        room.free.add(resources, demand, -1);
        changes(View.NOW).add(room.id);
        forgetIfBlank(room);
    }

    void release(String node, Amounts demand) {
        var room = room(node);
        room.free.add(resources, demand, 1);
        changes(View.NOW).add(room.id);
        grown += room.takesPods() ? 1 : 0;
        forgetIfBlank(room);
    }

    /** A pod is there that keeps apart from others, or those from it; or it is there no more. */
    void settle(String node, JobId job, Repulsion repulsion, int sign) {
        var room = room(node);
        room.settle(job, repulsion, sign);
        changes(View.NOW).add(room.id);
        grown += sign < 0 && room.takesPods() ? 1 : 0;
        forgetIfBlank(room);
    }

    /** Keeps this of the node, instead of what was kept before. */
    void keep(String node, Amounts amounts) {
        var known = amounts.size() == 0 ? kept.remove(node) : kept.put(node, amounts);
        var before = known == null ? Amounts.NONE : known;
        if (!before.equals(amounts)) {
            var room = room(node);
            var freeBefore = new Sums(room.free);
            room.free.add(resources, before, 1);
            room.free.add(resources, amounts, -1);
            changes(View.NOW).add(room.id);
            grown += room.takesPods() && room.free.exceeds(freeBefore) ? 1 : 0;
            forgetIfBlank(room);
        }
    }

    private Room room(String name) {
        var known = rooms.get(name);
        if (known != null) {
            return known;
        }
        var room = new Room(unused.isEmpty() ? byId.size() : unused.pop(), name);
        if (room.id == byId.size()) {
            byId.add(room);
        } else {
            byId.set(room.id, room);
        }
        rooms.put(name, room);
        return room;
    }

    private void forgetIfBlank(Room room) {
        if (room.isBlank() && rooms.remove(room.name) != null) {
            unused.push(room.id);
        }
    }

    private void insert(Room room) {
        int at = -place(room.name) - 1;
        var more = new int[nodes.length + 1];
        System.arraycopy(nodes, 0, more, 0, at);
        more[at] = room.id;
        System.arraycopy(nodes, at, more, at + 1, nodes.length - at);
        nodes = more;
        trusted = null;
    }

    private void remove(Room room) {
        int at = place(room.name);
        var fewer = new int[nodes.length - 1];
        System.arraycopy(nodes, 0, fewer, 0, at);
        System.arraycopy(nodes, at + 1, fewer, at, fewer.length - at);
        nodes = fewer;
        trusted = null;
    }

    /** As of {@link java.util.Arrays#binarySearch}. */
    private int place(String name) {
        int low = 0;
        int high = nodes.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = get(nodes[middle]).name.compareTo(name);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    /** Rooms of the nodes that are there, by name. Not to be written to. */
    int[] nodes() {
        return nodes;
    }

    /** Rooms of nodes to which pods go last. Not to be written to. */
    BitSet suspects() {
        return suspects;
    }

    /** Not to be written to. */
    Trusted byTrust() {
        var known = trusted;
        if (known == null) {
            known =
                    new Trusted(
                            Arrays.stream(nodes).filter(id -> !suspects.get(id)).toArray(),
                            Arrays.stream(nodes).filter(suspects::get).toArray());
            trusted = known;
        }
        return known;
    }

    Room get(int id) {
        return byId.get(id);
    }

    /** Numbers are below this. */
    int count() {
        return byId.size();
    }

    @Nullable Room find(String name) {
        return rooms.get(name);
    }

    /** By name, with those whose node was not seen yet. */
    Iterable<Room> all() {
        return rooms.values();
    }

    Changes changes(View view) {
        var ofView = changes.get(view);
        if (ofView == null) {
            throw new IllegalStateException("no view " + view);
        }
        return ofView;
    }

    /** Nodes that came, went or look different: other labels, taints, readiness. */
    Changes looks() {
        return looks;
    }

    long grown() {
        return grown;
    }

    long looked() {
        return looks.looked() + changes.values().stream().mapToLong(Changes::looked).sum();
    }

    Amounts total() {
        if (totalRead == null) {
            totalRead = total.amounts(resources);
        }
        return totalRead;
    }
}
