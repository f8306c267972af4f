package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.FailureAction;
import dev.muster.admission.core.TrainJob.FailureRule;
import dev.muster.schemas.contract.NoPull;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The failures that rules take, each of which leaves the rest to those after it. */
final class TakenFailures {
    /** Beside the exit codes: no end of the main container was seen. */
    private static final int NO_CODE = FailureChecks.LARGEST_CODE + 1;

    /** An init container ended, whose codes no rule asks for. */
    private static final int INIT = NO_CODE + 1;

    private final Collection<String> roles;
    private final Map<Kind, BitSet> taken = new HashMap<>();

    /**
     * Failures of one role for one reason.
     *
     * @param role null: of each
     * @param reason null: for each
     */
    private record Kind(@Nullable String role, @Nullable String reason) {}

    /** None yet, of so many roles. */
    TakenFailures(Collection<String> roles) {
        this.roles = List.copyOf(roles);
    }

    /**
     * Whether some of what a rule names is left to it. A rule that names nothing misses nothing.
     */
    boolean leave(FailureRule rule) {
        var all = ends(rule);
        var meant = rule.role() == null ? roles : List.of(rule.role());
        if (all.isEmpty() || !roles.containsAll(meant)) {
            return true;
        }
        // Where any reason is meant, one that no rule names is left the longest.
        var reasons = rule.reasons().isEmpty() ? List.of("") : rule.reasons();
        return meant.isEmpty()
                || meant.stream()
                        .anyMatch(role ->
                                reasons.stream().anyMatch(reason -> isLeft(all, role, reason)));
    }

    /** The rule takes what it names, as far as it is left. */
    void by(FailureRule rule) {
        var all = ends(rule);
        if (rule.reasons().isEmpty()) {
            of(new Kind(rule.role(), null)).or(all);
        }
        rule.reasons().forEach(reason -> of(new Kind(rule.role(), called(reason))).or(all));
    }

    private boolean isLeft(BitSet all, String role, String reason) {
        var left = (BitSet) all.clone();
        var name = called(reason);
        for (var kind :
                List.of(
                        new Kind(null, null),
                        new Kind(role, null),
                        new Kind(null, name),
                        new Kind(role, name))) {
            left.andNot(taken.getOrDefault(kind, new BitSet()));
        }
        return !left.isEmpty();
    }

    private BitSet of(Kind kind) {
        return taken.computeIfAbsent(kind, _ -> new BitSet());
    }

    private static String called(String reason) {
        return NoPull.WORDS.contains(reason) ? NoPull.WORD : reason;
    }

    private static BitSet ends(FailureRule rule) {
        var ends = new BitSet(INIT + 1);
        rule.exitCodes().stream()
                .filter(FailureChecks::isRange)
                .forEach(range -> ends.set(range.first(), range.last() + 1));
        if (rule.exitCodes().isEmpty()) {
            ends.set(0, NO_CODE + 1);
            ends.set(INIT, rule.action() != FailureAction.GROW_MEMORY);
        }
        return ends;
    }
}
