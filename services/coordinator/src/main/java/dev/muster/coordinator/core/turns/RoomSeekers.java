package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.placement.Extra;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Strength;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs that lack nothing but room. What was found of a queue is kept until something of it
 * changes, or of the nodes of which the pool consists; where waiting adds to priorities, until time
 * has passed.
 */
public final class RoomSeekers {
    /** So many pods on nodes are looked at; after that a job counts as one that needs the room. */
    private static final int LOOKS = 1_000;

    /** The room of so many is left to them before a job counts as one that needs all. */
    private static final int LEFT_TO = 16;

    private final Tables tables;
    private final Eligibility eligibility;
    private final TreeMap<String, Heads> byQueue = new TreeMap<>();

    /** How many queues have this for the most that a job of theirs is worth. */
    private final TreeMap<Long, Integer> most = new TreeMap<>();

    /** How many queues have jobs that keep to their guarantee of this resource. */
    private final TreeMap<String, Integer> guaranteed = new TreeMap<>();

    private long nodes = -1;

    /** When all were looked at last: where waiting adds to priorities they are worth more since. */
    private @Nullable Instant moment;

    /** The oldest of jobs that are alike. */
    private record Head(JobId job, Strength strength, Shape shape) {
        /** In whatever queue it is compared. */
        long most() {
            return Math.max(strength.priority(), strength.worth());
        }
    }

    /**
     * Of one queue, at least one.
     *
     * @param own what any of them needs of the queue's guarantee, and keeps to
     */
    private record Heads(List<Head> all, long most, SortedSet<String> own) {
        static Heads of(List<Head> all) {
            var own = new TreeSet<String>();
            all.forEach(head -> own.addAll(head.strength().own()));
            return new Heads(all, all.stream().mapToLong(Head::most).max().orElseThrow(), own);
        }

        /** None of them needs be looked at. */
        boolean areBelow(Strength other) {
            return most < other.priority() && Collections.disjoint(own, other.beyond());
        }
    }

    public RoomSeekers(Tables tables) {
        this.tables = tables;
        this.eligibility = tables.eligibility;
    }

    /**
     * One whose claim is no weaker than that of a job that would grow by these; null: there is
     * none.
     */
    public @Nullable JobId of(Job job, Shape more) {
        var rival = rival(job, more, _ -> true);
        return rival == null ? null : rival.job();
    }

    /**
     * Where pods of a growing job go, and for whom they do not come.
     *
     * @param fit on nodes that nobody needs; null: there is none
     * @param rival who needs the first room that there is for them; null: there is no such room, or
     *     a fit
     */
    public record Place(@Nullable Placed fit, @Nullable JobId rival) {}

    /**
     * A place for these pods that no other job needs whose claim is no weaker: none of its pods
     * would fit on one of the nodes if it were empty.
     *
     * @param extra where they may go
     */
    public Place place(Job job, Shape more, Extra extra) {
        JobId first = null;
        var open = extra;
        for (int i = 0; i <= LEFT_TO; i++) {
            var fit = tables.capacity.placed(more, open);
            if (fit == null) {
                break;
            }
            var nodes = nodes(fit);
            var rival = rival(job, more, new InTheWay(nodes));
            if (rival == null) {
                return new Place(fit, null);
            }
            first = first == null ? rival.job() : first;
            if (!couldUse(rival.shape(), nodes)) {
                // It counts as in the way unseen: leaving it room elsewhere would free none of
                // these.
                break;
            }
            open = open.leavingTo(rival.shape());
        }
        return new Place(null, first);
    }

    private static SortedSet<String> nodes(Placed fit) {
        var nodes = new TreeSet<String>();
        fit.pods().forEach(pod -> nodes.add(pod.node()));
        return nodes;
    }

    /** Who needs it, and what of him. */
    private record Rival(JobId job, Shape shape) {}

    private @Nullable Rival rival(Job job, Shape more, Predicate<Shape> needs) {
        var queue = tables.queue(job.spec().queue());
        if (queue == null) {
            return null;
        }
        catchUp();
        var claim = eligibility.claim(queue, job, more, By.GROWING_JOB);
        var growing = eligibility.strengthOfRunning(claim, job);
        var holder = holder(growing);
        if (holder != null && needs.test(tables.makeup(holder).start())) {
            return new Rival(holder.id(), tables.makeup(holder).start());
        }
        if (isNobody(growing)) {
            return null;
        }
        int looks = LOOKS;
        for (var heads : byQueue.values()) {
            for (var head : heads.areBelow(growing) ? List.<Head>of() : heads.all()) {
                looks--;
                boolean isRival = looks < 0 || !head.strength().isBelow(growing);
                if (isRival && needs.test(head.shape())) {
                    return new Rival(head.job(), head.shape());
                }
            }
        }
        return null;
    }

    private boolean isNobody(Strength growing) {
        return most.isEmpty()
                || most.lastKey() < growing.priority()
                        && Collections.disjoint(guaranteed.keySet(), growing.beyond());
    }

    private @Nullable Job holder(Strength growing) {
        var job = tables.holdingJob();
        var claim = job == null ? null : eligibility.toStart(job, By.HOLDER);
        boolean isRival =
                job != null
                        && claim != null
                        && !eligibility.strengthOfWaiting(claim, job).isBelow(growing);
        return isRival ? job : null;
    }

    /** Jobs that need what one of some nodes has; after many looks all do. */
    private final class InTheWay implements Predicate<Shape> {
        private final SortedSet<String> nodes;
        private int looks = LOOKS;

        InTheWay(SortedSet<String> nodes) {
            this.nodes = nodes;
        }

        @Override
        public boolean test(Shape shape) {
            looks -= shape.parts().size() * nodes.size();
            return looks < 0 || couldUse(shape, nodes);
        }
    }

    private boolean couldUse(Shape shape, SortedSet<String> nodes) {
        for (var part : shape.parts()) {
            for (var node : nodes) {
                if (tables.capacity.couldTake(node, part)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void catchUp() {
        // Within a step no time passes, and it asks for every line of jobs that could grow.
        boolean areOlder = eligibility.isOrderedByTime() && !tables.now().equals(moment);
        if (nodes != tables.capacity.changedForEver() || areOlder) {
            tables.marks.forWanting.addAll();
            nodes = tables.capacity.changedForEver();
            moment = tables.now();
        }
        for (var name : tables.marked(tables.marks.forWanting)) {
            var queue = tables.queue(name);
            var heads = queue == null ? List.<Head>of() : heads(queue);
            put(name, heads.isEmpty() ? null : Heads.of(heads));
        }
    }

    private void put(String queue, @Nullable Heads now) {
        var before = now == null ? byQueue.remove(queue) : byQueue.put(queue, now);
        if (before != null) {
            take(most, before.most());
            before.own().forEach(resource -> take(guaranteed, resource));
        }
        if (now != null) {
            most.merge(now.most(), 1, Integer::sum);
            now.own().forEach(resource -> guaranteed.merge(resource, 1, Integer::sum));
        }
    }

    private static <T> void take(TreeMap<T, Integer> counts, T one) {
        counts.computeIfPresent(one, (_, queues) -> queues == 1 ? null : queues - 1);
    }

    private List<Head> heads(Queue queue) {
        if (!eligibility.mayStart(queue)) {
            return List.of();
        }
        var heads = new ArrayList<Head>();
        for (var line : eligibility.lines(queue)) {
            if (eligibility.mayHold(queue, line)) {
                var strength = eligibility.strength(queue, line, By.WAITING_JOB);
                heads.add(new Head(line.head(), strength, line.shape()));
            }
            if (eligibility.blocks(queue, line)) {
                return heads; // Nothing behind it could use the room.
            }
        }
        return heads;
    }
}
