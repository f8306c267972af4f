package dev.muster.coordinator.core.starts;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.gang.ScaleOutRanks;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Fit.Placement;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Source;
import dev.muster.coordinator.core.nodes.GoingNodes;
import dev.muster.coordinator.core.queue.Lines;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes a decision to place pods so: ranks, their fences, and what is published of it. */
public final class Starts {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final GoingNodes going;

    public Starts(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.going = new GoingNodes(tables, jobs);
    }

    /**
     * The gang of a waiting job is placed.
     *
     * @param credits of queues that took part in the turn, before it
     */
    public void start(Job job, Placed fit, SortedMap<String, Long> credits) {
        var waited = Duration.between(job.past().inLine(), tables.now());
        start(job, fit, credits, passed(job), waited);
    }

    /** The gang that failed is placed anew, in its own room: nobody's turn was taken. */
    public void startAgain(Job job, Placed fit) {
        start(job, fit, new TreeMap<>(), 0, null);
    }

    private void start(
            Job job,
            Placed fit,
            SortedMap<String, Long> credits,
            int passed,
            @Nullable Duration waited) {
        var attempt = job.fences().nextAttempt();
        var makeup = tables.makeup(job);
        var opened = makeup.open(new TreeSet<>(), new TreeMap<>());
        // One that starts again as large as it was has with it what a command had brought.
        var placed = place(job.with(attempt).with(job.past().opening(opened)), fit.pods(), 0, true);
        jobs.on(placed, new JobEvent.GangPlaced(blindBefore(job.id())));
        var pods = planned(placed, fit.pods());
        journal.publish(
                new Effect.Started(job.id(), job.spec().queue(), pods, credits, passed, waited));
        jobs.scalings().look(job.id());
        if (fit.pods().size() < job.spec().pods()) {
            tables.startsAreDue(); // What is beyond its minimum may have room, too.
        }
    }

    /**
     * More pods of a started job are placed; they are ordered with the next plan, or once the job
     * has saved if it is to be asked before.
     */
    public void grow(Job job, Placed fit) {
        grow(job, fit, asked(job, fit), true);
    }

    /** The same, in the place of others, which leave in turn. */
    public void replace(Job job, Placed fit) {
        grow(job, fit, asked(job, fit), false);
    }

    /** The same, in the place of one that is lost: failures ask nobody to save. */
    public void succeed(Job job, Placed fit) {
        grow(job, fit, 0, true);
    }

    private long asked(Job job, Placed fit) {
        return jobs.checkpoints().beforeGrowth(job, fit.pods().getFirst().rank().role());
    }

    private void grow(Job job, Placed fit, long asked, boolean brings) {
        var placed = place(tables.current(job), fit.pods(), asked, brings);
        jobs.gather(placed, Job.Due.PLAN_AND_STATUS);
        jobs.scalings().look(job.id());
        if (going.isDue(job.id())) {
            going.look(job.id());
        }
    }

    /**
     * @param asked what the job is to save before; 0: nothing
     * @param brings a command of scale may have asked for it
     */
    private Job place(Job job, List<Placement> placements, long asked, boolean brings) {
        var fences = job.fences();
        for (var placement : placements) {
            fences = fences.nextIncarnation();
            var node = placement.node();
            var port = tables.ports.choose(job, placement.rank(), node);
            var memory = job.spec().role(placement.rank().role()).pod().grown();
            var making =
                    new Rank.Making(fences, node, List.of(), port, memory, 0)
                            .spot(placement.spot());
            var rank = Rank.ordered(job.id(), placement.rank(), making);
            long command = brings ? ScaleOutRanks.by(job, tables.gang(job), rank.id().role()) : 0;
            tables.put(command == 0 && asked == 0 ? rank : rank.joining(command, asked));
        }
        var placed = job.with(fences);
        for (var placement : placements) {
            placed = placed.comingTo(placement.node());
        }
        tables.put(placed);
        return placed;
    }

    private List<Effect.PlannedPod> planned(Job job, List<Placement> placements) {
        var gang = tables.gang(job);
        var planned = new ArrayList<Effect.PlannedPod>(placements.size());
        for (var placement : placements) {
            var rank = gang.get(placement.rank());
            if (rank != null) {
                planned.add(Effect.PlannedPod.of(rank));
            }
        }
        return planned;
    }

    private int passed(Job job) {
        var queue = tables.queue(job.spec().queue());
        if (queue == null) {
            return 0;
        }
        var order = Lines.Order.of(queue, tables.settings().spec().priorities(), tables.now());
        return tables.backlog.before(job, order, tables::job);
    }

    private Duration blindBefore(JobId job) {
        int partition = job.uid().partition();
        if (tables.source(Source.Kind.PLANS, partition) == null) {
            tables.put(Source.first(Source.Kind.PLANS, partition, 0, tables.now()));
        }
        return Blindness.of(tables, job);
    }
}
