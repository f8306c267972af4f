package dev.muster.watcher.core;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Of one kind of object, whether all that there is was heard, and whether that is fresh: of a list
 * that began after the lease was won, or after it was foreseen.
 */
final class Listing<K extends Comparable<K>> {
    /** Who was known before the list began that is under way, and was not heard of since. */
    private final Set<K> missing = new TreeSet<>();

    private boolean began;
    private boolean known;
    private boolean fresh;

    boolean isKnown() {
        return known;
    }

    boolean isFresh() {
        return fresh;
    }

    /** What was heard may be past, and so may be what a list under way shows. */
    void outdate() {
        began = false;
        fresh = false;
    }

    /** All objects are heard of once more from here on. */
    void begins(Collection<K> names) {
        began = true;
        missing.clear();
        missing.addAll(names);
    }

    void heard(K name) {
        missing.remove(name);
    }

    /**
     * All were heard of.
     *
     * @return those that are no longer there
     */
    List<K> ends() {
        known = true;
        fresh |= began;
        var gone = List.copyOf(missing);
        missing.clear();
        return gone;
    }
}
