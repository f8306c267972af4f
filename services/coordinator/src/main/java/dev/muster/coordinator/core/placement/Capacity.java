package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Fit;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.WaitReason.Gist;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a pool, what others use of them, what our jobs hold, and what is kept for the one
 * that waits for room. Every answer follows from these alone, whatever was asked before: all else
 * that is remembered only saves time.
 */
public final class Capacity {
    /** The node of pods whose node is not known. */
    static final String NOWHERE = "";

    private final Rooms rooms = new Rooms();
    private final Fits fits = new Fits(rooms);

    /** Others know about room: every gang fits, and lies nowhere that we know. */
    private boolean delegated;

    /** How often that changed. */
    private long turns;

    public void put(Node node) {
        rooms.put(node);
    }

    public void removeNode(String name) {
        rooms.removeNode(name);
    }

    public void put(Others use) {
        rooms.put(use);
    }

    public void remove(Others use) {
        rooms.remove(use);
    }

    public void occupy(String node, Amounts demand) {
        rooms.occupy(node, demand);
    }

    public void release(String node, Amounts demand) {
        rooms.release(node, demand);
    }

    /**
     * A pod of a job is there, or it is there no more, that keeps apart from some of other jobs, or
     * those from it.
     */
    public void settle(String node, JobId job, Repulsion repulsion, int sign) {
        rooms.settle(node, job, repulsion, sign);
    }

    /**
     * Keeps this of one node from all but the holder, instead of what was kept of it before;
     * nothing: none of it is kept any more.
     */
    public void reserve(String node, Amounts amounts) {
        rooms.keep(node, amounts);
    }

    /** For those who remember answers that count on this. */
    public Concerns concerns(View... views) {
        return new Concerns(rooms, () -> turns, views);
    }

    /** For those who remember why gangs do not fit. */
    public Stocks stocks() {
        return new Stocks(rooms);
    }

    public boolean hasNodes() {
        return delegated || rooms.nodes().length > 0;
    }

    /** Whether room is somebody else's to know about, from now on. */
    public void delegate(boolean delegated) {
        if (this.delegated != delegated) {
            this.delegated = delegated;
            turns++;
        }
    }

    public boolean isDelegated() {
        return delegated;
    }

    private static Placed nowhere(Shape shape) {
        return new Placed(
                shape.parts().stream().flatMap(part -> part.on(NOWHERE).stream()).toList());
    }

    public @Nullable Node node(String name) {
        var room = rooms.find(name);
        return room == null ? null : room.node;
    }

    /** By name. */
    public List<Node> nodes() {
        return Arrays.stream(rooms.nodes())
                .mapToObj(id -> rooms.get(id).node)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    public @Nullable Others others(String node, int shard) {
        var room = rooms.find(node);
        return room == null ? null : room.others.get(shard);
    }

    /** Of one shard, by node. */
    public List<Others> othersOf(int shard) {
        return StreamSupport.stream(rooms.all().spliterator(), false)
                .flatMap(room -> Stream.ofNullable(room.others.get(shard)))
                .toList();
    }

    /** Of shards with this number or a larger one. */
    public List<Others> othersFrom(int shard) {
        return StreamSupport.stream(rooms.all().spliterator(), false)
                .flatMap(room -> room.others.values().stream())
                .filter(use -> use.shard() >= shard)
                .toList();
    }

    /**
     * For those who hold nothing. May be negative where a node shrank, where others were faster,
     * and where something is kept that is not free yet.
     */
    public Amounts free(Node node) {
        var room = rooms.find(node.name());
        return room == null ? node.allocatable() : room.free.amounts(rooms.resources);
    }

    /** Of one node, whatever our jobs hold of it. */
    public Amounts leftByOthers(Node node) {
        var room = rooms.find(node.name());
        return room == null ? node.allocatable() : room.empty.amounts(rooms.resources);
    }

    /**
     * Allocatable of all nodes that take pods, less what others use, of each node at least 0. A sum
     * that is larger than a long ends there.
     */
    public Amounts total() {
        return rooms.total();
    }

    /**
     * Grows whenever a gang of one part may have become startable: room grew, a node came or looks
     * different, less is kept, a pod went that kept others off. To skip work by, never to decide
     * by: it is not in the rows.
     */
    public long grown() {
        return rooms.grown() + turns;
    }

    /**
     * Grows with every change. A gang of several parts is placed by a quick search, which may also
     * succeed because room became less: what skips such gangs must go by this.
     */
    public long changed() {
        return rooms.changes(View.NOW).count() + turns;
    }

    /** Grows whenever something that could never fit may, or the other way round. */
    public long changedForEver() {
        return rooms.changes(View.EMPTY).count() + turns;
    }

    /** At how many rooms was looked ever, which is what most answers take. To be seen by tests. */
    public long looked() {
        return rooms.looked();
    }

    /** Whether {@link #fit} finds a node for every pod; quick, and for one part at once. */
    public boolean fits(Shape shape) {
        return delegated || fits.fits(shape);
    }

    /** Finds a node for every pod of the gang, or says why not. */
    public Fit fit(Shape shape) {
        var placed = placed(shape);
        return placed == null ? fits.explain(shape) : placed;
    }

    /** The same with more room, or less choice, than others have. */
    public Fit fit(Shape shape, Extra extra) {
        var placed = placed(shape, extra);
        return placed == null ? fits.explain(shape, extra) : placed;
    }

    /** A node for every pod; null: there is no fit, and why not costs more than all else. */
    public @Nullable Placed placed(Shape shape) {
        return delegated ? nowhere(shape) : fits.placed(shape);
    }

    /** The same with more room, or less choice, than others have. */
    public @Nullable Placed placed(Shape shape, Extra extra) {
        return delegated ? nowhere(shape) : fits.search(shape, extra);
    }

    /** The same on some nodes alone; may find what is missed among very many. */
    public @Nullable Placed placedOn(Collection<String> nodes, Shape shape, Extra extra) {
        return delegated ? nowhere(shape) : fits.searchOn(nodes, shape, extra);
    }

    /** Of what {@link #fit} says that which makes it another reason; null: it fits. */
    public @Nullable Gist gist(Shape shape) {
        return delegated ? null : fits.gist(shape);
    }

    /** Whether a node would take a pod of this part if none of our jobs ran. */
    public boolean couldTake(String node, Shape.Part part) {
        return fits.couldTake(node, part);
    }

    /** Whether the gang would fit if none of our jobs ran. */
    public boolean couldEverFit(Shape shape) {
        return delegated || fits.couldEverFit(shape);
    }

    /**
     * Of a gang that does not fit: whether that stays so, whether it could ever fit, and why it
     * does not, follows from what those rooms have that would take one of its pods, and from how
     * much is free in all. So {@link Concerns} tell when it is to be asked about again.
     */
    public boolean isSettled(Shape shape) {
        return delegated || fits.isSettled(shape);
    }

    /** The same of whether it could ever fit alone. */
    public boolean isSettledForEver(Shape shape) {
        return delegated || fits.isSettledForEver(shape);
    }

    /**
     * A fixed fit for one that waits, if it could ever fit: in what others leave, whatever our jobs
     * hold, and first where most is free now.
     */
    public Fit fitEventually(Shape shape) {
        return delegated ? nowhere(shape) : fits.fitEventually(shape);
    }

    /** The same with less choice; null: there is no such fit. */
    public @Nullable Placed placedEventually(Shape shape, Extra extra) {
        return delegated ? nowhere(shape) : fits.placedEventually(shape, extra);
    }

    /**
     * Whether pods there keep such ones off, or these keep apart from them.
     *
     * @param but jobs that do not count
     */
    public boolean keepsOff(String node, Repulsion repulsion, SortedSet<JobId> but) {
        var room = rooms.find(node);
        return room != null && room.repelling(repulsion, but) != null;
    }
}
