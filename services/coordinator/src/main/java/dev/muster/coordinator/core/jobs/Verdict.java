package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.gang.UnjudgedFailures;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Failure.Cause;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What failures that have settled mean together. The strongest cause is charged, of equal ones the
 * first. Who failed by a weaker one fell with the others: his own rule says nothing of it.
 *
 * @param charged null: nobody is, all are ignored
 * @param ignored whose failures count as ends like any other
 * @param failed the others
 * @param blamed the silent node to which their failures are charged; null: they are their own
 */
public record Verdict(
        @Nullable Failure charged,
        List<Rank> ignored,
        List<Rank> failed,
        Extent extent,
        @Nullable String blamed) {

    /** What is restarted, from the least to the most. */
    public enum Extent {
        /** What failed, in its pods. */
        CONTAINERS,
        /** What failed. */
        PODS,
        /** The roles of what failed. */
        ROLES,
        /** All, in their pods. */
        ALL_CONTAINERS,
        /** All, as a new attempt. */
        GANG,
        /** Nothing is: the job ends. */
        NOTHING
    }

    /** How a failed rank is looked at. */
    private record Seen(Rank rank, Failure failure, Action action) {
        Cause cause() {
            return failure.cause();
        }

        /** The gang cannot do without a critical one, whatever its rule says. */
        boolean isIgnored(Job job) {
            return action instanceof Action.Ignore && !job.spec().isCritical(rank.id());
        }

        /** A default says it only of the first: others may have failed since that one did. */
        boolean isToEndByRule(Job job) {
            return policy(job, failure).said(failure) instanceof Action.Fail;
        }

        /** And it did not fall with the one that is charged. */
        boolean isLet(Job job, @Nullable Seen charged) {
            return isIgnored(job) && (charged == null || cause().compareTo(charged.cause()) <= 0);
        }
    }

    public Verdict {
        ignored = List.copyOf(ignored);
        failed = List.copyOf(failed);
    }

    /**
     * @param failed at least one, the one first that failed first
     * @param silent a node of the gang that is not heard of, to which weaker causes are charged;
     *     null: there is none
     */
    public static Verdict of(Job job, List<Rank> failed, @Nullable String silent) {
        boolean isKnown =
                failed.stream().map(UnjudgedFailures::failure).anyMatch(Failure::isTheClusters);
        var blamed = isKnown ? null : silent;
        var all = failed.stream().map(rank -> seen(job, rank, blamed)).toList();
        var first =
                all.stream()
                        .filter(one -> !one.isIgnored(job))
                        .min(Comparator.comparing(Seen::cause))
                        .orElse(null);
        var byFate = all.stream().collect(Collectors.partitioningBy(one -> one.isLet(job, first)));
        var others = Objects.requireNonNull(byFate.get(false));
        var charged = first == null ? null : charged(job, first, others);
        return new Verdict(
                charged == null ? null : charged.failure(),
                ranks(Objects.requireNonNull(byFate.get(true))),
                ranks(others),
                charged == null ? Extent.NOTHING : extent(job, charged, others),
                blamed);
    }

    /** The first, unless a rule says of a later one by the same cause that it ends the job. */
    private static Seen charged(Job job, Seen first, List<Seen> all) {
        return all.stream()
                .filter(one -> one.cause() == first.cause() && one.isToEndByRule(job))
                .findFirst()
                .orElse(first);
    }

    /** Their rules say that the node is at fault to which their failures are charged. */
    public boolean excludesBlamed(Job job) {
        return blamed != null
                && failed.stream()
                        .map(rank -> seen(job, rank, blamed))
                        .anyMatch(one -> one.action() instanceof Action.ExcludeNode);
    }

    private static List<Rank> ranks(List<Seen> seen) {
        return seen.stream().map(Seen::rank).toList();
    }

    /** Its failure counts for nothing if nothing stronger shows. */
    public static boolean mayBeIgnored(Job job, Rank failed) {
        return seen(job, failed, null).isIgnored(job);
    }

    private static Seen seen(Job job, Rank rank, @Nullable String blamed) {
        var own = UnjudgedFailures.failure(rank);
        var failure = blamed == null ? own : own.becauseOf(blamed);
        return new Seen(rank, failure, policy(job, failure).actionOn(failure));
    }

    /** The most that any of them asks for who failed by the charged cause. */
    private static Extent extent(Job job, Seen first, List<Seen> all) {
        return first.action() instanceof Action.Fail
                ? Extent.NOTHING
                : all.stream()
                        .filter(one -> one.cause() == first.cause())
                        .map(one -> extent(policy(job, one.failure()), one.action()))
                        .reduce(Extent.CONTAINERS, (a, b) -> a.compareTo(b) < 0 ? b : a);
    }

    private static Extent extent(FailurePolicy policy, Action action) {
        var otherwise =
                policy.otherwise() == FailurePolicy.Otherwise.GANG ? Extent.GANG : Extent.PODS;
        return switch (action) {
            case Action.RestartPod _ -> Extent.PODS;
            case Action.RestartRole _ -> Extent.ROLES;
            case Action.RestartGang _, Action.Ignore _ -> Extent.GANG;
            case Action.RestartInPlace _ ->
                    otherwise == Extent.GANG ? Extent.ALL_CONTAINERS : Extent.CONTAINERS;
            // Whoever fails after the first may have failed since the first did.
            case Action.ExcludeNode _, Action.GrowMemory _, Action.Fail _ -> otherwise;
        };
    }

    private static FailurePolicy policy(Job job, Failure failure) {
        return job.spec().failureOf(failure.rank().role());
    }
}
