package dev.muster.coordinator.core.model;

import dev.muster.coordinator.core.model.Failure.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a failure: the first rule that matches, else the default.
 *
 * @param otherwise what is restarted where no rule says it
 * @param settle how long the verdict waits for a stronger cause
 * @param rules of this job or role, in the user's order
 */
public record FailurePolicy(
        Otherwise otherwise,
        Limits limits,
        Delay delay,
        Duration settle,
        NodeLost nodeLost,
        List<Rule> rules) {
    public static final FailurePolicy PLAIN =
            new FailurePolicy(
                    Otherwise.GANG,
                    new Limits(3, 100, Duration.ofHours(24)),
                    new Delay(Duration.ofSeconds(10), Duration.ofMinutes(6)),
                    Duration.ofSeconds(10),
                    new NodeLost(Duration.ofMinutes(5), false),
                    List.of());

    /** What a rank's failure means to the others. */
    public enum Otherwise {
        /** They are useless without it. */
        GANG,
        /** They go on. */
        POD
    }

    /**
     * How often it may be restarted.
     *
     * @param own by its own fault
     * @param infrastructure by the cluster's
     * @param window the limits count within this; zero: for the whole life
     */
    public record Limits(int own, int infrastructure, Duration window) {
        public int of(boolean byInfrastructure) {
            return byInfrastructure ? infrastructure : own;
        }
    }

    /** How long a restart waits: {@code initial}, doubled each time, at most {@code max}. */
    public record Delay(Duration initial, Duration max) {
        private static final int DOUBLINGS = 30;

        /**
         * @param inARow restarts before this one since the job last ran for {@code max}
         */
        public Duration after(int inARow) {
            if (initial.compareTo(max) >= 0) {
                return max;
            }
            var delay = initial;
            for (int i = 0; i < Math.min(inARow, DOUBLINGS) && delay.compareTo(max) < 0; i++) {
                delay = delay.multipliedBy(2);
            }
            return delay.compareTo(max) > 0 ? max : delay;
        }
    }

    /**
     * @param after so long after it was last heard of, a node is lost
     * @param force what it holds is deleted without the kubelet's word
     */
    public record NodeLost(Duration after, boolean force) {}

    /** Both ends belong to it. */
    public record ExitCodes(int first, int last) {
        boolean contains(int code) {
            return first <= code && code <= last;
        }
    }

    /**
     * One line of the table; what it leaves out matches everything.
     *
     * @param role null: every role
     */
    public record Rule(
            List<ExitCodes> exitCodes, List<String> reasons, @Nullable String role, Action action) {
        public Rule {
            exitCodes = List.copyOf(exitCodes);
            reasons = List.copyOf(reasons);
        }

        boolean matches(Failure failure) {
            var code = failure.exitCode();
            return (role == null || role.equals(failure.rank().role()))
                    && (reasons.isEmpty() || reasons.stream().anyMatch(failure::isCalled))
                    && (failure.init() == null || isOfEachContainer())
                    && (exitCodes.isEmpty()
                            || code != null && exitCodes.stream().anyMatch(r -> r.contains(code)));
        }

        /** Exit codes are the main container's, and its memory is what can grow. */
        private boolean isOfEachContainer() {
            return exitCodes.isEmpty() && !(action instanceof Action.GrowMemory);
        }
    }

    /** What is done about a failure. */
    public sealed interface Action {
        record RestartPod() implements Action {}

        record RestartRole() implements Action {}

        record RestartGang() implements Action {}

        /**
         * What would be restarted without a rule is started again in its pods; where that cannot be
         * had, its pods are made again.
         */
        record RestartInPlace() implements Action {}

        /** The job avoids the node for a while, and restarts as it would without a rule. */
        record ExcludeNode() implements Action {}

        /**
         * The role's main container gets more memory from now on, and what failed restarts as it
         * would without a rule.
         *
         * @param thousandths of what it had
         * @param max in bytes; 0: as much as there may be
         */
        record GrowMemory(int thousandths, long max) implements Action {
            public boolean isBounded() {
                return max != 0;
            }
        }

        /**
         * The job ends.
         *
         * @param message the user's; empty: what is known of the failure
         */
        record Fail(String message) implements Action {}

        /** It counts as an end like any other. */
        record Ignore() implements Action {}
    }

    public FailurePolicy {
        rules = List.copyOf(rules);
    }

    /** What the policy says about this failure. */
    public Action actionOn(Failure failure) {
        var rule = ruleOf(failure);
        return rule != null ? rule.action() : defaultOn(failure);
    }

    /** Whether a failure is the job's end whatever else may still be seen. */
    public boolean isFinal(Failure failure) {
        var rule = ruleOf(failure);
        return rule == null ? failure.isBy(Cause.CONFIG) : rule.action() instanceof Action.Fail;
    }

    /** The user's own word on it; null: none. */
    public @Nullable Action said(Failure failure) {
        var rule = ruleOf(failure);
        return rule == null ? null : rule.action();
    }

    /** The exit codes after which a rule wants a role's container started again in its pod. */
    public List<Integer> codesInPlace(String role) {
        var rank = new RankId(role, 0);
        var codes = new ArrayList<Integer>();
        for (int code = 1; code <= Failure.LARGEST_CODE; code++) {
            if (Failure.exits(rank, code).stream()
                    .anyMatch(failure -> said(failure) instanceof Action.RestartInPlace)) {
                codes.add(code);
            }
        }
        return codes;
    }

    public boolean hasInPlace() {
        return rules.stream().anyMatch(rule -> rule.action() instanceof Action.RestartInPlace);
    }

    private @Nullable Rule ruleOf(Failure failure) {
        for (var rule : rules) {
            if (rule.matches(failure)) {
                return rule;
            }
        }
        return null;
    }

    private Action defaultOn(Failure failure) {
        if (failure.isBy(Cause.CONFIG)) {
            return new Action.Fail("");
        }
        return otherwise == Otherwise.POD && isPermanent(failure) ? new Action.Fail("") : restart();
    }

    /** What is restarted where no rule says it. */
    public Action restart() {
        return switch (otherwise) {
            case GANG -> new Action.RestartGang();
            case POD -> new Action.RestartPod();
        };
    }

    /**
     * Where single pods restart, the program's own exit codes say that it will not get better, and
     * so does the end of its own time.
     */
    private static boolean isPermanent(Failure failure) {
        var code = failure.exitCode();
        boolean isOwn = code == null || code > 0 && code < Failure.SIGNALLED;
        return failure.isBy(Cause.EXIT_CODE) && (isOwn || failure.isOvertime());
    }
}
