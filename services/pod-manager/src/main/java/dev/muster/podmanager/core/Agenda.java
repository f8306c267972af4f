package dev.muster.podmanager.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which job is looked at next: what is new before what may have been carried out long ago. Of one
 * name only one pass runs at a time; what comes in meanwhile is looked at afterwards; what failed
 * waits, each time longer. For one thread.
 */
public final class Agenda {
    /** So many that are new go before one that is not. */
    private static final int NEWS = 3;

    /**
     * @param late it goes behind what is new
     */
    private record Due(Instant at, long order, JobName job, boolean late) {}

    private static final class Entry {
        /** Null while a pass runs, and after it until the name comes up again. */
        @Nullable Due due;

        boolean inHand;
        boolean again;
        int failures;
    }

    private static final Comparator<Due> IN_TURN =
            Comparator.comparing(Due::at).thenComparingLong(Due::order);

    private final Backoff backoff;
    private final Map<JobName, Entry> entries = new HashMap<>();
    private final TreeSet<Due> line = new TreeSet<>(IN_TURN);
    private final TreeSet<Due> late = new TreeSet<>(IN_TURN);
    private long orders;

    /** News that went before something late since the last of that. */
    private int passed;

    public Agenda(Backoff backoff) {
        this.backoff = backoff;
    }

    /** Something is new about that job: look at it now, or as soon as the pass at hand is over. */
    public void offer(JobName job, Instant now) {
        var entry = entries.computeIfAbsent(job, _ -> new Entry());
        if (entry.inHand) {
            entry.again = true;
        } else if (entry.due == null || entry.due.late() || entry.due.at().isAfter(now)) {
            line(job, entry, now);
        }
    }

    /**
     * Somebody else may have seen to that job: it is looked at where nothing new is due, and now
     * and then before that.
     */
    public void offerLate(JobName job, Instant now) {
        var entry = entries.computeIfAbsent(job, _ -> new Entry());
        if (entry.inHand) {
            entry.again = true; // The pass at hand may have begun before what is to be seen to.
        } else if (entry.due == null || entry.due.at().isAfter(now)) {
            leave(entry);
            entry.due = new Due(now, orders++, job, true);
            late.add(entry.due);
        }
    }

    /**
     * The first that is due; it is in hand until {@link #done}, {@link #retry} or {@link
     * #lookAgain}.
     */
    public Optional<JobName> take(Instant now) {
        boolean isNews = !line.isEmpty() && !line.first().at().isAfter(now);
        if (!isNews && late.isEmpty()) {
            return Optional.empty();
        }
        boolean isNewsFirst = isNews && (late.isEmpty() || passed < NEWS);
        passed = isNewsFirst && !late.isEmpty() ? passed + 1 : 0;
        var job = (isNewsFirst ? line : late).removeFirst().job();
        var entry = entry(job);
        entry.due = null;
        entry.inHand = true;
        return Optional.of(job);
    }

    /** The pass is over and nothing is left to do. */
    public void done(JobName job, Instant now) {
        var entry = entry(job);
        entry.inHand = false;
        entry.failures = 0;
        if (entry.again) {
            entry.again = false;
            line(job, entry, now);
        } else {
            entries.remove(job);
        }
    }

    /**
     * The pass is over and must be repeated: after the back-off, or at once if something new came
     * in meanwhile.
     *
     * @param onward it did some of what it had to: no failure before it counts
     * @param atLeast what the other side asked for
     */
    public void retry(JobName job, Instant now, boolean onward, Duration atLeast) {
        var entry = entry(job);
        entry.inHand = false;
        entry.failures = onward ? 1 : entry.failures + 1;
        var wait = entry.again ? Duration.ZERO : backoff.after(entry.failures);
        entry.again = false;
        line(job, entry, now.plus(wait.compareTo(atLeast) < 0 ? atLeast : wait));
    }

    /**
     * The pass is over and nothing failed, but something must happen first: look again after a
     * pause.
     */
    public void lookAgain(JobName job, Instant now, Duration pause) {
        var entry = entry(job);
        entry.inHand = false;
        entry.failures = 0;
        line(job, entry, entry.again ? now : now.plus(pause));
        entry.again = false;
    }

    /** Forgets jobs; a pass at hand keeps its place until it is over. */
    public void drop(Predicate<JobName> which) {
        entries.entrySet()
                .removeIf(known -> {
                    if (!which.test(known.getKey())) {
                        return false;
                    }
                    var entry = known.getValue();
                    entry.again = false;
                    leave(entry);
                    return !entry.inHand;
                });
    }

    /** When to call {@link #take} again. */
    public Optional<Instant> nextDue() {
        return Stream.of(late, line)
                .filter(dues -> !dues.isEmpty())
                .map(dues -> dues.first().at())
                .min(Comparator.naturalOrder());
    }

    private void line(JobName job, Entry entry, Instant at) {
        leave(entry);
        entry.due = new Due(at, orders++, job, false);
        line.add(entry.due);
    }

    private void leave(Entry entry) {
        if (entry.due != null) {
            (entry.due.late() ? late : line).remove(entry.due);
            entry.due = null;
        }
    }

    private Entry entry(JobName job) {
        var entry = entries.get(job);
        if (entry == null) {
            throw new IllegalStateException(job + " is not in hand");
        }
        return entry;
    }
}
