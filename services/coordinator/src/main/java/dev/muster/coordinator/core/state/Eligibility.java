package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Wide;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.queue.Lines;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Quotas.Claim;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What is in the way of waiting jobs besides room. */
public final class Eligibility {
    private final Tables tables;
    private final Quotas quotas;
    private final Ceilings ceilings;

    Eligibility(Tables tables) {
        this.tables = tables;
        this.quotas = tables.quotas;
        this.ceilings = tables.ceilings;
    }

    /** Why nobody of a queue starts, whoever is in it. */
    public enum Shut {
        PAUSED,
        UNSERVED,
        NO_NODES
    }

    /** Null: its doors are open. */
    public @Nullable Shut shut(Queue queue) {
        if (queue.spec().doors().paused()) {
            return Shut.PAUSED;
        }
        if (!tables.settings().isServed()) {
            return Shut.UNSERVED;
        }
        return tables.capacity.hasNodes() ? null : Shut.NO_NODES;
    }

    public boolean mayStart(Queue queue) {
        return shut(queue) == null;
    }

    /** Those that are looked at, in order. */
    public List<Line> lines(Queue queue) {
        return tables.backlog.lines(queue.name(), order(queue, tables.now()));
    }

    public Lines.Order order(Queue queue, Instant at) {
        return Lines.Order.of(queue, tables.settings().spec().priorities(), at);
    }

    /** Nothing passes one of its first lines. */
    public boolean isBlocked(Queue queue) {
        return !queue.spec().order().backfill() && blocking(queue, lines(queue)) != null;
    }

    /** The first of these that nothing passes; null: none. */
    public @Nullable Line blocking(Queue queue, List<Line> lines) {
        if (queue.spec().order().backfill()) {
            return null;
        }
        for (var line : lines) {
            if (blocks(queue, line)) {
                return line;
            }
        }
        return null;
    }

    /** Waiting adds to priority: lines change places though nothing else happens. */
    public boolean isOrderedByTime() {
        return !tables.settings().spec().priorities().agingStep().isZero();
    }

    /** Nothing is in the way of its head, not even room. */
    public boolean isClear(Queue queue, Line line) {
        return tables.capacity.fits(line.shape()) && excess(queue, line) == null;
    }

    /** Nothing passes this head; one that could never start does not block. */
    public boolean blocks(Queue queue, Line line) {
        if (queue.spec().order().backfill()) {
            return false;
        }
        return couldEverStart(claim(queue, line, By.WAITING_JOB), line.shape());
    }

    public @Nullable QuotaShortage excess(Queue queue, Line line) {
        return quotas.check(claim(queue, line, By.WAITING_JOB));
    }

    public @Nullable QuotaShortage excess(Claim claim) {
        return quotas.check(claim);
    }

    /** Every quota that is in its way, not the first alone. */
    public List<QuotaShortage> excesses(Claim claim) {
        return quotas.all(claim);
    }

    /** Of what it needs, what its queue may not use as much of now. */
    public SortedSet<String> shortOf(Claim claim) {
        return quotas.shortOf(claim);
    }

    /** Only room is in its way, or others who borrow. */
    public boolean lacksOnlyRoom(Claim claim) {
        return quotas.lacksOnlyWhatOthersBorrow(claim);
    }

    /** The same of a job that the pool could hold: room may be kept for it. */
    public boolean mayHold(Queue queue, Job job, By by) {
        return lacksOnlyRoom(toStart(queue, job, by))
                && tables.capacity.couldEverFit(tables.makeup(job).start());
    }

    /** The same of the head of a line, as one of those that wait. */
    public boolean mayHold(Queue queue, Line line) {
        return lacksOnlyRoom(claim(queue, line, By.WAITING_JOB))
                && tables.capacity.couldEverFit(line.shape());
    }

    /** Others who keep to their guarantees use what it needs: nobody knows for how long. */
    boolean lacksWhatOthersWereGuaranteed(Claim claim) {
        return ceilings.lacksWhatOthersWereGuaranteed(claim);
    }

    /** No quota is smaller than what it needs, nor is the pool. */
    public boolean couldEverStart(Claim claim, Shape shape) {
        return ceilings.couldEver(claim) && tables.capacity.couldEverFit(shape);
    }

    public boolean isGuaranteed(Queue queue, Line line) {
        return quotas.isGuaranteed(claim(queue, line, By.WAITING_JOB));
    }

    public boolean isGuaranteed(Claim claim) {
        return quotas.isGuaranteed(claim);
    }

    /** Of what the line's jobs need, what is guaranteed to their queue. */
    public List<String> needsOfGuarantee(Queue queue, Line line) {
        var needs = line.likeness().use().requests();
        var guaranteed = queue.spec().quota().guaranteed();
        return IntStream.range(0, needs.size())
                .mapToObj(needs::name)
                .filter(resource -> guaranteed.get(resource) > 0)
                .toList();
    }

    /** Some job of the queue needs no more of something than is left of what is guaranteed. */
    public boolean mayAnyKeepToGuarantee(Queue queue) {
        var guaranteed = queue.spec().quota().guaranteed();
        var needs = guaranteed.size() == 0 ? null : tables.backlog.needs(queue.name());
        if (needs == null) {
            return false;
        }
        var account = tables.ledger.account(queue.name());
        for (int i = 0; i < guaranteed.size(); i++) {
            var resource = guaranteed.name(i);
            long inUse = Wide.sum(account.used().get(resource), account.held().get(resource));
            if (needs.within(resource, guaranteed.amount(i) - inUse) != null) {
                return true;
            }
        }
        return false;
    }

    /** Of a line's claim. */
    public Strength strength(Queue queue, Line line, By by) {
        long worth = order(queue, tables.now()).worth(line);
        return quotas.strength(claim(queue, line, by), line.priority(), worth);
    }

    /** Of the claim of a job that waits. */
    public Strength strengthOfWaiting(Claim claim, Job job) {
        long worth = order(claim.queue(), tables.now()).worth(job);
        return quotas.strength(claim, job.spec().place().priority(), worth);
    }

    /** Of one that runs: it waits no more, and nothing is added to its priority. */
    public Strength strengthOfRunning(Claim claim, Job job) {
        int priority = job.spec().place().priority();
        return quotas.strength(claim, priority, priority);
    }

    public boolean mayStart(Job job) {
        var queue = tables.queue(job.spec().queue());
        return queue != null && mayStart(queue);
    }

    /** No quota is in the way of so much more of it. */
    public boolean mayUse(Job job, Shape shape, By by) {
        var queue = tables.queue(job.spec().queue());
        return queue != null && excess(claim(queue, job, shape, by)) == null;
    }

    /** What it claims in order to start; null: there is no such queue. */
    public @Nullable Claim toStart(Job job, By by) {
        var queue = tables.queue(job.spec().queue());
        return queue == null ? null : toStart(queue, job, by);
    }

    /** What is held for it is not in its own way. */
    public By asWaiting(JobId job) {
        return job.equals(tables.holder()) ? By.HOLDER : By.WAITING_JOB;
    }

    public Claim toStart(Queue queue, Job job, By by) {
        return claim(queue, job, tables.makeup(job).start(), by);
    }

    public static Claim claim(Queue queue, Line line, By by) {
        var likeness = line.likeness();
        return new Claim(queue, likeness.namespace(), likeness.use(), by, line.head(), 0);
    }

    public Claim claim(Queue queue, Job job, Shape shape, By by) {
        var makeup = tables.makeup(job);
        var use = shape == makeup.start() ? makeup.startUse() : makeup.use(shape);
        return new Claim(queue, job.id().namespace(), use, by, job.id(), 0);
    }

    /** The line of which it is the head; null: it takes no part, or somebody like it is older. */
    public @Nullable Line lineOf(Job head) {
        var line = tables.backlog.lineOf(head, tables.makeup(head));
        return line == null || line.ticket() != head.ticket() ? null : line;
    }
}
