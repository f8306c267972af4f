package dev.muster.watcher.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes have ceased to renew their leases. A kubelet does that after each quarter of a
 * lease's duration (10 s), so that a node's death is known long before its condition Ready tells.
 *
 * <p>A node without a lease, or whose lease was never seen to be renewed, is never called silent.
 * Nor is any while nobody else is heard: then it is not the nodes that are silent. Each renewal
 * costs O(log n).
 */
final class Heartbeats {
    private static final int RENEWALS = 4;

    /** In tenths of the time between two renewals: one was missed, and a fifth more has passed. */
    private static final int OVERDUE_TENTHS = 12;

    /** Of the usual times between any two renewals, which fall where they will. */
    private static final int PAUSE_TENTHS = 6;

    private final Map<String, Beat> beats = new HashMap<>();
    private final NavigableSet<Beat> awaited =
            new TreeSet<>(Comparator.comparing(Beat::due).thenComparing(Beat::node));
    private final Set<String> silent = new TreeSet<>();

    /** When any node was heard last; null: none yet. */
    private @Nullable Beat newest;

    /** No node's silence counts before: nobody was heard then. */
    private Instant since = Instant.MIN;

    /** A node's last renewal, as it was heard here, and when the next one is overdue. */
    private record Beat(String node, String renewal, Instant heard, Duration every, Instant due) {
        static Beat of(String node, String renewal, Instant now, Duration every) {
            return new Beat(node, renewal, now, every, now.plus(patience(every)));
        }

        Beat dueAt(Instant due) {
            return new Beat(node, renewal, heard, every, due);
        }

        Duration patience() {
            return patience(every);
        }

        private static Duration patience(Duration every) {
            return every.multipliedBy(OVERDUE_TENTHS).dividedBy(10);
        }
    }

    /**
     * A lease is there, or was renewed.
     *
     * @param renewal when, by the node's clock; only that it is another one counts
     * @param duration of the lease
     * @return whether the node was silent until now
     */
    boolean heard(String node, String renewal, Duration duration, Instant now) {
        var known = beats.get(node);
        if (known != null && known.renewal().equals(renewal)) {
            return false;
        }
        if (isQuiet(now)) {
            since = now;
        }
        var beat = Beat.of(node, renewal, now, duration.dividedBy(RENEWALS));
        beats.put(node, beat);
        newest = beat;
        if (known != null) {
            awaited.remove(known);
            awaited.add(beat);
        }
        return silent.remove(node);
    }

    /**
     * A lease is there no more.
     *
     * @return whether its node was silent until now
     */
    boolean forget(String node) {
        var known = beats.remove(node);
        if (known != null) {
            awaited.remove(known);
        }
        return silent.remove(node);
    }

    boolean isSilent(String node) {
        return silent.contains(node);
    }

    /** Nodes that are silent from now on. */
    List<String> overdue(Instant now) {
        var found = new ArrayList<String>();
        while (!awaited.isEmpty() && !awaited.first().due().isAfter(now)) {
            var first = awaited.first();
            var atLeast = since.equals(Instant.MIN) ? first.due() : since.plus(first.patience());
            if (atLeast.isAfter(now)) {
                later(first, atLeast);
            } else if (newest == null || !newest.heard().isAfter(first.heard()) || isQuiet(now)) {
                break;
            } else {
                awaited.remove(first);
                silent.add(first.node());
                found.add(first.node());
            }
        }
        return found;
    }

    private void later(Beat beat, Instant due) {
        var next = beat.dueAt(due);
        awaited.remove(beat);
        awaited.add(next);
        beats.put(beat.node(), next);
    }

    /** When a node may be silent, if it is not heard; empty: nobody is waited for. */
    Optional<Instant> nextDue(Instant now) {
        return awaited.isEmpty() || !awaited.first().due().isAfter(now)
                ? Optional.empty()
                : Optional.of(awaited.first().due());
    }

    /** For so long nobody was heard that it must be the API server, or the way there. */
    private boolean isQuiet(Instant now) {
        if (newest == null) {
            return false;
        }
        var usual =
                newest.every().multipliedBy(PAUSE_TENTHS).dividedBy(Math.max(1, awaited.size()));
        var least = newest.patience().dividedBy(RENEWALS);
        var most = newest.patience();
        var pause = usual.compareTo(most) > 0 ? most : usual.compareTo(least) < 0 ? least : usual;
        return newest.heard().plus(pause).isBefore(now);
    }
}
