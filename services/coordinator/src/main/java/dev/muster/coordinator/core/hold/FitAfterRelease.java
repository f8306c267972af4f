package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.jobs.DeadNodes;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState.Ended;
import dev.muster.coordinator.core.model.JobState.Restarting;
import dev.muster.coordinator.core.model.JobState.Saving;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.placement.Extra;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.JobIndex;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the pool's holder could start once some ranks are gone: what leaves anyway, since its job
 * saves before it stops, stops or gives it back, and whoever else would have to.
 */
public final class FitAfterRelease {
    private final Tables tables;
    private final Eligibility eligibility;

    FitAfterRelease(Tables tables) {
        this.tables = tables;
        this.eligibility = tables.eligibility;
    }

    /** What comes free whatever is decided now, and nothing takes that back. */
    Freed leaving() {
        return freed((job, rank) -> leaves(job, rank, tables.now()));
    }

    private Freed freed(BiPredicate<Job, Rank> goes) {
        var leaving = new ArrayList<Rank>();
        var ends = new TreeMap<String, Long>();
        for (var id : tables.jobsWithRanks()) {
            var job = tables.job(id);
            if (job == null) {
                continue;
            }
            tables.gang(job).all().stream()
                    .filter(rank -> goes.test(job, rank) && isForeseeable(rank))
                    .forEach(leaving::add);
            if (goes(job) && leavesItsPlace(job)) {
                ends.merge(job.spec().queue(), 1L, Long::sum);
            }
        }
        return Freed.by(tables, leaving).ending(ends);
    }

    /**
     * With all that comes free of a job that ends: its place among those that run, which it keeps
     * for as long as a dead node has something of it.
     */
    boolean leavesItsPlace(Job job) {
        return JobIndex.Counts.isRunning(job.state())
                && tables.gang(job).all().stream()
                        .filter(rank -> !rank.sight().released())
                        .allMatch(this::isForeseeable);
    }

    /** Nobody knows when what a dead node holds is over. */
    boolean isForeseeable(Rank rank) {
        return !DeadNodes.isOnDeadNode(tables, rank);
    }

    /** One that leaves by a command may yet stay, until its pod is to be deleted. */
    public static boolean leaves(Job job, Rank rank, Instant now) {
        if (rank.sight().released()) {
            return false;
        }
        return goes(job)
                || job.state() instanceof Ended && (cleansUp(job) || job.state().isLeaving())
                || goesOn(job)
                        && rank.isLeaving()
                        && (!rank.tenure().isTaken() || !job.defers(rank) && rank.hasLeft(now));
    }

    /** Also while its gang is made anew: who leaves has no next making whose room would be kept. */
    private static boolean goesOn(Job job) {
        return job.state().grows() || job.state() instanceof Restarting;
    }

    /**
     * All of it. While it saves it may succeed, and then leave its pods as they are; who makes room
     * is waited for all the same, also when he is suspended or resumed meanwhile.
     */
    private static boolean goes(Job job) {
        return switch (job.state()) {
            case Stopping _ -> true;
            case Saving(var then, _) -> cleansUp(job) || !(then instanceof Then.Move);
            default -> false;
        };
    }

    private static boolean cleansUp(Job job) {
        return job.spec().cleanup() != JobSpec.Cleanup.NONE;
    }

    /** What is held is free, or comes free: nobody who stays has taken of it. */
    boolean comes(List<Hold.Room> held) {
        return held.stream().allMatch(this::comes);
    }

    private boolean comes(Hold.Room room) {
        var node = tables.capacity.node(room.node());
        if (node == null) {
            return false;
        }
        var left = tables.capacity.free(node).plus(room.amounts());
        for (var id : tables.residents.of(node.name())) {
            var job = tables.job(id);
            for (var rank : job == null ? List.<Rank>of() : tables.gang(job).all()) {
                if (job != null && rank.making().node().equals(node.name()) && mayGo(job, rank)) {
                    left = left.plus(job.spec().podOf(rank).demand());
                }
            }
        }
        return room.amounts().timesIn(left) > 0;
    }

    /** Whoever was ended for the holder may save before; nobody else is ended meanwhile. */
    boolean mayGo(Job job, Rank rank) {
        return leaves(job, rank, tables.now())
                || job.state() instanceof Saving && !rank.sight().released();
    }

    /** Its queue lets it start once all are gone who may go. */
    boolean quotaComes(Job holder) {
        return isAllowed(holder, freed(this::mayGo));
    }

    private boolean isAllowed(Job holder, Freed gone) {
        var claim = eligibility.toStart(holder, By.HOLDER);
        if (claim == null) {
            return false;
        }
        gone.leave(tables.ledger);
        var excess = eligibility.excess(claim.after(gone.endsOf(claim.queue().name())));
        gone.comeBack(tables.ledger);
        return excess == null;
    }

    /** Room alone would not do: others use what its queue would need to start it. */
    boolean lacksQuota(Job holder) {
        var claim = eligibility.toStart(holder, By.HOLDER);
        return claim != null && eligibility.excess(claim) != null;
    }

    /**
     * @return null: nowhere, or its queue would not let it
     */
    @Nullable Placed fit(Job holder, Freed gone) {
        if (!isAllowed(holder, gone)) {
            return null;
        }
        var shape = tables.makeup(holder).start();
        var extra = Extra.room(tables.held.amounts()).plus(gone.room()).without(gone.leavers());
        return tables.capacity.placed(shape, extra);
    }
}
