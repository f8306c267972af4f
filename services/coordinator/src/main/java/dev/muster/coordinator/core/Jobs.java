package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Decision.Move;
import dev.muster.coordinator.core.Decision.Order;
import dev.muster.coordinator.core.Decision.Stay;
import dev.muster.coordinator.core.Effect.PlannedPod;
import dev.muster.coordinator.core.JobState.Ended;
import dev.muster.coordinator.core.JobState.Gate;
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

    /** Its own reason to wait, told if it is another than before. */
    void explain(Job job, WaitReason reason) {
        if (on(job, new JobEvent.WaitExplained(reason)) instanceof Move) {
            journal.publish(new Effect.Waits(job.id(), job.spec().queue(), reason));
        }
    }

    /** Its ranks changed: one event may lead on to the next, as from Starting to success. */
    void ranksChanged(JobId id) {
        for (var job = tables.job(id); job != null && job.state().isUp(); job = tables.job(id)) {
            var tally = tables.gang(job).tally();
            if (on(job, new JobEvent.RanksChanged(tally)) instanceof Stay) {
                openStages(id, tally);
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
            case JobState.Stopping(JobState.Then.Return(var message), _) ->
                    new Word("Preempted", message);
            case JobState.Stopping(JobState.Then.Suspend(var message), _) ->
                    new Word("Suspended", message);
            case JobState.Suspended(_, var message) -> new Word("Suspended", message);
            case Queued _, Starting _, JobState.Running _, JobState.Absent _ -> new Word("", "");
        };
    }

    private Job carryOut(Job job, Order order) {
        var fences = job.fences();
        if (order instanceof Order.Gone && fences.plan() == 0) {
            return job; // Nothing was ever ordered.
        }
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
                .filter(rank -> job.past().opened().contains(rank.id().role()))
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
                            starting.ordered().plus(job.spec().gang().timeout()));
            case Queued(_, Gate.Later(var until), _) -> {
                tables.silence(Alarm.Kind.GANG_TIMEOUT, subject);
                tables.alarm(Alarm.Kind.BACKOFF, subject, until);
            }
            case Ended(_, var remains) when remains == Remains.KEPT -> {
                tables.silence(Alarm.Kind.GANG_TIMEOUT, subject);
                var ttl = job.spec().ttl();
                if (ttl != null) {
                    tables.alarm(Alarm.Kind.TTL, subject, tables.now().plus(ttl));
                }
            }
            case Queued _, JobState.Suspended _, JobState.Running _, JobState.Stopping _ ->
                    silence(subject);
            case Ended _, JobState.Absent _ -> silence(subject);
        }
    }

    private void silence(String subject) {
        tables.silence(Alarm.Kind.GANG_TIMEOUT, subject);
        tables.silence(Alarm.Kind.BACKOFF, subject);
        tables.silence(Alarm.Kind.TTL, subject);
    }

    /** What follows for the queue, the ranks and the memory of the job. */
    private void afterwards(Job job, JobState before) {
        var state = job.state();
        var queue = job.spec().queue();
        if (before.phase() != state.phase() || before instanceof JobState.Absent) {
            tables.alarmOnce(Alarm.Kind.QUEUE, queue, tables.now().plus(QUEUE_GATHER));
        }
        if (mayStartOthers(job, before)) {
            tables.startsAreDue();
        }
        if (before instanceof JobState.Stopping && !state.phase().isEnd()) {
            comeBack(job);
        }
        if (state instanceof Ended(var end, var remains)) {
            if (!(before instanceof Ended)) {
                tellWaiting(job.id(), end);
            }
            if (remains == Remains.GONE) {
                forgetRows(job);
            }
            deleteIfEmpty(queue);
        }
    }

    /** It may take part again, or it stood in the way of others. */
    private boolean mayStartOthers(Job job, JobState before) {
        boolean isTried = job.state() instanceof Queued queued && queued.isOpen();
        boolean wasTried = before instanceof Queued queued && queued.isOpen();
        var queue = tables.queue(job.spec().queue());
        boolean stoodInTheWay = queue != null && !queue.spec().order().backfill();
        var hold = tables.hold();
        boolean held = hold != null && hold.job().equals(job.id());
        return isTried && !wasTried && !(before instanceof JobState.Absent)
                || wasTried && !isTried && (held || stoodInTheWay);
    }

    /** From stopping to the queue, or to wait until it is resumed. */
    private void comeBack(Job job) {
        if (job.state() instanceof Queued(_, _, var reason) && reason != null) {
            journal.publish(new Effect.TakenBack(job.id(), job.spec().queue(), reason));
        }
        dropRanks(job);
        tables.put(tables.current(job).with(job.past().waitingAgain(tables.now())));
    }

    /** Those that wait for its end hear of it. */
    private void tellWaiting(JobId id, End end) {
        for (var waitingId : tables.awaiting.waitingFor(id)) {
            var waiting = tables.job(waitingId);
            if (waiting != null) {
                hear(waiting, id, end);
            }
        }
    }

    private void hear(Job waiting, JobId id, End end) {
        var awaited = waiting.past().awaits().stream().filter(a -> a.job().equals(id)).toList();
        boolean failed =
                end.phase() != Phase.SUCCEEDED && awaited.stream().anyMatch(Job.Awaited::succeeded);
        var left = waiting.past().awaits().stream().filter(a -> !a.job().equals(id)).toList();
        var next = waiting.with(waiting.past().awaiting(failed ? List.of() : left));
        tables.put(next);
        if (failed) {
            on(
                    next,
                    new JobEvent.DependencyFailed(
                            "%s ended %s".formatted(id.fullName(), end.phase())));
        } else if (left.isEmpty()) {
            on(next, new JobEvent.Cleared());
        }
    }

    /** A queue that was to be deleted goes with its last job. */
    void deleteIfEmpty(String name) {
        var queue = tables.queue(name);
        if (queue != null && queue.leaving() && tables.counts(name).all() == 0) {
            tables.remove(queue);
            tables.silence(Alarm.Kind.QUEUE, name);
            journal.publish(new Effect.QueueDeleted(name));
        }
    }

    /**
     * Roles whose dependencies have come far enough are open: the pods that are reserved for them
     * are ordered, and those that come later may be placed.
     */
    private void openStages(JobId id, Tally tally) {
        var job = tables.job(id);
        if (job == null || !job.state().isUp()) {
            return;
        }
        var makeup = tables.makeup(job);
        var open = makeup.open(job.past().opened(), tally.byRole());
        if (open.equals(job.past().opened())) {
            return;
        }
        boolean isPlaced =
                tables.gang(job).all().stream()
                        .map(rank -> rank.id().role())
                        .anyMatch(
                                role -> open.contains(role) && !job.past().opened().contains(role));
        var opened = job.with(job.past().opening(open));
        tables.put(isPlaced ? carryOut(opened, new Order.Run()) : opened);
        if (isPlaced) {
            on(tables.current(job), new JobEvent.StageOrdered(Blindness.of(tables, id)));
        }
        if (open.stream().anyMatch(makeup.later()::contains)) {
            tables.startsAreDue();
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

    void publishStatus(Job job) {
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
