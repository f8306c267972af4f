package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.Part;
import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.model.Decision.Keep;
import dev.muster.coordinator.core.model.Decision.Order;
import dev.muster.coordinator.core.model.HostList;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Clearing;
import dev.muster.coordinator.core.model.JobState.Ended;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.state.DrainTimes;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Publishes what pod-manager is to make so: each time as a whole, under the next version. */
public final class Plans {
    private final Tables tables;
    private final Journal journal;

    public Plans(Tables tables, Journal journal) {
        this.tables = tables;
        this.journal = journal;
    }

    /** The job with its plan's new version, not yet put. */
    public Job carryOut(Job job, Order order) {
        return publish(job, order, false);
    }

    /**
     * The same of an order that was given before. Where it was carried out, it says which pods were
     * made late, after that: of a job that is up all that it does not want, of one that has ended
     * all that pod-manager did not list then.
     */
    Job repeat(Job job, Order order) {
        return publish(job, order, isApplied(job));
    }

    /**
     * The newest plan wants the same. A plan says so only where nobody is told to go by it, since
     * what it does not want is given little time to end.
     */
    private boolean isSame(Job job) {
        return !job.due().plan()
                && tables.gang(job).all().stream().noneMatch(rank -> mayBeToldToGo(job, rank));
    }

    /** It is wanted no more, and the plan before left a pod of it that may still work. */
    private boolean mayBeToldToGo(Job job, Rank rank) {
        var listed = rank.listed();
        var sight = rank.sight();
        boolean isOnItsWay = sight.deleting() || sight.gone() || sight.over();
        return listed != null
                && !isWanted(job, rank)
                && !(listed.equals(sight.podUid()) && isOnItsWay);
    }

    /**
     * Of a job that has ended; the others are late. When it ends that is whatever was seen or
     * listed. Later what is seen may have been made since then, and only the list says what was
     * left.
     *
     * @param wasListed since it ended
     */
    private List<String> kept(Job job, Order.Stop stop, boolean wasListed) {
        if (stop.keep() == Keep.NONE) {
            return List.of();
        }
        var kept = new TreeSet<String>();
        for (var rank : tables.gang(job).all()) {
            var sight = rank.sight();
            if (rank.listed() != null) {
                kept.add(rank.listed());
            }
            if (!wasListed && sight.podUid() != null && !sight.gone()) {
                kept.add(sight.podUid());
            }
        }
        return List.copyOf(kept);
    }

    /**
     * @param again the order was given before, and was carried out
     */
    private Job publish(Job job, Order order, boolean again) {
        var fences = job.fences();
        if (order instanceof Order.Gone && fences.plan() == 0) {
            return job; // Nothing was ever ordered.
        }
        var next = fences.nextPlan();
        var id = job.id();
        var queue = job.spec().queue();
        var pool = tables.settings().spec();
        var ranks = tables.gang(job).all();
        var hosts =
                order instanceof Order.Run && job.spec().work().hostList()
                        ? job.hosts().next(job, ranks, next.plan())
                        : job.past().hosts();
        journal.publish(
                switch (order) {
                    case Order.Run _ ->
                            new Effect.RunPlan(
                                    id,
                                    next.attempt(),
                                    next.plan(),
                                    queue,
                                    planned(job, ranks),
                                    pool.spot(),
                                    Groups.of(
                                            job,
                                            tables.gang(job),
                                            tables.makeup(job),
                                            pool,
                                            tables.suspicions.values()),
                                    hosts == null ? 0 : hosts.version(),
                                    ask(job),
                                    HookPlace.planned(tables.hooks.of(id), job),
                                    least(job),
                                    ports(job),
                                    sizes(job),
                                    DeadNodes.forced(tables, job),
                                    again && isSame(job));
                    case Order.Stop stop ->
                            new Effect.StopPlan(
                                    id,
                                    next.attempt(),
                                    next.plan(),
                                    queue,
                                    stop.forcing(DeadNodes.givenUp(tables, job)),
                                    pool.backing().backend(),
                                    kept(job, stop, again));
                    case Order.Gone _ ->
                            new Effect.GonePlan(id, next.attempt(), next.plan(), queue);
                });
        var published = job.with(next).with(job.due().withoutPlan());
        return hosts == null ? published : published.with(published.past().telling(hosts));
    }

    /** As many start together, of the roles that are to be there and have not ended. */
    private int least(Job job) {
        var makeup = tables.makeup(job);
        return tables.gang(job).tally().roles().stream()
                .filter(role -> job.past().opened().contains(role.role()))
                .filter(role -> !role.hasSucceeded())
                .mapToInt(role -> makeup.minimum(role.role()))
                .sum();
    }

    /** Of who is placed: others may have to know it before his pod is ordered. */
    private SortedMap<String, Integer> ports(Job job) {
        var ports = new TreeMap<String, Integer>();
        for (var role : job.spec().roles()) {
            var first = tables.gang(job).get(new RankId(role.name(), 0));
            var port = first == null ? null : first.making().port();
            if (port != null) {
                ports.put(role.name(), port);
            }
        }
        return ports;
    }

    private static SortedMap<String, Integer> sizes(Job job) {
        var sizes = new TreeMap<String, Integer>();
        job.spec().roles().forEach(role -> sizes.put(role.name(), role.replicas()));
        return sizes;
    }

    private static long ask(Job job) {
        var policy = job.spec().work().checkpoint();
        var asked = job.asked();
        return policy == null || !policy.file() || asked == null ? 0 : asked.id();
    }

    private List<PlannedPod> planned(Job job, List<Rank> ranks) {
        var planned = new ArrayList<PlannedPod>(ranks.size());
        for (var rank : ranks) {
            if (isWanted(job, rank)) {
                planned.add(PlannedPod.of(rank, part(job, rank)));
            }
        }
        return planned;
    }

    private Part part(Job job, Rank rank) {
        boolean isTold = job.spec().work().hostList() && !job.defers(rank) && !rank.isUntold();
        var until = isTold ? rank.tenure().leaves() : null;
        return new Part(
                HostList.names(job, rank),
                until == null
                        ? null
                        : DrainTimes.ofAgent(job, rank, Duration.between(tables.now(), until)));
    }

    private boolean isWanted(Job job, Rank rank) {
        return !rank.isEndedAndGone()
                && job.wants(rank, tables.now())
                && job.past().opened().contains(rank.id().role());
    }

    /** What the plan of a job says that wants no pods any more. */
    static Order.Stop stop(Job job) {
        boolean isKept = job.state() instanceof Ended && !job.state().isLeaving();
        var keep = isKept ? Keep.after(job.spec().cleanup()) : Keep.NONE;
        var told = job.state() instanceof JobState.Stopping(_, _, var grace, _) ? grace : null;
        return new Order.Stop(
                keep,
                told == null ? job.spec().grace() : told,
                isConfirming(job),
                List.of(),
                told != null);
    }

    /** Pod-manager was asked for the second word. */
    static boolean isConfirming(Job job) {
        return switch (job.state()) {
            case JobState.Stopping(_, var confirming, _, _) -> confirming;
            case JobState.Restarting restarting -> restarting.clearing() == Clearing.CONFIRMING;
            case Ended(_, var remains) -> remains == Remains.CONFIRMING;
            case JobState.Absent _, JobState.Queued _, JobState.Suspended _ -> false;
            case JobState.Lost _ -> false;
            case JobState.Starting _, JobState.Running _, JobState.Saving _ -> false;
        };
    }

    /** Pod-manager has carried out the newest plan: what it listed is what there is. */
    public static boolean isApplied(Job job) {
        return job.fences().applied() == job.fences().plan();
    }
}
