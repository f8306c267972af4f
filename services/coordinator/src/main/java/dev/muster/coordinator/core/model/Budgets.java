package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How often a job was restarted, and by whose fault.
 *
 * @param charges by the role whose own policy was asked; empty: the job's
 * @param inARow restarts since it last ran for long
 * @param until when the last of their delays is over, or was; null: there was none
 * @param open what the kubelet restarted that is not charged yet; null: nothing
 * @param silences what was charged to nodes that are not heard of; null: nothing
 */
public record Budgets(
        SortedMap<String, Charges> charges,
        int inARow,
        @Nullable Instant until,
        @Nullable Incidents open,
        @Nullable Silences silences) {
    public static final Budgets UNTOUCHED = new Budgets(new TreeMap<>(), 0, null, null, null);

    /** The job's own budget. */
    public static final String JOB = "";

    /**
     * One policy's.
     *
     * @param own restarts in all by the job's fault
     * @param infrastructure in all by the cluster's
     * @param ownAt those that the window may still count
     * @param infrastructureAt the same
     */
    public record Charges(
            int own, int infrastructure, List<Instant> ownAt, List<Instant> infrastructureAt) {
        static final Charges NONE = new Charges(0, 0, List.of(), List.of());

        public Charges {
            ownAt = List.copyOf(ownAt);
            infrastructureAt = List.copyOf(infrastructureAt);
        }

        public int within(FailurePolicy.Limits limits, boolean byInfrastructure, Instant now) {
            if (limits.window().isZero()) {
                return byInfrastructure ? infrastructure : own;
            }
            return recent(limits.window(), byInfrastructure, now).size();
        }

        private List<Instant> recent(Duration window, boolean byInfrastructure, Instant now) {
            var all = byInfrastructure ? infrastructureAt : ownAt;
            // Nothing has failed, as a rule, and it is asked for every status.
            return all.isEmpty()
                    ? all
                    : all.stream().filter(at -> at.plus(window).isAfter(now)).toList();
        }

        private Charges plus(FailurePolicy.Limits limits, boolean byInfrastructure, Instant now) {
            var at =
                    limits.window().isZero()
                            ? List.<Instant>of()
                            : Stream.concat(
                                            recent(limits.window(), byInfrastructure, now).stream(),
                                            Stream.of(now))
                                    .toList();
            return byInfrastructure
                    ? new Charges(own, infrastructure + 1, ownAt, at)
                    : new Charges(own + 1, infrastructure, at, infrastructureAt);
        }
    }

    /**
     * Nodes of an attempt whose silence is charged: what else it ends there or elsewhere, and that
     * they are lost in the end, belongs to it.
     */
    public record Silences(int attempt, SortedSet<String> nodes) {
        public Silences {
            nodes = Collections.unmodifiableSortedSet(new TreeSet<>(nodes));
        }
    }

    public Budgets {
        charges = Collections.unmodifiableSortedMap(new TreeMap<>(charges));
    }

    /**
     * One more restart.
     *
     * @param of the role whose policy is asked, or {@link #JOB}
     * @return null: the limit is reached
     */
    public @Nullable Budgets charged(
            String of, FailurePolicy.Limits limits, boolean byInfrastructure, Instant now) {
        var known = charges.getOrDefault(of, Charges.NONE);
        if (known.within(limits, byInfrastructure, now) >= limits.of(byInfrastructure)) {
            return null;
        }
        var next = new TreeMap<>(charges);
        next.put(of, known.plus(limits, byInfrastructure, now));
        return new Budgets(next, inARow + 1, later(now), open, silences);
    }

    /** It ran for long: the next delay is the first again. */
    public Budgets rested() {
        return new Budgets(charges, 0, until, open, silences);
    }

    /** Ranks are made again for which nobody is charged, each time later. */
    public Budgets delayed(Instant delayed) {
        return new Budgets(charges, inARow + 1, later(delayed), open, silences);
    }

    /** Something is made again then, and something else may be later. */
    public Budgets until(Instant delayed) {
        return new Budgets(charges, inARow, later(delayed), open, silences);
    }

    /** What is over sooner does not end a delay that goes on. */
    private Instant later(Instant delayed) {
        return until != null && until.isAfter(delayed) ? until : delayed;
    }

    /** Nobody waits any longer than until then, whatever was to be made again later. */
    public Budgets notBeyond(Instant end) {
        return until != null && until.isAfter(end)
                ? new Budgets(charges, inARow, end, open, silences)
                : this;
    }

    /** So much is to be charged yet. */
    public Budgets gathering(@Nullable Incidents incidents) {
        return new Budgets(charges, inARow, until, incidents, silences);
    }

    /** The silence of this node is charged, until it is heard of. */
    public Budgets silent(int attempt, String node) {
        var nodes = new TreeSet<>(silentIn(attempt));
        nodes.add(node);
        return new Budgets(charges, inARow, until, open, new Silences(attempt, nodes));
    }

    public boolean isCharged(int attempt, String node) {
        return silentIn(attempt).contains(node);
    }

    private SortedSet<String> silentIn(int attempt) {
        return silences == null || silences.attempt() != attempt
                ? Collections.emptySortedSet()
                : silences.nodes();
    }

    /** Its next silence is another one. */
    public Budgets heard(String node) {
        if (silences == null || !silences.nodes().contains(node)) {
            return this;
        }
        var nodes = new TreeSet<>(silences.nodes());
        nodes.remove(node);
        var left = nodes.isEmpty() ? null : new Silences(silences.attempt(), nodes);
        return new Budgets(charges, inARow, until, open, left);
    }

    public Charges of(String judge) {
        return charges.getOrDefault(judge, Charges.NONE);
    }

    /** Whosever fault they were. */
    public int all() {
        return own() + infrastructure();
    }

    /** By the job's own fault, whichever policy was asked. */
    public int own() {
        return charges.values().stream().mapToInt(Charges::own).sum();
    }

    /** By the cluster's. */
    public int infrastructure() {
        return charges.values().stream().mapToInt(Charges::infrastructure).sum();
    }
}
