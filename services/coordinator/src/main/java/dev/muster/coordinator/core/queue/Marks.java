package dev.muster.coordinator.core.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which queues are to be looked at again, by each of those who keep what they found of them.
 *
 * <p>A queue is looked at again when something of its own changed (its settings, its jobs, what
 * they use), when one of its gangs began to fit, or when something changed on which all depend: the
 * pool's settings, whether there are nodes and, where guarantees or the quota of a namespace tie
 * queues together, what others use.
 */
public final class Marks {
    public final Marked forTurns = new Marked();

    /** Turns look only at whether those of them that could start still can. */
    public final Marked forLess = new Marked();

    public final Marked forHolds = new Marked();
    public final Marked forReasons = new Marked();
    public final Marked forWanting = new Marked();
    public final Marked forReserves = new Marked();

    /** What one of them has to look at; at first, everything. */
    public static final class Marked {
        private final Set<String> names = new LinkedHashSet<>();
        private boolean everything = true;

        public void add(String queue) {
            names.add(queue);
        }

        public void addAll() {
            everything = true;
        }

        /**
         * By name, those among them that are gone; from now on they are not marked.
         *
         * @param all there are
         */
        public List<String> take(Collection<String> all) {
            if (everything) {
                names.addAll(all);
            }
            everything = false;
            if (names.isEmpty()) {
                return List.of();
            }
            var taken = new ArrayList<>(names);
            Collections.sort(taken);
            names.clear();
            return taken;
        }
    }

    public void of(String queue) {
        ofUse(queue);
        forReserves.add(queue);
    }

    public void ofAll() {
        forTurns.addAll();
        forReasons.addAll();
        forHolds.addAll();
        forWanting.addAll();
        forReserves.addAll();
    }

    /** What it uses is another, and nothing else. */
    public void ofUse(String queue) {
        forTurns.add(queue);
        forHolds.add(queue);
        forReasons.add(queue);
        forWanting.add(queue);
    }

    /**
     * What others use of a quota that it has in common with them is another, and nothing else.
     *
     * @param less what could not start before may now; else it can even less
     */
    public void ofOthersUse(String queue, boolean less) {
        if (less) {
            forTurns.add(queue);
        } else {
            forLess.add(queue);
        }
        forReasons.add(queue);
        forHolds.add(queue);
        forWanting.add(queue);
    }

    /** What others use within their guarantees, and it may not have back, is another. */
    public void ofRight(String queue) {
        forReserves.add(queue);
        forHolds.add(queue);
        forWanting.add(queue);
    }
}
