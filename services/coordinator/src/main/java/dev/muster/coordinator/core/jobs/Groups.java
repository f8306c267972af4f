package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.effects.Grouping;
import dev.muster.coordinator.core.effects.Grouping.PodGroup;
import dev.muster.coordinator.core.gang.Gang;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.gang.ScaleOutRanks;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.model.Tally;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a backend is told of a gang that it is to bind, and what it says. */
final class Groups {
    private Groups() {}

    /**
     * The groups of a started job.
     *
     * <p>Where roles depend on each other each has one of its own: of a single one the pods that
     * come later would be missing, so that it never became schedulable. Those that are reserved
     * together are told together: what waits for a success, with what waits for that, when it has
     * its turn. A role that has succeeded is told no more: once its pods are deleted its group
     * would keep its share of the backend's queue for nobody.
     */
    static Grouping of(
            Job job,
            Gang gang,
            GangRequirements makeup,
            PoolSpec pool,
            Collection<Suspicion> suspicions) {
        var backing = pool.backing();
        if (!backing.choosesNodes()) {
            return Grouping.NONE;
        }
        var tallies = gang.tally().byRole();
        var told =
                job.spec().roles().stream()
                        .map(JobSpec.Role::name)
                        .filter(role -> !hasSucceeded(tallies.get(role)))
                        .filter(role ->
                                !makeup.later().contains(role)
                                        || job.past().opened().contains(role)
                                        || gang.count(role) > 0)
                        .toList();
        boolean areTied = job.spec().roles().stream().anyMatch(r -> !r.dependsOn().isEmpty());
        var groups = new ArrayList<PodGroup>();
        if (areTied) {
            told.forEach(role -> groups.add(group(role, List.of(role), job, gang, makeup)));
        } else if (!told.isEmpty()) {
            groups.add(group(null, told, job, gang, makeup));
        }
        var avoided = new TreeSet<>(job.past().exclusions().nodes());
        suspicions.stream()
                .filter(suspicion -> suspicion.trust() == Node.Trust.EXCLUDED)
                .map(Suspicion::node)
                .forEach(avoided::add);
        var queue = backing.queue() == null ? job.spec().queue() : backing.queue();
        return new Grouping(backing.backend(), queue, groups, pool.nodeSelector(), avoided);
    }

    private static boolean hasSucceeded(Tally.@Nullable OfRole role) {
        return role != null && role.hasSucceeded();
    }

    private static PodGroup group(
            @Nullable String role,
            List<String> roles,
            Job job,
            Gang gang,
            GangRequirements makeup) {
        SortedMap<String, Integer> minimum = new TreeMap<>();
        var least = Amounts.NONE;
        for (var each : roles) {
            int pods = together(job, gang, makeup, each);
            minimum.put(each, pods);
            least = least.plus(makeup.work().role(each).demand().times(pods));
        }
        return new PodGroup(role, minimum, least);
    }

    /**
     * The gang's minimum whatever the size is, so that an elastic job grows as there is room; what
     * an atomic command brings is bound with all the others or not at all. One of those others
     * whose pod is made again waits for none of that, and nobody waits for what has ended for good.
     */
    private static int together(Job job, Gang gang, GangRequirements makeup, String role) {
        var scaling = Scaling.underWay(job);
        int together = makeup.minimum(role);
        if (scaling != null
                && isBoundTogether(job, role)
                && gang.count(role) >= scaling.to()
                && ScaleOutRanks.besides(job, gang, role).stream().allMatch(Groups::isBound)) {
            together = Math.max(together, scaling.to());
        }
        return Math.max(0, together - withoutPart(gang, role));
    }

    /** Pods that have failed, and such that are not there, are no part of a group to a backend. */
    private static int withoutPart(Gang gang, String role) {
        return (int) gang.members(role).stream().filter(Groups::countsNoMore).count();
    }

    /** Its pod counts no more, and no other comes in its place. */
    private static boolean countsNoMore(Rank rank) {
        return rank.state() == RankState.IGNORED
                || rank.state() == RankState.SUCCEEDED && rank.sight().gone();
    }

    private static boolean isBoundTogether(Job job, String role) {
        var scaling = Scaling.underWay(job);
        return scaling != null
                && scaling.stage() == Scaling.Stage.SCALING
                && Scaling.isAtomic(job, role);
    }

    private static boolean isBound(Rank rank) {
        return switch (rank.state()) {
            case RUNNING, SUCCEEDED, IGNORED -> true;
            case ORDERED, PENDING, FAILED, RETURNING -> false;
        };
    }

    /** Now that this rank is bound the others may be to be bound together again. */
    static boolean mayChange(Job job, Rank rank, PoolSpec pool) {
        return pool.backing().choosesNodes()
                && isBound(rank)
                && isBoundTogether(job, rank.id().role())
                && !ScaleOutRanks.isOne(job, rank);
    }

    static WaitReason reason(Event.GroupSeen group, Instant now) {
        return WaitReason.told(
                Code.NOT_SCHEDULED,
                group.group(),
                now,
                "room for the whole gang on nodes and in the queue that the backend lets it use",
                group.reason().isEmpty()
                        ? group.message()
                        : group.reason() + ": " + group.message());
    }
}
