package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Checkpoint.Stage;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;

/**
 * Asks running jobs to save how far they have come before what nobody is forced to do to them is
 * done, and goes on when they have answered or their time is over. A job owes one answer at most:
 * what is to come meanwhile waits for the same.
 */
public final class Checkpoints {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;

    Checkpoints(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
    }

    /** It runs, and wants to be asked. */
    public static boolean asks(Job job) {
        return job.state() instanceof JobState.Running && job.spec().work().checkpoint() != null;
    }

    /** It is asked before it changes its size: it can save. */
    boolean asksNow(Job job) {
        return asks(job) && !tables.gang(job).isImpaired();
    }

    /**
     * All of it can save before it stops: elastic workers go on without those beyond their minimum
     * whose delay is over and that were not made again.
     */
    boolean canSave(Job job) {
        var gang = tables.gang(job);
        return !gang.isImpaired()
                || gang.casualties().isEmpty()
                        && gang.tally().runs()
                        && gang.returning().next(tables.now()) == null
                        && gang.returning().all().stream().allMatch(rank -> isSpare(job, rank));
    }

    private static boolean isSpare(Job job, Rank rank) {
        return job.spec().work().isElastic(rank.id().role())
                && !job.spec().isMeetingPoint(rank.id())
                && !job.spec().isCritical(rank.id());
    }

    /**
     * The job, which owes an answer from now on if it did not already; not yet put.
     *
     * @param purpose one sentence for people
     */
    Job asked(Job job, String purpose) {
        var policy = job.spec().work().checkpoint();
        if (policy == null || job.asked() != null) {
            return job;
        }
        var now = tables.now();
        var until = now.plus(policy.timeout());
        int attempt = job.fences().attempt();
        tables.wakings.at(Alarm.Kind.CHECKPOINT, job.id(), until);
        var due = policy.file() ? Job.Due.PLAN_AND_STATUS : Job.Due.STATUS;
        return told(
                jobs.gathering(job, due),
                new Checkpoint(job.seq() + 1, attempt, purpose, until, Stage.ASKED, "", now));
    }

    /**
     * More of an elastic role that runs comes when the job has answered.
     *
     * @return what it is asked before; 0: nothing
     */
    public long beforeGrowth(Job job, String role) {
        boolean isAsked =
                asksNow(job)
                        && job.spec().work().isElastic(role)
                        && tables.gang(job).count(role) > 0;
        if (!isAsked) {
            return 0;
        }
        var asked = asked(job, "more of %s are to come".formatted(role));
        tables.put(asked);
        var open = asked.asked();
        return open == null ? 0 : open.id();
    }

    public void on(Event.CheckpointAnswered answer) {
        var job = tables.job(answer.job());
        var asked = job == null ? null : job.asked();
        if (job == null || asked == null || !isTo(asked, answer)) {
            journal.stays(Decision.Why.STALE);
        } else {
            over(job, asked.at(end(answer), answer.message(), tables.now()));
        }
    }

    private static Stage end(Event.CheckpointAnswered answer) {
        return answer.saved() ? Stage.SAVED : Stage.FAILED;
    }

    private static boolean isTo(Checkpoint asked, Event.CheckpointAnswered answer) {
        var attempt = answer.attempt();
        return asked.id() == answer.ask() && (attempt == null || attempt == asked.attempt());
    }

    /** The time for its answer is over. */
    public void late(Job job) {
        var asked = job.asked();
        if (asked != null) {
            over(job, asked.at(Stage.TIMED_OUT, "it did not answer in time", tables.now()));
        }
    }

    /**
     * A rank has failed, and its failure counts: who is left can hardly save, and what waits goes
     * on.
     */
    public void broken(Job job) {
        var asked = job.asked();
        if (asked != null) {
            over(job, asked.at(Stage.WITHDRAWN, "a rank has failed", tables.now()));
        }
    }

    /** What waited for it goes on, or comes to nothing. */
    private void over(Job job, Checkpoint end) {
        var told = told(job, end);
        tables.put(told);
        if (end.stage() == Stage.FAILED || end.stage() == Stage.TIMED_OUT) {
            jobs.scalings().notSaved(told, end);
        }
        jobs.departures().goOn(tables.current(told), end);
        var now = tables.current(told);
        if (now.state() instanceof JobState.Saving) {
            jobs.on(now, new JobEvent.CheckpointOver());
        } else {
            jobs.publishGathered(now.with(Job.Due.PLAN_AND_STATUS));
        }
        jobs.scalings().look(job.id());
    }

    /** The job is not up any more, and owes nobody an answer; not yet put. */
    Job withdrawn(Job job) {
        var asked = job.asked();
        return asked == null
                ? job
                : told(job, asked.at(Stage.WITHDRAWN, "it goes without", tables.now()));
    }

    /**
     * Of those that owe an answer for which nothing waits, one owes none any more; to be called
     * when no starts are due: who comes for a command that took another's place waits for the same.
     *
     * @return false: there was none
     */
    public boolean look() {
        var job = tables.unawaited.first();
        if (job != null) {
            look(job);
        }
        return job != null;
    }

    /** Where nothing waits for its answer any more, none is owed. */
    public void look(JobId id) {
        var job = tables.job(id);
        var asked = job == null ? null : job.asked();
        if (job != null && asked != null && tables.unawaited.contains(id)) {
            var message = "what it was asked for does not come";
            tables.put(told(job, asked.at(Stage.WITHDRAWN, message, tables.now())));
            jobs.gather(job, Job.Due.PLAN_AND_STATUS);
        }
    }

    private Job told(Job job, Checkpoint checkpoint) {
        if (!checkpoint.isOpen()) {
            tables.wakings.none(Alarm.Kind.CHECKPOINT, job.id());
        }
        var told = job.nextSeq().with(job.past().asked(checkpoint));
        var attempt = told.fences().attempt();
        journal.publish(new Effect.CheckpointTold(job.id(), told.seq(), attempt, checkpoint));
        return told;
    }
}
