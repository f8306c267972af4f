package dev.muster.coordinator.core.queue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The credits of the queues that take turns by {@code SmoothWeightedRoundRobin}, kept from turn to
 * turn: the same rule, but a turn costs as much as there are different weights, not as there are
 * queues.
 *
 * <p>Every turn adds its weight to each credit. So what is kept of a credit is what it would have
 * been before the first turn, which nothing changes but being served and being clamped; and queues
 * of one weight keep their order until one of them is.
 */
public final class Credits {
    /** How many a decision shows. */
    private static final int SHOWN = 5;

    private static final Comparator<Purse> RICHEST_FIRST =
            (a, b) -> a.base == b.base ? a.name.compareTo(b.name) : Long.compare(b.base, a.base);

    /** Of those that take part, by weight; of equal weight the richest first, then by name. */
    private final SortedMap<Integer, TreeSet<Purse>> byWeight = new TreeMap<>();

    /** How many there were. */
    private long turns;

    /** The weights of all that take part. */
    private long sum;

    /** One queue's. */
    public static final class Purse {
        private final String name;
        private int weight;

        /** The credit; of one that takes part, less its weight for each turn there was. */
        private long base;

        private boolean takesPart;

        /** The turn before which it was clamped last, and its credit then. */
        private long clampedAt = -1;

        private long unclamped;

        public Purse(String name, int weight, long credit) {
            this.name = name;
            this.weight = weight;
            this.base = credit;
        }

        public String name() {
            return name;
        }

        public int weight() {
            return weight;
        }

        public boolean takesPart() {
            return takesPart;
        }
    }

    /**
     * @param before the credit of the chosen one before it
     */
    public record Turn(Purse chosen, long before) {}

    public long of(Purse purse) {
        return purse.base + gained(purse);
    }

    private long gained(Purse purse) {
        return purse.takesPart ? purse.weight * turns : 0;
    }

    /** It has this weight and this credit from now on. */
    public void set(Purse purse, int weight, long credit) {
        if (purse.weight == weight && of(purse) == credit) {
            return;
        }
        boolean takesPart = purse.takesPart;
        if (takesPart) {
            leave(purse);
        }
        purse.weight = weight;
        purse.base = credit;
        if (takesPart) {
            join(purse);
        }
    }

    public void join(Purse purse) {
        sum += purse.weight;
        purse.takesPart = true;
        purse.base -= gained(purse);
        byWeight.computeIfAbsent(purse.weight, _ -> new TreeSet<>(RICHEST_FIRST)).add(purse);
    }

    public void leave(Purse purse) {
        var alike = alike(purse);
        alike.remove(purse);
        if (alike.isEmpty()) {
            byWeight.remove(purse.weight);
        }
        purse.base += gained(purse);
        purse.takesPart = false;
        sum -= purse.weight;
    }

    private TreeSet<Purse> alike(Purse purse) {
        var alike = byWeight.get(purse.weight);
        if (alike == null) {
            throw new IllegalStateException("takes no part: " + purse.name);
        }
        return alike;
    }

    /**
     * The turn goes to one of those that take part, of which there must be one, who pays for it.
     */
    public Turn next() {
        byWeight.values().forEach(this::clamp);
        turns++;
        var chosen = byWeight.firstEntry().getValue().first();
        for (var alike : byWeight.values()) {
            var first = alike.first();
            chosen = isBefore(first, chosen) ? first : chosen;
        }
        long before = chosen.clampedAt == turns ? chosen.unclamped : of(chosen) - chosen.weight;
        add(chosen, -sum);
        return new Turn(chosen, before);
    }

    private boolean isBefore(Purse one, Purse other) {
        int order = Long.compare(of(other), of(one));
        return (order == 0 ? one.name.compareTo(other.name) : order) < 0;
    }

    private void clamp(TreeSet<Purse> alike) {
        while (of(alike.first()) > sum) {
            clamp(alike.first());
        }
        while (of(alike.last()) < -sum) {
            clamp(alike.last());
        }
    }

    private void clamp(Purse purse) {
        purse.unclamped = of(purse);
        purse.clampedAt = turns + 1;
        add(purse, Math.clamp(of(purse), -sum, sum) - of(purse));
    }

    private void add(Purse purse, long more) {
        var alike = alike(purse);
        alike.remove(purse);
        purse.base += more;
        alike.add(purse);
    }

    /** The largest credits of those that take part, by queue. */
    public SortedMap<String, Long> shown() {
        var richest = new ArrayList<Purse>();
        for (var alike : byWeight.values()) {
            var purses = alike.iterator();
            for (int i = 0; i < SHOWN && purses.hasNext(); i++) {
                richest.add(purses.next());
            }
        }
        return shown(richest);
    }

    /** The largest credits of these, the first by name of equal ones. */
    public SortedMap<String, Long> shown(List<Purse> purses) {
        var shown = new ArrayList<Purse>();
        for (var purse : purses) {
            int at = shown.size();
            while (at > 0 && isBefore(purse, shown.get(at - 1))) {
                at--;
            }
            if (at < SHOWN) {
                shown.add(at, purse);
            }
            if (shown.size() > SHOWN) {
                shown.removeLast();
            }
        }
        var credits = new TreeMap<String, Long>();
        shown.forEach(purse -> credits.put(purse.name(), of(purse)));
        return credits;
    }
}
