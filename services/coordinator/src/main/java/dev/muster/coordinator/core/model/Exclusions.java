package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that a job avoids, since it failed there. Each failure weighs 1, and half of the weight is
 * forgotten every hour; a node is avoided while half a failure is left: 2 h after one, 3 h after
 * two, 4 h after four.
 */
public record Exclusions(SortedMap<String, Evidence> byNode) {
    public static final Exclusions NONE = new Exclusions(new TreeMap<>());

    static final Duration HALF_LIFE = Duration.ofHours(1);

    private static final int ONE = 1_000;
    private static final int ENOUGH = ONE / 2;
    private static final int MOST = 1_000 * ONE;

    /**
     * @param weight in thousandths of a failure
     * @param at when it weighed so much
     */
    public record Evidence(int weight, Instant at) {
        private int weight(Instant now) {
            long halvings = Duration.between(at, now).dividedBy(HALF_LIFE);
            return halvings >= Integer.SIZE ? 0 : weight >> halvings;
        }

        /** When it is forgotten so far that the node is avoided no more. */
        private Instant until() {
            int halvings = 0;
            while (weight >> halvings >= ENOUGH) {
                halvings++;
            }
            return at.plus(HALF_LIFE.multipliedBy(halvings));
        }
    }

    public Exclusions {
        byNode = Collections.unmodifiableSortedMap(new TreeMap<>(byNode));
    }

    public Exclusions failed(SortedSet<String> nodes, Instant now) {
        var next = new TreeMap<>(byNode);
        for (var node : nodes) {
            var known = next.get(node);
            int before = known == null ? 0 : known.weight(now);
            next.put(node, new Evidence(Math.min(MOST, before + ONE), now));
        }
        return new Exclusions(next);
    }

    /** Without what is forgotten. */
    public Exclusions at(Instant now) {
        var left = new TreeMap<>(byNode);
        left.values().removeIf(evidence -> !evidence.until().isAfter(now));
        return new Exclusions(left);
    }

    /** Nothing is held against these any more. */
    public Exclusions without(SortedSet<String> nodes) {
        var left = new TreeMap<>(byNode);
        left.keySet().removeAll(nodes);
        return new Exclusions(left);
    }

    public SortedSet<String> nodes() {
        return new TreeSet<>(byNode.keySet());
    }

    /** When the next one is avoided no more; null: none is. */
    public @Nullable Instant next() {
        Instant next = null;
        for (var evidence : byNode.values()) {
            var until = evidence.until();
            next = next == null || until.isBefore(next) ? until : next;
        }
        return next;
    }
}
