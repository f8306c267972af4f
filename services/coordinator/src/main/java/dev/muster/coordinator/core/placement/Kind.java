package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Sums;
import java.util.Arrays;
import java.util.Collections;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * How many pods of one demand and filter, that keep apart from the same others, each node takes,
 * kept up with what changes.
 */
final class Kind {
    static final int NOT_AT_ONCE = -1;

    /** As good as any number: no gang has as many pods. */
    private static final int PLENTY = 1 << 30;

    private static final int MANY = 256;

    private final Rooms rooms;
    private final View view;
    private final Amounts demand;
    private final Matching matching;
    private final Repulsion repulsion;
    private int[] needed = {};
    private long[] needs = {};

    /** A resource that no node has is met when the first one does. */
    private int met = -1;

    private final Slots slots = new Slots();
    private long sum;

    /** How many nodes take so many pods; the last one counts those that take more, too. */
    private final int[] counts = new int[MANY + 1];

    private long seen = Changes.NEVER;

    Kind(Rooms rooms, View view, Shape.Part part, Matching matching) {
        this.rooms = rooms;
        this.view = view;
        this.demand = part.demand();
        this.matching = matching;
        // Of the empty pool none of our jobs keeps anybody off.
        this.repulsion = view == View.EMPTY ? Repulsion.NONE : part.repulsion();
    }

    /** To be called before any question, since what is known is as old as the last call. */
    Kind catchUp() {
        matching.catchUp();
        if (slots.count() < rooms.count()) {
            counts[0] += rooms.count() - slots.count();
            slots.grow(rooms.count());
        }
        boolean news = meet();
        seen = rooms.changes(view).catchUp(news ? Changes.NEVER : seen, rooms.count(), this::count);
        return this;
    }

    /** Returns whether resources have become known of which it may ask for some. */
    private boolean meet() {
        if (met == rooms.resources.count()) {
            return false;
        }
        met = rooms.resources.count();
        needed = new int[demand.size()];
        needs = new long[demand.size()];
        int size = 0;
        for (int i = 0; i < demand.size(); i++) {
            if (demand.amount(i) > 0) {
                needed[size] = rooms.resources.find(demand.name(i));
                needs[size++] = demand.amount(i);
            }
        }
        needed = Arrays.copyOf(needed, size);
        needs = Arrays.copyOf(needs, size);
        return true;
    }

    private void count(int id) {
        int now = accepts(id, Collections.emptySortedSet()) ? slots(rooms.get(id).sums(view)) : 0;
        int before = slots.get(id);
        if (now != before) {
            slots.set(id, now);
            sum += now - before;
            counts[Math.min(before, MANY)]--;
            counts[Math.min(now, MANY)]++;
        }
    }

    /**
     * Nothing but room may keep it off.
     *
     * @param but jobs whose pods do not count
     */
    boolean accepts(int id, SortedSet<JobId> but) {
        return matching.accepts(id) && repelling(id, but) == null;
    }

    /** Whose pods keep it off, whatever the room; null: nobody's do. */
    Tenants.@Nullable Repelling repelling(int id, SortedSet<JobId> but) {
        return repulsion.isNone() ? null : rooms.get(id).repelling(repulsion, but);
    }

    /** On a node that has these amounts, whether the filter accepts it or not. */
    int slots(Sums sums) {
        long least = PLENTY;
        for (int i = 0; i < needed.length; i++) {
            long free = sums.get(needed[i]);
            if (free < needs[i]) {
                return 0;
            }
            least = Math.min(least, free / needs[i]);
        }
        return (int) least;
    }

    int slots(int id) {
        return slots.get(id);
    }

    /** On all nodes together. */
    long sum() {
        return sum;
    }

    /** Whether so many pods find a node each, or, if apart, a node of their own. */
    boolean hasRoomFor(long pods, boolean apart) {
        return (apart ? slots.count() - counts[0] : sum) >= pods;
    }

    /**
     * Of the nodes that take all these pods, the first of those with the least to spare.
     *
     * @param pods 1 or more
     * @return {@link #NOT_AT_ONCE} when there is none, or when there is more to look at than this
     */
    int leastToSpare(int pods) {
        int least = pods;
        while (least < MANY && counts[least] == 0) {
            least++;
        }
        if (least < MANY) {
            for (int id : rooms.nodes()) {
                if (slots.get(id) == least) {
                    return id;
                }
            }
        }
        return NOT_AT_ONCE;
    }

    /** The same of some rooms, by name, however many there are. */
    int leastToSpare(int pods, int[] of) {
        int best = NOT_AT_ONCE;
        for (int id : of) {
            int takes = slots.get(id);
            if (takes >= pods && (best == NOT_AT_ONCE || takes < slots.get(best))) {
                best = id;
            }
        }
        return best;
    }

    /** How many resources it asks for. */
    int needs() {
        return needed.length;
    }

    /** Which resource this is; {@code Resources.UNKNOWN} when no node has any. */
    int resource(int at) {
        return needed[at];
    }

    /** How much of it, more than 0. */
    long need(int at) {
        return needs[at];
    }

    Matching matching() {
        return matching;
    }

    View view() {
        return view;
    }
}
