package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Fit.Placed;
import dev.muster.coordinator.core.Fit.Short;
import dev.muster.coordinator.core.SmoothWeightedRoundRobin.Share;
import dev.muster.coordinator.core.WaitReason.Code;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who starts next: turns between queues, and the first startable job within one. */
final class Turns {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;

    /** Found not to fit in this round; within a round room only shrinks. */
    private final Set<Shape> misses = new LinkedHashSet<>();

    Turns(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
    }

    /** A job that can start now. */
    private record Candidate(Job job, Placed fit) {}

    /** What an event left may have made room: nothing is known of any shape. */
    void newEvent() {
        misses.clear();
    }

    /**
     * One turn of a round. A round goes on while anything starts, and ends by explaining why the
     * rest waits.
     *
     * @param explanations how many may be published at most
     */
    void next(int explanations) {
        var candidates = new TreeMap<String, Candidate>();
        for (var queue : tables.queues()) {
            var candidate = candidate(queue);
            if (candidate != null) {
                candidates.put(queue.name(), candidate);
            }
        }
        if (!candidates.isEmpty()) {
            turn(candidates);
        } else if (explainAll(explanations)) {
            tables.put(tables.settings().due(false));
        }
    }

    /**
     * Tries one job that was just submitted. Nothing else has become startable by that, so nothing
     * else is looked at.
     */
    void tryAlone(JobId id) {
        var job = tables.job(id);
        if (job == null || tables.settings().startsDue()) {
            return;
        }
        var queue = tables.queue(job.spec().queue());
        if (queue == null || !tables.backlog.isHeadOfItsShape(job)) {
            return;
        }
        var candidate = candidate(queue);
        if (candidate != null) {
            var candidates = new TreeMap<String, Candidate>();
            candidates.put(queue.name(), candidate);
            turn(candidates);
        } else {
            var reason = queueReason(queue);
            publish(queue, reason);
            boolean behind = reason != null && !reason.scope().equals(id.toString());
            if (!behind && tables.capacity.fit(job.spec().shape()) instanceof Short why) {
                explain(job, why);
            }
        }
    }

    private void turn(SortedMap<String, Candidate> candidates) {
        var shares = new TreeMap<String, Share>();
        var credits = new TreeMap<String, Long>();
        for (var name : candidates.keySet()) {
            var queue = queue(name);
            shares.put(name, new Share(queue.spec().weight(), queue.credit()));
            credits.put(name, queue.credit());
        }
        var turn = SmoothWeightedRoundRobin.next(shares);
        turn.credits()
                .forEach((name, credit) -> {
                    var queue = queue(name);
                    if (queue.credit() != credit) {
                        tables.put(queue.credited(credit));
                    }
                });
        var chosen = candidates.get(turn.chosen());
        if (chosen != null) {
            start(chosen.job(), chosen.fit(), credits);
        }
    }

    private Queue queue(String name) {
        var queue = tables.queue(name);
        if (queue == null) {
            throw new IllegalStateException("no queue " + name);
        }
        return queue;
    }

    private @Nullable Candidate candidate(Queue queue) {
        if (queue.spec().paused() || !tables.capacity.hasNodes()) {
            return null;
        }
        for (var head : tables.backlog.heads(queue.name())) {
            if (!misses.contains(head.shape())) {
                var job = tables.job(head.job());
                if (job != null && tables.capacity.fit(head.shape()) instanceof Placed fit) {
                    return new Candidate(job, fit);
                }
                misses.add(head.shape());
            }
            if (blocks(queue, head)) {
                return null;
            }
        }
        return null;
    }

    /** Nothing passes this head; one that would not fit the empty pool never blocks. */
    private boolean blocks(Queue queue, Backlog.Head head) {
        return !queue.spec().backfill() && tables.capacity.couldEverFit(head.shape());
    }

    private void start(Job job, Placed fit, SortedMap<String, Long> credits) {
        int passed = tables.backlog.before(job.spec().queue(), job.ticket());
        var fences =
                new Job.Fences(
                        job.fences().attempt() + 1,
                        job.fences().incarnation(),
                        job.fences().plan(),
                        job.fences().applied());
        for (var placement : fit.pods()) {
            fences =
                    new Job.Fences(
                            fences.attempt(),
                            fences.incarnation() + 1,
                            fences.plan(),
                            fences.applied());
            tables.put(
                    new Rank(
                            job.id(),
                            placement.rank(),
                            new Rank.Making(
                                    fences.attempt(),
                                    fences.incarnation(),
                                    placement.node(),
                                    List.of()),
                            Rank.Sight.NONE,
                            null));
        }
        var ordered = job.with(fences);
        tables.put(ordered);
        jobs.on(ordered, new JobEvent.GangPlaced(blindBefore(job.id())));
        var pods =
                tables.gang(ordered).all().stream()
                        .map(rank ->
                                new Effect.PlannedPod(
                                        rank.id(),
                                        rank.making().incarnation(),
                                        rank.making().node()))
                        .toList();
        journal.publish(new Effect.Started(job.id(), job.spec().queue(), pods, credits, passed));
    }

    private Duration blindBefore(JobId job) {
        int partition = job.uid().partition();
        if (tables.source(Source.Kind.PLANS, partition) == null) {
            tables.put(Source.first(Source.Kind.PLANS, partition, 0, tables.now()));
        }
        return Blindness.of(tables, job);
    }

    /** Returns whether everything was explained. */
    private boolean explainAll(int most) {
        int before = journal.effects();
        for (var queue : tables.queues()) {
            var reason = queueReason(queue);
            publish(queue, reason);
            explain(queue, reason, most);
            if (journal.effects() - before >= most) {
                return false;
            }
        }
        return true;
    }

    private void publish(Queue queue, @Nullable WaitReason reason) {
        var before = queue.reason();
        boolean isNews = reason == null ? before != null : reason.isNewsAfter(before);
        if (isNews) {
            var next = queue.because(reason);
            tables.put(next);
            var counts = tables.counts(queue.name());
            journal.publish(new Effect.QueueState(next, counts.waiting(), counts.running()));
        }
    }

    /** What holds for every job of the queue. */
    private @Nullable WaitReason queueReason(Queue queue) {
        if (queue.spec().paused()) {
            return fact(Code.QUEUE_PAUSED, queue.name(), "resume the queue", "the queue is paused");
        }
        if (!tables.capacity.hasNodes()) {
            return fact(
                    Code.POOL_UNAVAILABLE,
                    String.valueOf(tables.settings().name()),
                    "a node of the pool, and a watcher that reports it",
                    "no node of the pool is known");
        }
        for (var head : tables.backlog.heads(queue.name())) {
            if (blocks(queue, head)) {
                return fact(
                        Code.BEHIND_HEAD,
                        head.job().toString(),
                        "the start of " + head.job().fullName() + ", or backfill",
                        "the queue has no backfill and its head cannot start");
            }
        }
        return null;
    }

    private WaitReason fact(Code code, String scope, String remedy, String message) {
        return new WaitReason(code, scope, null, tables.now(), remedy, message);
    }

    /** Tells the heads of the queue's shapes why they wait, as far as it is their own reason. */
    private void explain(Queue queue, @Nullable WaitReason ofQueue, int most) {
        if (ofQueue != null && ofQueue.code() != Code.BEHIND_HEAD) {
            return;
        }
        int before = journal.effects();
        for (var head : tables.backlog.heads(queue.name())) {
            var job = tables.job(head.job());
            if (job != null && tables.capacity.fit(head.shape()) instanceof Short reason) {
                explain(job, reason);
            }
            if (blocks(queue, head) || journal.effects() - before >= most) {
                return;
            }
        }
    }

    private void explain(Job job, Short why) {
        var reason =
                new WaitReason(
                        why.code(),
                        why.scope(),
                        why.shortage(),
                        tables.now(),
                        why.remedy(),
                        why.message());
        if (jobs.on(job, new JobEvent.WaitExplained(reason)) instanceof Decision.Move) {
            journal.publish(new Effect.Waits(job.id(), job.spec().queue(), reason));
        }
    }
}
