package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Fit.Placed;
import dev.muster.coordinator.core.Fit.Short;
import dev.muster.coordinator.core.Placing.Question;
import dev.muster.coordinator.core.Placing.Wish;
import dev.muster.coordinator.core.Topology.Policy;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a pool, what others use of them, what our jobs hold, and what is kept for the one
 * that waits for room. Every answer follows from these alone, whatever was asked before: all else
 * that is remembered only saves time.
 */
final class Capacity {
    /** The node of pods whose node is not known. */
    static final String NOWHERE = "";

    private static final int SHAPES = 4096;

    private final Rooms rooms = new Rooms();
    private final Kinds kinds = new Kinds(rooms);
    private final Domains domains = new Domains(rooms);
    private final Map<Shape, Known> shapes = new LinkedHashMap<>();

    /** The last fit that was found, which is mostly asked for again to be taken. */
    private @Nullable Found last;

    /** Others know about room: every gang fits, and lies nowhere that we know. */
    private boolean delegated;

    /** How often that changed. */
    private long turns;

    private record Found(Shape shape, long at, Placed placed) {}

    /** What was answered about a shape, and after how many changes. */
    private static final class Known {
        /**
         * Of its one part, if it has no more: looked up here, since a filter is slow to compare.
         */
        final Map<View, Kind> kinds = new EnumMap<>(View.class);

        long missedAt = -1;
        long shortAt = -1;
        @Nullable Short why;
        long everAt = -1;
        boolean ever;
    }

    void put(Node node) {
        rooms.put(node);
    }

    void removeNode(String name) {
        rooms.removeNode(name);
    }

    void put(Others use) {
        rooms.put(use);
    }

    void remove(Others use) {
        rooms.remove(use);
    }

    void hold(String node, Amounts demand) {
        rooms.hold(node, demand);
    }

    void release(String node, Amounts demand) {
        rooms.release(node, demand);
    }

    /** Keeps this of each node from all but the holder, instead of what was kept before. */
    void reserve(SortedMap<String, Amounts> hold) {
        rooms.keep(hold);
    }

    /** The same of one node alone; nothing: none of it is kept any more. */
    void reserve(String node, Amounts amounts) {
        rooms.keep(node, amounts);
    }

    void unreserve() {
        rooms.keep(Collections.emptySortedMap());
    }

    boolean hasNodes() {
        return delegated || rooms.nodes().length > 0;
    }

    /** Whether room is somebody else's to know about, from now on. */
    void delegate(boolean delegated) {
        if (this.delegated != delegated) {
            this.delegated = delegated;
            turns++;
        }
    }

    boolean isDelegated() {
        return delegated;
    }

    private static Placed nowhere(Shape shape) {
        return new Placed(
                shape.parts().stream().flatMap(part -> part.on(NOWHERE).stream()).toList());
    }

    @Nullable Node node(String name) {
        var room = rooms.find(name);
        return room == null ? null : room.node;
    }

    /** By name. */
    List<Node> nodes() {
        return Arrays.stream(rooms.nodes())
                .mapToObj(id -> rooms.get(id).node)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    @Nullable Others others(String node, int shard) {
        var room = rooms.find(node);
        return room == null ? null : room.others.get(shard);
    }

    /** Of one shard, by node. */
    List<Others> othersOf(int shard) {
        return StreamSupport.stream(rooms.all().spliterator(), false)
                .flatMap(room -> Stream.ofNullable(room.others.get(shard)))
                .toList();
    }

    /** Of shards with this number or a larger one. */
    List<Others> othersFrom(int shard) {
        return StreamSupport.stream(rooms.all().spliterator(), false)
                .flatMap(room -> room.others.values().stream())
                .filter(use -> use.shard() >= shard)
                .toList();
    }

    /**
     * For those who hold nothing. May be negative where a node shrank, where others were faster,
     * and where something is kept that is not free yet.
     */
    Amounts free(Node node) {
        var room = rooms.find(node.name());
        return room == null ? node.allocatable() : room.free.amounts(rooms.resources);
    }

    /** Of one node, whatever our jobs hold of it. */
    Amounts leftByOthers(Node node) {
        var room = rooms.find(node.name());
        return room == null ? node.allocatable() : room.empty.amounts(rooms.resources);
    }

    /**
     * Allocatable of all nodes that take pods, less what others use, of each node at least 0. A sum
     * that is larger than a long ends there.
     */
    Amounts total() {
        return rooms.total();
    }

    /**
     * Grows whenever a gang of one part may have become startable: room grew, a node came or looks
     * different, less is kept. To skip work by, never to decide by: it is not in the rows.
     */
    long grown() {
        return rooms.grown() + turns;
    }

    /**
     * Grows with every change. A gang of several parts is placed by a quick search, which may also
     * succeed because room became less: what skips such gangs must go by this.
     */
    long changed() {
        return rooms.changes(View.NOW).count() + turns;
    }

    /** Grows whenever something that could never fit may, or the other way round. */
    long changedForEver() {
        return rooms.changes(View.EMPTY).count() + turns;
    }

    /** Whether {@link #fit} finds a node for every pod; quick, and for one part at once. */
    boolean fits(Shape shape) {
        return delegated || (isPlain(shape) ? holds(View.NOW, shape) : placed(shape) != null);
    }

    /** Finds a node for every pod of the gang, or says why not. */
    Fit fit(Shape shape) {
        var placed = placed(shape);
        return placed == null ? explain(shape) : placed;
    }

    /** The same with more room, or less choice, than others have. */
    Fit fit(Shape shape, Extra extra) {
        var placed = placed(shape, extra);
        return placed == null ? explain(shape, extra) : placed;
    }

    /** The same for those who do not ask why not, which costs more than all else. */
    @Nullable Placed placed(Shape shape, Extra extra) {
        return delegated ? nowhere(shape) : search(shape, extra);
    }

    /** Suspect nodes are used where there is no other fit. */
    private @Nullable Placed search(Shape shape, Extra extra) {
        boolean mayBeMissed =
                shape.topology().policy() != Policy.NONE && !rooms.suspects().isEmpty();
        var trusted =
                mayBeMissed
                        ? ask(new Question(shape, View.NOW, extra, Wish.TRUST_ONLY)).place()
                        : null;
        return trusted == null ? ask(now(shape, extra)).place() : trusted;
    }

    /** The same on some nodes alone; may find what is missed among very many. */
    @Nullable Placed placedOn(Collection<String> nodes, Shape shape, Extra extra) {
        int[] ids =
                nodes.stream()
                        .map(rooms::find)
                        .flatMap(Stream::ofNullable)
                        .filter(room -> room.node != null)
                        .mapToInt(room -> room.id)
                        .toArray();
        return delegated ? nowhere(shape) : ask(now(shape, extra)).placeOn(ids);
    }

    /** Whether a node would take a pod of this part if none of our jobs ran. */
    boolean couldTake(String node, Shape.Part part) {
        dropIfTooMany();
        var room = rooms.find(node);
        return room != null && kinds.of(View.EMPTY, part).slots(room.id) > 0;
    }

    /** Whether the gang would fit if none of our jobs ran. */
    boolean couldEverFit(Shape shape) {
        return delegated || (isPlain(shape) ? holds(View.EMPTY, shape) : everPlaced(shape));
    }

    /**
     * A fixed fit for one that waits, if it could ever fit: in what others leave, whatever our jobs
     * hold, and first where most is free now.
     */
    Fit fitEventually(Shape shape) {
        if (!couldEverFit(shape)) {
            return explain(shape);
        }
        var soon = ask(new Question(shape, View.EMPTY, Extra.NONE, Wish.SOON)).place();
        var ever = soon == null ? ask(ever(shape)).place() : soon;
        if (ever == null) {
            throw new IllegalStateException("could fit, and does not: " + shape);
        }
        return ever;
    }

    /** The gang fits when each pod does: whatever one takes is no other's loss. */
    private static boolean isPlain(Shape shape) {
        return shape.parts().size() == 1 && shape.topology().policy() != Policy.REQUIRE;
    }

    private boolean holds(View view, Shape shape) {
        var part = shape.parts().getFirst();
        return kind(view, shape).holds(part.pods(), part.apart());
    }

    /** Of the one part of a shape. */
    private Kind kind(View view, Shape shape) {
        dropIfTooMany();
        return known(shape)
                .kinds
                .computeIfAbsent(view, _ -> kinds.of(view, shape.parts().getFirst()))
                .catchUp();
    }

    private void dropIfTooMany() {
        if (kinds.areTooMany()) {
            kinds.drop();
            shapes.clear();
        }
    }

    /** A node for every pod; null: there is no fit. */
    @Nullable Placed placed(Shape shape) {
        if (delegated) {
            return nowhere(shape);
        }
        if (isPlain(shape) && !holds(View.NOW, shape)) {
            return null;
        }
        long at = changed();
        var found = last;
        if (found != null && found.at() == at && found.shape().equals(shape)) {
            return found.placed();
        }
        var known = known(shape);
        if (known.missedAt == at) {
            return null;
        }
        var placed = onOneNode(shape);
        placed = placed == null ? search(shape, Extra.NONE) : placed;
        if (placed == null) {
            known.missedAt = at;
        } else {
            last = new Found(shape, at, placed);
        }
        return placed;
    }

    /**
     * What a search finds first where all pods are alike and may lie together, without the search.
     */
    private @Nullable Placed onOneNode(Shape shape) {
        if (shape.parts().size() != 1 || shape.topology().policy() != Policy.NONE) {
            return null;
        }
        var part = shape.parts().getFirst();
        int room = part.apart() ? Kind.NOT_AT_ONCE : leastToSpare(shape, part.pods());
        return room == Kind.NOT_AT_ONCE ? null : new Placed(part.on(rooms.get(room).name));
    }

    private int leastToSpare(Shape shape, int pods) {
        var kind = kind(View.NOW, shape);
        return rooms.suspects().isEmpty()
                ? kind.leastToSpare(pods)
                : kind.leastToSpare(pods, rooms.byTrust().first());
    }

    private boolean everPlaced(Shape shape) {
        var known = known(shape);
        long at = rooms.changes(View.EMPTY).count();
        if (known.everAt != at) {
            known.ever = ask(ever(shape)).place() != null;
            known.everAt = at;
        }
        return known.ever;
    }

    private Short explain(Shape shape) {
        var known = known(shape);
        var why = known.why;
        if (why == null || known.shortAt != changed()) {
            why = explain(shape, Extra.NONE);
            known.why = why;
            known.shortAt = changed();
        }
        return why;
    }

    private Short explain(Shape shape, Extra extra) {
        boolean never = !couldEverFit(shape);
        var placing = ask(now(shape, extra));
        if (shape.topology().policy() == Policy.REQUIRE) {
            var anywhere = shape.anywhere();
            if (never ? couldEverFit(anywhere) : placed(anywhere, extra) != null) {
                var asked = never ? ask(ever(shape)) : placing;
                return new Shortfall(rooms, kinds, shape, asked, never).ofTopology();
            }
        }
        return new Shortfall(rooms, kinds, shape, placing, never).ofRoom();
    }

    private Known known(Shape shape) {
        if (shapes.size() > SHAPES) {
            shapes.clear();
        }
        return shapes.computeIfAbsent(shape, _ -> new Known());
    }

    private static Question now(Shape shape, Extra extra) {
        return new Question(shape, View.NOW, extra, Wish.TRUST_FIRST);
    }

    private static Question ever(Shape shape) {
        return new Question(shape, View.EMPTY, Extra.NONE, Wish.NOTHING);
    }

    private Placing ask(Question question) {
        dropIfTooMany();
        return new Placing(rooms, kinds, domains, question);
    }
}
