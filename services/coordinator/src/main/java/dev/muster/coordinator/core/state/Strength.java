package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Amounts;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How strong somebody's claim to room is, beside others who could use the same. Within a queue the
 * priority decides. Of two queues first comes who keeps to a guarantee, before who borrows of it;
 * among those who are alike in that, the number decides.
 *
 * @param priority as it was asked for
 * @param worth with what waiting has added, where the queue goes by that
 * @param own what it needs of its queue's guarantee, if it keeps to that; else nothing
 * @param beyond of what it needs, what its queue uses more of with it than it was guaranteed
 */
public record Strength(
        String queue, int priority, long worth, SortedSet<String> own, SortedSet<String> beyond) {
    public Strength {
        own = Collections.unmodifiableSortedSet(own);
        beyond = Collections.unmodifiableSortedSet(beyond);
    }

    /**
     * @param used what its queue uses with it
     * @param guaranteed what its queue was guaranteed
     */
    public static Strength of(
            String queue,
            int priority,
            long worth,
            Amounts need,
            Amounts used,
            Amounts guaranteed) {
        var own = new TreeSet<String>();
        var beyond = new TreeSet<String>();
        boolean keeps = true;
        for (int i = 0; i < need.size(); i++) {
            var resource = need.name(i);
            if (need.amount(i) > 0) {
                long most = guaranteed.get(resource);
                boolean isWithin = used.get(resource) <= most;
                keeps &= isWithin || most == 0;
                (isWithin ? own : beyond).add(resource);
            }
        }
        return new Strength(queue, priority, worth, keeps ? own : new TreeSet<>(), beyond);
    }

    /** The other one has the stronger claim. */
    public boolean isBelow(Strength other) {
        if (queue.equals(other.queue)) {
            return worth < other.worth;
        }
        boolean reclaims = reclaimsFrom(other);
        boolean isReclaimed = other.reclaimsFrom(this);
        return reclaims == isReclaimed ? priority < other.priority : isReclaimed;
    }

    /** It keeps to its queue's guarantee, and the other one's queue borrows of it. */
    public boolean reclaimsFrom(Strength other) {
        return !queue.equals(other.queue) && !Collections.disjoint(own, other.beyond);
    }
}
