package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Decision.Move;
import dev.muster.coordinator.core.Decision.Order;
import dev.muster.coordinator.core.Decision.Stay;
import dev.muster.coordinator.core.Effect.PlannedPod;
import dev.muster.coordinator.core.JobState.Ended;
import dev.muster.coordinator.core.JobState.Queued;
import dev.muster.coordinator.core.JobState.Remains;
import dev.muster.coordinator.core.JobState.Starting;
import java.time.Duration;
import java.util.List;

/** Carries out what {@link JobRules} decides about a job: its rows, alarms, plans and news. */
final class Jobs {
    /** What changes after a first plan or phase gathers for so long. */
    static final Duration GATHER = Duration.ofMillis(200);

    /** A queue's counts gather for so long. */
    static final Duration QUEUE_GATHER = Duration.ofSeconds(1);

    /** Least time between two repairs of one job, and between two asks for the second word. */
    static final Duration REPAIR = Duration.ofSeconds(5);

    /** Status and plan of an ended job stay for so long. */
    static final Duration MEMORY = Duration.ofDays(30);

    private final Tables tables;
    private final Journal journal;

    Jobs(Tables tables, Journal journal) {
        this.tables = tables;
        this.journal = journal;
    }

    /** Takes one event through the rules; afterwards the job may be forgotten. */
    Decision on(Job job, JobEvent event) {
        var decision = JobRules.decide(job.state(), event, job.spec(), tables.now());
        if (decision instanceof Move(var next, var orders)) {
            move(job, next, orders);
        }
        return decision;
    }

    /** Its ranks changed: one event may lead on to the next, as from Starting to success. */
    void ranksChanged(JobId id) {
        for (var job = tables.job(id); job != null && job.state().isUp(); job = tables.job(id)) {
            var tally = tables.gang(job).tally();
            if (on(job, new JobEvent.RanksChanged(tally)) instanceof Stay) {
                return;
            }
        }
    }

    private void move(Job job, JobState next, List<Order> orders) {
        var before = job.state();
        var moved = job.to(next, job.times().after(next, tables.now()));
        for (var order : orders) {
            moved = carryOut(moved, order);
        }
        boolean isNews = before instanceof JobState.Absent || before.phase() != next.phase();
        if (isNews) {
            moved = moved.nextSeq();
            var word = word(next);
            journal.publish(
                    new Effect.Moved(
                            moved.id(),
                            moved.seq(),
                            moved.fences().attempt(),
                            before instanceof JobState.Absent ? null : before.phase(),
                            next.phase(),
                            word.reason(),
                            word.message()));
        }
        tables.put(moved);
        setAlarms(moved);
        if (isNews || next instanceof Queued) {
            publishStatus(moved);
        }
        afterwards(moved, before);
    }

    private record Word(String reason, String message) {}

    private static Word word(JobState state) {
        return switch (state) {
            case Ended(var end, _) -> new Word(end.reason(), end.message());
            case Queued(_, _, var reason) when reason != null ->
                    new Word(reason.code().label(), reason.message());
            case JobState.Stopping(JobState.Then.Finish(var end), _) ->
                    new Word(end.reason(), end.message());
            case JobState.Stopping(JobState.Then.Requeue requeue, _) ->
                    new Word(requeue.reason(), requeue.message());
            case Queued _, Starting _, JobState.Running _, JobState.Absent _ -> new Word("", "");
        };
    }

    private Job carryOut(Job job, Order order) {
        var fences = job.fences();
        var next =
                new Job.Fences(
                        fences.attempt(),
                        fences.incarnation(),
                        fences.plan() + 1,
                        fences.applied());
        var id = job.id();
        var queue = job.spec().queue();
        journal.publish(
                switch (order) {
                    case Order.Run _ ->
                            new Effect.RunPlan(
                                    id, next.attempt(), next.plan(), queue, planned(job));
                    case Order.Stop stop ->
                            new Effect.StopPlan(id, next.attempt(), next.plan(), queue, stop);
                    case Order.Gone _ ->
                            new Effect.GonePlan(id, next.attempt(), next.plan(), queue);
                });
        return job.with(next).with(new Job.Due(false, job.due().status()));
    }

    private List<PlannedPod> planned(Job job) {
        // A rank that has ended and whose pod is gone must not be made again.
        return tables.gang(job).all().stream()
                .filter(rank -> !(rank.state().hasEnded() && rank.sight().gone()))
                .map(rank ->
                        new PlannedPod(
                                rank.id(), rank.making().incarnation(), rank.making().node()))
                .toList();
    }

    private void setAlarms(Job job) {
        var subject = job.id().toString();
        switch (job.state()) {
            case Starting starting ->
                    tables.alarm(
                            Alarm.Kind.GANG_TIMEOUT,
                            subject,
                            starting.ordered().plus(job.spec().gangTimeout()));
            case Queued(_, var notBefore, _) when notBefore != null -> {
                tables.silence(Alarm.Kind.GANG_TIMEOUT, subject);
                tables.alarm(Alarm.Kind.BACKOFF, subject, notBefore);
            }
            case Ended(_, var remains) when remains == Remains.KEPT -> {
                tables.silence(Alarm.Kind.GANG_TIMEOUT, subject);
                var ttl = job.spec().ttl();
                if (ttl != null) {
                    tables.alarm(Alarm.Kind.TTL, subject, tables.now().plus(ttl));
                }
            }
            case Queued _, JobState.Running _, JobState.Stopping _, Ended _, JobState.Absent _ -> {
                tables.silence(Alarm.Kind.GANG_TIMEOUT, subject);
                tables.silence(Alarm.Kind.BACKOFF, subject);
                tables.silence(Alarm.Kind.TTL, subject);
            }
        }
    }

    /** What follows for the queue, the ranks and the memory of the job. */
    private void afterwards(Job job, JobState before) {
        if (before.phase() != job.state().phase() || before instanceof JobState.Absent) {
            tables.alarmOnce(Alarm.Kind.QUEUE, job.spec().queue(), tables.now().plus(QUEUE_GATHER));
        }
        boolean backoffPassed =
                before instanceof Queued(_, var until, _)
                        && until != null
                        && job.state() instanceof Queued;
        boolean leftQueue = before instanceof Queued && !(job.state() instanceof Queued);
        if (backoffPassed || leftQueue && !tables.backlog.heads(job.spec().queue()).isEmpty()) {
            tables.startsAreDue();
        }
        if (before instanceof JobState.Stopping
                && job.state() instanceof Queued(_, _, var reason)
                && reason != null) {
            journal.publish(new Effect.TakenBack(job.id(), job.spec().queue(), reason));
        }
        if (job.state() instanceof Queued) {
            dropRanks(job);
        }
        if (job.state() instanceof Ended(_, var remains) && remains == Remains.GONE) {
            forgetRows(job);
        }
    }

    /** The first witness spoke: nothing of a leaving job is there or may still come. */
    void podsMayBeGone(JobId id) {
        var job = tables.job(id);
        if (job != null && job.state().isLeaving() && tables.gang(job).isGone() && isApplied(job)) {
            on(job, new JobEvent.PodsGone());
        }
    }

    /** Pod-manager has carried out the newest plan: what it listed is what there is. */
    static boolean isApplied(Job job) {
        return job.fences().applied() == job.fences().plan();
    }

    private void dropRanks(Job job) {
        for (var rank : tables.gang(job).all()) {
            tables.silence(Alarm.Kind.PLACE_AGAIN, Rank.id(job.id(), rank.id()));
            tables.remove(rank);
            if (!rank.sight().released()) {
                tables.startsAreDue();
            }
        }
    }

    private void forgetRows(Job job) {
        dropRanks(job);
        var subject = job.id().toString();
        for (var kind : List.of(Alarm.Kind.GATHER, Alarm.Kind.REPAIR, Alarm.Kind.TTL)) {
            tables.silence(kind, subject);
        }
        tables.remove(job);
        journal.publish(new Effect.DropSpec(job.id()));
        var finished = job.times().finished();
        tables.alarm(
                Alarm.Kind.FORGET,
                subject,
                (finished == null ? tables.now() : finished).plus(MEMORY));
    }

    /** Counts or plan changed: published together a little later. */
    void gather(Job job, Job.Due more) {
        var due = new Job.Due(job.due().plan() || more.plan(), job.due().status() || more.status());
        if (!due.equals(job.due())) {
            tables.put(job.with(due));
        }
        tables.alarmOnce(Alarm.Kind.GATHER, job.id().toString(), tables.now().plus(GATHER));
    }

    void publishGathered(Job job) {
        var now = job;
        if (job.due().plan() && job.state().isUp()) {
            now = carryOut(job, new Order.Run());
        }
        if (job.due().status()) {
            journal.publish(new Effect.Status(now.with(Job.Due.NOTHING), tally(now)));
        }
        tables.put(now.with(Job.Due.NOTHING));
    }

    /** Publishes the newest plan once more, with a new version. */
    void repair(Job job) {
        if (job.state().isUp()) {
            tables.put(carryOut(job, new Order.Run()));
            return;
        }
        if (job.state().isLeaving() && !isConfirming(job)) {
            podsMayBeGone(job.id());
            return;
        }
        var keep = job.state().isLeaving() ? Decision.Keep.NONE : keptAtTheEnd(job.spec());
        tables.put(carryOut(job, new Order.Stop(keep, job.spec().grace(), isConfirming(job))));
    }

    private static boolean isConfirming(Job job) {
        return job.state() instanceof JobState.Stopping(_, var confirming) && confirming
                || job.state() instanceof Ended(_, var remains) && remains == Remains.CONFIRMING;
    }

    private static Decision.Keep keptAtTheEnd(JobSpec spec) {
        return spec.cleanup() == JobSpec.Cleanup.NONE ? Decision.Keep.ALL : Decision.Keep.FINISHED;
    }

    private void publishStatus(Job job) {
        var published = job.with(new Job.Due(job.due().plan(), false));
        journal.publish(new Effect.Status(published, tally(published)));
        if (!published.equals(job)) {
            tables.put(published);
        }
    }

    private Tally tally(Job job) {
        return tables.gang(job).tally();
    }
}
