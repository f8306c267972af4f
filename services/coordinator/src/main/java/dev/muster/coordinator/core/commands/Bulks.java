package dev.muster.coordinator.core.commands;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event.BulkAsked;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.nodes.SuspectNodes;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;

/** Changes of many jobs: done piece by piece, answered once with counts. */
public final class Bulks {
    /** How many jobs one piece looks at. */
    private static final int PIECE = 1_000;

    private final Tables tables;
    private final Journal journal;
    private final Submissions submissions;
    private final SuspectNodes suspects;

    public Bulks(Tables tables, Journal journal, Submissions submissions) {
        this.tables = tables;
        this.journal = journal;
        this.submissions = submissions;
        this.suspects = new SuspectNodes(tables);
    }

    /**
     * From now on it means the jobs that are there now. One that was asked for before is not done
     * again: it gets the answer that it got then, also where its queue is gone since.
     */
    public void on(BulkAsked asked) {
        var request = asked.request();
        var before = request == null ? null : tables.bulks.of(request);
        var queue = asked.selector().queue();
        if (before != null) {
            answer(before);
        } else if (queue == null || tables.queue(queue) != null) {
            begin(asked);
        } else if (request != null) {
            var none = "no queue " + queue;
            journal.publish(new Effect.Answer(request, Outcome.NOT_FOUND, null, null, none, null));
        }
    }

    private void begin(BulkAsked asked) {
        tables.put(Bulk.of(tables.clock().tick(), asked, included(asked)));
    }

    /** The pool's own memory goes with that of all its jobs. */
    private int included(BulkAsked asked) {
        return asked.change() instanceof Change.Include(var node) && asked.selector().isWholePool()
                ? suspects.include(node)
                : 0;
    }

    /**
     * Does the next piece of the oldest.
     *
     * @param most effects of the whole step
     */
    public void goOn(int most) {
        var bulk = tables.bulks.first();
        if (bulk == null) {
            return;
        }
        var next = bulk;
        for (int i = 0; i < PIECE && journal.effects() < most; i++) {
            var job = tables.after(bulk.selector().queue(), next.done());
            if (job == null || job.ticket() > bulk.tick()) {
                finish(next);
                return;
            }
            next = next.after(job.ticket(), change(next, job));
        }
        tables.put(next);
    }

    private Bulk.Counts change(Bulk bulk, Job job) {
        var counts = bulk.counts();
        boolean isForce = bulk.change() instanceof Change.ForceDelete;
        if (!bulk.selector().matches(job) || job.state().phase().isEnd() && !isForce) {
            return counts;
        }
        int before = journal.effects();
        boolean changed = change(job, bulk);
        if (bulk.by() != null) {
            journal.askedBy(bulk.by(), job.id(), before);
        }
        if (job.state().phase().isEnd() && !changed) {
            return counts; // It left nothing.
        }
        return new Bulk.Counts(
                counts.meant() + 1, counts.changed() + (changed ? 1 : 0), counts.nodes());
    }

    /**
     * What a user suspended by its name stays so when a queue is resumed. One that is so already is
     * accepted, and was not changed. Commands of scale have the id of the request, all of them.
     */
    private boolean change(Job job, Bulk bulk) {
        var change = bulk.change();
        if (change instanceof Change.Resume && job.state().isSuspendedAlone()) {
            return false;
        }
        var result =
                change instanceof Change.Suspend(var grace, var message)
                        ? submissions.tell(job, new JobEvent.SuspendAsked(grace, message, false))
                        : submissions.change(job, change, bulk.request());
        return result.outcome() == Outcome.ACCEPTED && !job.equals(tables.job(job.id()));
    }

    private void finish(Bulk bulk) {
        if (bulk.request() == null) {
            tables.remove(bulk);
            return;
        }
        tables.put(bulk.finished());
        var superfluous = tables.bulks.superfluous();
        if (superfluous != null) {
            tables.remove(superfluous);
        }
        answer(bulk);
    }

    private void answer(Bulk bulk) {
        if (bulk.request() != null) {
            journal.publish(new Effect.BulkDone(bulk.request(), bulk.counts()));
        }
    }
}
