package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.gang.Gang;
import dev.muster.coordinator.core.gang.UnjudgedFailures;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.Scale;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.ResourceLimits;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a command of scale would do to a job, or why it cannot be. */
sealed interface Sizing {
    /**
     * @param from the size that is wished now, or was before the command whose place this takes
     * @param leaving in the order in which they were chosen
     * @param awaited it is wished already, and does not run yet
     * @param heir of the command whose ranks are its own from now on; 0: of none
     */
    record Fits(int from, int to, List<RankId> leaving, boolean awaited, long heir)
            implements Sizing {
        Fits(int from, int to, List<RankId> leaving) {
            this(from, to, leaving, false, 0);
        }

        /** One sentence for people. */
        String words(String role) {
            if (from == to && leaving.isEmpty() && awaited) {
                return "%s comes to its %d, which are wished already".formatted(role, to);
            }
            if (from == to && leaving.isEmpty()) {
                return "%s has its %d already".formatted(role, to);
            }
            var sizes = "%s goes from %d to %d".formatted(role, from, to);
            if (leaving.isEmpty()) {
                return sizes;
            }
            var ranks = leaving.stream().map(RankId::toString).collect(Collectors.joining(", "));
            return sizes + ": " + ranks + (leaving.size() == 1 ? " leaves" : " leave");
        }
    }

    /** One sentence for people. */
    record Refused(String message) implements Sizing {}

    /**
     * Decides what a command means for a job as it is now.
     *
     * @param isBad nodes whose ranks go first
     */
    static Sizing of(Scale scale, Job job, Gang gang, Predicate<String> isBad) {
        var spec = job.spec();
        var elastic = spec.work().elastic();
        if (scale.terms().hook() != null
                && spec.roles().stream().anyMatch(role -> role.name().equals(Hook.ROLE))) {
            return new Refused("it has a role hook, which a hook's pod would be taken for");
        }
        if (spec.roles().stream().noneMatch(role -> role.name().equals(scale.role()))) {
            return new Refused("it has no role %s".formatted(scale.role()));
        }
        if (elastic == null) {
            return new Refused(
                    "its size is fixed: only a job with elastic: {min, max} can be scaled");
        }
        if (!elastic.role().equals(scale.role())) {
            return new Refused(
                    "the size of %s is fixed; its elastic role is %s"
                            .formatted(scale.role(), elastic.role()));
        }
        if (job.state().isBeingEnded()) {
            return new Refused("it is being ended");
        }
        int wished = spec.role(scale.role()).replicas();
        // What was wished and is not there cannot leave, unless the role has not started yet.
        int placed = gang.count(scale.role());
        int there = placed == 0 ? wished : Math.min(wished, placed);
        return switch (scale) {
            case Change.SetReplicas(_, var replicas, _) ->
                    sized(job, gang, wished, replicas, isBad) instanceof Fits fits
                            ? awaited(job, gang, fits, isBad)
                            : sized(job, gang, wished, replicas, isBad);
            case Change.ScaleOut(_, var count, _) when count < 1 -> atLeastOne();
            case Change.ScaleOut(_, var count, _) ->
                    sized(job, gang, wished, wished + count, isBad);
            case Change.ScaleIn(_, var count, var names, _) when names.isEmpty() && count < 1 ->
                    atLeastOne();
            case Change.ScaleIn(_, var count, var names, _) when names.isEmpty() ->
                    sized(job, gang, wished, there - count, isBad);
            case Change.ScaleIn(_, _, var names, _) ->
                    named(job, gang, wished, there, List.copyOf(names));
        };
    }

    private static Refused atLeastOne() {
        return new Refused("count must be 1 or more");
    }

    private static Sizing sized(Job job, Gang gang, int wished, int to, Predicate<String> isBad) {
        var elastic = elastic(job);
        var refusal = outside(job, gang, wished, to);
        return refusal != null
                ? refusal
                : new Fits(wished, to, chosen(job, gang, elastic.role(), to, 0, isBad));
    }

    /** Of what is wished already, not all need run. */
    private static Fits awaited(Job job, Gang gang, Fits fits, Predicate<String> isBad) {
        var role = elastic(job).role();
        int to = fits.to();
        if (to > fits.from()) {
            return fits;
        }
        var before = Scaling.underWay(job);
        if (before != null && before.brings() && before.role().equals(role) && to > before.from()) {
            long heir = before.number();
            var leaving = chosen(job, gang, role, to, heir, isBad);
            return new Fits(before.from(), to, leaving, false, heir);
        }
        var fine =
                gang.members(role).stream()
                        .filter(rank -> Scalings.isThere(job, rank))
                        .map(Rank::id)
                        .toList();
        boolean awaited =
                job.state().isUp()
                        && fine.size() < to
                        && fits.leaving().stream().noneMatch(fine::contains);
        return new Fits(fits.from(), to, fits.leaving(), awaited, 0);
    }

    private static Sizing named(Job job, Gang gang, int wished, int there, List<String> names) {
        var leaving = new ArrayList<RankId>();
        for (var name : names) {
            var rank =
                    gang.members(elastic(job).role()).stream()
                            .filter(member -> isCalled(job, member.id(), name))
                            .findFirst()
                            .orElse(null);
            if (rank == null) {
                return new Refused(notOfIt(job, gang, name));
            }
            if (job.spec().isFirst(rank.id())) {
                return new Refused("%s is rank 0, which cannot leave".formatted(name));
            }
            if (!leaving.contains(rank.id())) {
                leaving.add(rank.id());
            }
        }
        int to = there - leaving.size();
        var refusal = outside(job, gang, wished, to);
        return refusal != null ? refusal : new Fits(wished, to, leaving);
    }

    private static String notOfIt(Job job, Gang gang, String name) {
        for (var rank : gang.leaving(elastic(job).role())) {
            if (isCalled(job, rank.id(), name)) {
                boolean isTold = !rank.isUntold() && !job.defers(rank);
                return "%s leaves already".formatted(name)
                        + (isTold ? ", with time until " + rank.tenure().leaves() : "");
            }
        }
        return gang.members().stream().anyMatch(member -> isCalled(job, member.id(), name))
                ? "%s cannot leave: %s is what shrinks".formatted(name, elastic(job).role())
                : "it has no %s".formatted(name);
    }

    private static boolean isCalled(Job job, RankId rank, String name) {
        return rank.toString().equals(name) || (job.id().name() + "-" + rank).equals(name);
    }

    private static JobSpec.Elastic elastic(Job job) {
        var elastic = job.spec().work().elastic();
        if (elastic == null) {
            throw new IllegalArgumentException("not elastic: " + job.id());
        }
        return elastic;
    }

    private static @Nullable Refused outside(Job job, Gang gang, int wished, int to) {
        var spec = job.spec();
        var elastic = spec.work().elastic();
        if (elastic == null) {
            return null;
        }
        if (to < elastic.min() || to > elastic.max()) {
            return new Refused(
                    "%s would have %d pods, and elastic allows %d to %d"
                            .formatted(elastic.role(), to, elastic.min(), elastic.max()));
        }
        int others =
                spec.roles().stream()
                        .filter(role -> !role.name().equals(elastic.role()))
                        .mapToInt(role -> there(job, gang, role))
                        .sum();
        if (to + others < spec.gang().min()) {
            return new Refused(
                    "all roles together would have %d pods, and gang.min is %d"
                            .formatted(to + others, spec.gang().min()));
        }
        return to > wished ? beyondLimits(spec, elastic.role(), to) : null;
    }

    /** What was never placed of a role that runs is not there to make up for who leaves. */
    private static int there(Job job, Gang gang, JobSpec.Role role) {
        boolean runs = job.state().isUp() && job.past().opened().contains(role.name());
        return runs ? Math.min(role.replicas(), gang.count(role.name())) : role.replicas();
    }

    private static @Nullable Refused beyondLimits(JobSpec spec, String name, int to) {
        var passed = ResourceLimits.passed(spec.work(), name, to);
        if (passed == null) {
            return null;
        }
        var resource = passed.resource();
        return new Refused(
                "with %d pods of %s all pods together would have %s of %s, and"
                                .formatted(
                                        to, name, Words.amount(resource, passed.used()), resource)
                        + " resourceLimits allow %s"
                                .formatted(Words.amount(resource, passed.most())));
    }

    /**
     * Who leaves so that so many stay: those that a command brought, of them those first that
     * failed, those on bad nodes, those that do not run, and then the highest index first, critical
     * ones after the others; never rank 0, and of those that run not the last one as long as
     * another is left.
     *
     * @param command whose ranks go before all others; 0: none
     */
    static List<RankId> chosen(
            Job job, Gang gang, String role, int stay, long command, Predicate<String> isBad) {
        var members = gang.members(role);
        var order =
                members.stream()
                        .filter(rank -> !job.spec().isFirst(rank.id()))
                        .sorted(
                                Comparator.comparing(
                                                (Rank rank) -> !rank.tenure().isBroughtBy(command))
                                        .thenComparing(rank ->
                                                command == 0 || !UnjudgedFailures.isOne(rank))
                                        .thenComparing(rank -> !isBad.test(rank.making().node()))
                                        .thenComparing(rank -> !isIdle(job, rank))
                                        .thenComparing(rank -> job.spec().isCritical(rank.id()))
                                        .thenComparing(rank -> -rank.id().index()))
                        .collect(Collectors.toCollection(ArrayList::new));
        int leave = Math.clamp(members.size() - stay, 0, order.size());
        if (order.size() == members.size() || isIdle(job, gang.get(new RankId(role, 0)))) {
            keepOneThatRuns(job, order, leave);
        }
        return order.subList(0, leave).stream().map(Rank::id).toList();
    }

    /** It does not run, nor has it done its work. */
    private static boolean isIdle(Job job, @Nullable Rank rank) {
        return rank == null || rank.state() == RankState.IGNORED || !Scalings.isThere(job, rank);
    }

    /** What those that run have in memory would be lost with the last of them. */
    private static void keepOneThatRuns(Job job, List<Rank> order, int leave) {
        var staying = order.subList(leave, order.size());
        if (staying.stream().anyMatch(rank -> !isIdle(job, rank))) {
            return;
        }
        for (int i = leave - 1; i >= 0 && leave < order.size(); i--) {
            if (!isIdle(job, order.get(i))) {
                order.add(order.remove(i));
                return;
            }
        }
    }
}
