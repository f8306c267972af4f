package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Sweep;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Gives waiting gangs another mix of roles where they cannot start with the one that they have: one
 * with which they can now, or at least ever could. A round tries the oldest, and before it gives
 * one of them another mix some of those that go before it in its queue; the others are looked
 * through behind it, a window at a time, as {@link Sweeps} does with lines.
 */
public final class MixChoice {
    /** So many mixes are tried in a round, or of a window, but for those of its last gang. */
    static final int TRIES = 32;

    /** So many kinds of gangs are looked at there. */
    static final int WINDOW = 256;

    private final Tables tables;
    private final Eligibility eligibility;
    private final ClearMix clear;
    private int tries;

    /** The last one that a round looked at, if it has left any. */
    private @Nullable Long leftAfter;

    MixChoice(Tables tables) {
        this.tables = tables;
        this.eligibility = tables.eligibility;
        this.clear = new ClearMix(tables);
    }

    /** Gangs are left that were not looked at since the last change. */
    public static boolean isDue(Tables tables) {
        var sweep = tables.sweep();
        return sweep != null && sweep.mixes() != null;
    }

    /** One of the oldest has another mix now, and nothing in its way, or will have. */
    boolean choose() {
        return choose(0);
    }

    /** The same of one that has just come. */
    boolean chooseFor(Queue queue, Job job) {
        var mix = eligibility.mayStart(queue) ? anotherOf(queue, job, new TreeMap<>()) : null;
        if (mix != null) {
            take(job, mix);
        }
        return mix != null;
    }

    /** A round is over: what it did not look at may start with another mix by now, too. */
    void begin() {
        var sweep = sweep();
        var under = sweep.mixes();
        if (leftAfter == null) {
            put(sweep.mixing(null));
        } else if (under == null) {
            put(sweep.mixing(new Sweep.Mixes(leftAfter, false)));
        } else {
            put(sweep.mixing(new Sweep.Mixes(under.after(), true)));
        }
    }

    /**
     * Looks at the next window, if one is left.
     *
     * @return one of them has another mix now, and it is a round's turn
     */
    boolean chooseFurther() {
        var sweep = sweep();
        var under = sweep.mixes();
        if (under == null) {
            return false;
        }
        if (choose(under.after())) {
            tables.startsAreDue();
            return true;
        }
        if (leftAfter != null) {
            put(sweep.mixing(new Sweep.Mixes(leftAfter, under.again())));
        } else {
            put(sweep.mixing(under.again() ? new Sweep.Mixes(0, false) : null));
        }
        return false;
    }

    private Sweep sweep() {
        var known = tables.sweep();
        return known == null ? Sweep.NONE : known;
    }

    private void put(Sweep sweep) {
        if (!sweep.equals(sweep())) {
            tables.put(sweep);
        }
    }

    private boolean choose(long after) {
        tries = TRIES;
        leftAfter = null;
        var window = tables.mixable.heads(after, WINDOW);
        var blocking = new TreeMap<String, Optional<Line>>();
        Job last = null;
        for (var id : window) {
            if (tries <= 0) {
                break;
            }
            last = tables.job(id);
            var queue = last == null ? null : tables.queue(last.spec().queue());
            var mix =
                    last == null || queue == null || !eligibility.mayStart(queue)
                            ? null
                            : better(queue, last, isBehind(queue, last, blocking));
            if (last != null && queue != null && mix != null) {
                takeInOrder(queue, last, mix, blocking);
                return true;
            }
        }
        if (last != null && !tables.mixable.heads(last.ticket(), 1).isEmpty()) {
            leftAfter = last.ticket();
        }
        return false;
    }

    /**
     * Nothing passes the first of its queue, and that is another one.
     *
     * @param blocking the first ones of the queues that were asked for
     */
    private boolean isBehind(Queue queue, Job job, Map<String, Optional<Line>> blocking) {
        if (queue.spec().order().backfill()) {
            return false;
        }
        var order = eligibility.order(queue, tables.now());
        return blocking.computeIfAbsent(queue.name(), _ -> Optional.ofNullable(blocking(queue)))
                .filter(line -> order.of(line).compareTo(order.of(job)) < 0)
                .isPresent();
    }

    private @Nullable Line blocking(Queue queue) {
        return eligibility.blocking(queue, eligibility.lines(queue));
    }

    /**
     * Who is younger and yet goes before it in its queue has another mix first, if there is one.
     */
    private void takeInOrder(
            Queue queue, Job job, List<Integer> mix, Map<String, Optional<Line>> blocking) {
        var order = eligibility.order(queue, tables.now());
        var place = order.of(job);
        tries = TRIES;
        for (var line : eligibility.lines(queue)) {
            if (tries <= 0 || order.of(line).compareTo(place) >= 0) {
                break;
            }
            var before = line.ticket() > job.ticket() ? tables.job(line.head()) : null;
            var its = before == null ? null : anotherOf(queue, before, blocking);
            if (before != null && its != null) {
                take(before, its);
                return;
            }
        }
        take(job, mix);
    }

    private @Nullable List<Integer> anotherOf(
            Queue queue, Job job, Map<String, Optional<Line>> blocking) {
        return tables.makeup(job).isMixable()
                ? better(queue, job, isBehind(queue, job, blocking))
                : null;
    }

    private @Nullable List<Integer> better(Queue queue, Job job, boolean behind) {
        return clear.better(queue, job, behind, () -> tries--);
    }

    /** What is held for it was for what it needed before. */
    private void take(Job job, List<Integer> mix) {
        if (job.id().equals(tables.holder())) {
            tables.endHold();
        }
        tables.put(job.with(job.spec().with(job.spec().work().mixed(mix))));
    }
}
