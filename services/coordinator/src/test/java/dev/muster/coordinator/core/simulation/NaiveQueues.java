package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.placement.Capacity;
import dev.muster.coordinator.core.queue.Backlog;
import dev.muster.coordinator.core.simulation.NaiveQuotas.Excess;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which queues could start a job now and who is next to hold, found by walking all rows each time:
 * what the pool keeps and brings up to date must come to the same.
 */
final class NaiveQueues {
    private final List<Queue> queues = new ArrayList<>();
    private final List<Job> jobs = new ArrayList<>();
    private final Tables tables;
    private final NaiveQuotas quotas;

    /** The same for the holder, whose own is what is held. */
    private final NaiveQuotas ofHolder;

    private final Instant moment;
    private @Nullable List<First> firsts;

    /** Asked of the nodes alone, which have a naive walk of their own. */
    private final Capacity capacity;

    NaiveQueues(List<Row> rows) {
        this(rows, null);
    }

    /**
     * As they were, where only time has passed since.
     *
     * @param then null: as they are now
     */
    NaiveQueues(List<Row> rows, @Nullable Instant then) {
        tables = new Tables(new Journal());
        rows.forEach(tables::restore);
        moment = then == null ? tables.now() : then;
        capacity = tables.capacity;
        var byId = new LinkedHashMap<JobId, Job>();
        for (var row : rows) {
            switch (row) {
                case Queue queue -> queues.add(queue);
                case Job job -> byId.put(job.id(), job);
                default -> {}
            }
        }
        jobs.addAll(byId.values());
        queues.sort(Comparator.comparing(Queue::name));
        quotas = new NaiveQuotas(tables, queues, byId, rows);
        var unheld = rows.stream().filter(row -> !(row instanceof Hold)).toList();
        ofHolder = new NaiveQuotas(tables, queues, byId, unheld);
    }

    /**
     * Each queue that could start a job, and which. Where several could, and some of them a job
     * within their guarantee, only those, each with such a job.
     */
    Map<String, JobId> startable() {
        var first = firstStartable();
        var within = new TreeMap<String, JobId>();
        for (var queue : queues) {
            var all = allStartable(queue);
            all.stream()
                    .filter(job -> quotas.staysGuaranteed(queue, job))
                    .filter(job ->
                            all.indexOf(job) == 0
                                    || mayPass(queue, job, all.subList(0, all.indexOf(job))))
                    .limit(1)
                    .forEach(job -> within.put(queue.name(), job.id()));
        }
        return first.size() == 1 || within.isEmpty() ? first : within;
    }

    /** What one of higher priority needs of the guarantee is not for one of lower priority. */
    private boolean mayPass(Queue queue, Job job, List<Job> others) {
        var needs = quotas.needsOfGuarantee(queue, job);
        boolean isByPriority = queue.spec().order().kind() == QueueSpec.Kind.PRIORITY;
        int priority = job.spec().place().priority();
        return !needs.isEmpty()
                && others.stream()
                        .filter(other -> isByPriority && other.spec().place().priority() > priority)
                        .allMatch(other ->
                                Collections.disjoint(needs, quotas.needsOfGuarantee(queue, other)));
    }

    /** Of each queue that could start a job the first one. */
    Map<String, JobId> firstStartable() {
        var first = new TreeMap<String, JobId>();
        for (var queue : queues) {
            allStartable(queue).stream().limit(1).forEach(job -> first.put(queue.name(), job.id()));
        }
        return first;
    }

    /** Of each kind the first job, if it could; where nobody passes anybody, one at most. */
    private List<Job> allStartable(Queue queue) {
        var all = new ArrayList<Job>();
        boolean passes = queue.spec().order().backfill();
        for (var job : heads(queue)) {
            if (excess(queue, job) == null && capacity.fits(tables.makeup(job).start())) {
                all.add(job);
            }
            if (!passes && (!all.isEmpty() || couldEverStart(queue, job))) {
                break;
            }
        }
        return all;
    }

    /** The first job of each kind, in the queue's order; none if the queue may start nothing. */
    private List<Job> heads(Queue queue) {
        if (queue.spec().doors().paused() || capacity.nodes().isEmpty()) {
            return List.of();
        }
        var seen = new HashSet<List<Object>>();
        boolean fifo = queue.spec().order().kind() == QueueSpec.Kind.FIFO;
        boolean isByTime = !fifo && !tables.settings().spec().priorities().agingStep().isZero();
        var order =
                Comparator.comparingLong((Job job) -> fifo ? 0 : -worth(job))
                        .thenComparing(job -> isByTime ? inLine(job) : Instant.EPOCH)
                        .thenComparing(Job::ticket);
        return jobs.stream()
                .filter(job -> job.spec().queue().equals(queue.name()))
                .filter(job -> job.state().takesPart())
                .sorted(order)
                .filter(job -> seen.add(kind(job)))
                .toList();
    }

    private static Instant inLine(Job job) {
        var letIn = job.past().letIn();
        return letIn == null ? job.times().submitted() : letIn;
    }

    private List<Object> kind(Job job) {
        var makeup = tables.makeup(job);
        return List.of(
                makeup.start(),
                makeup.startUse(),
                job.spec().place().priority(),
                job.id().namespace());
    }

    private long worth(Job job) {
        var priorities = tables.settings().spec().priorities();
        return job.spec().place().priority() + Backlog.aged(inLine(job), moment, priorities);
    }

    private boolean couldEverStart(Queue queue, Job job) {
        return quotas.excesses(queue, job, List.of(), List.of()).stream().noneMatch(Excess::never)
                && capacity.couldEverFit(tables.makeup(job).start());
    }

    /** A queue's first job, which nothing but others keeps from starting, and since when. */
    private record First(Queue queue, Job job, Instant from) {}

    private List<First> firsts() {
        if (firsts == null) {
            firsts = new ArrayList<>();
            for (var queue : queues) {
                // Behind one that could, whatever that one lacks, nobody is.
                long most = queue.spec().order().backfill() ? Long.MAX_VALUE : 1;
                Stream.concat(heads(queue).stream().limit(Backlog.DEPTH), distant(queue))
                        .filter(job -> couldEverStart(queue, job))
                        .limit(most)
                        .filter(job -> !quotas.lacksWhatOthersWereGuaranteed(queue, job))
                        .findFirst()
                        .map(job -> new First(queue, job, ripeAt(queue, job)))
                        .ifPresent(firsts::add);
            }
            firsts.sort(
                    Comparator.comparing(First::from).thenComparing(first -> first.job().ticket()));
        }
        return firsts;
    }

    /** Which of those behind the first lines was noted. */
    private Stream<Job> distant(Queue queue) {
        var heads = heads(queue);
        return heads.size() <= Backlog.DEPTH
                ? Stream.empty()
                : heads.stream().filter(job -> job.id().equals(queue.distant()));
    }

    /** The first job of each queue, if that has waited long enough. */
    Map<String, Job> ripe() {
        var ripe = new TreeMap<String, Job>();
        firsts().stream()
                .filter(first -> !first.from().isAfter(moment))
                .forEach(first -> ripe.put(first.queue().name(), first.job()));
        return ripe;
    }

    /** Of those the first of each namespace that has a quota: nobody comes before them. */
    Map<JobId, Job> firstOfAll() {
        var first = new TreeMap<JobId, Job>();
        var namespaces = new HashSet<String>();
        for (var one : firsts()) {
            var namespace = one.job().id().namespace();
            boolean isFirst = tables.namespace(namespace) == null || namespaces.add(namespace);
            if (isFirst && !one.from().isAfter(moment)) {
                first.put(one.job().id(), one.job());
            }
        }
        return first;
    }

    /**
     * What others were guaranteed is all that keeps it from being a first one, and from being so
     * before the other: it is, as soon as those use less.
     */
    boolean maySoonComeBefore(Job job, Job other) {
        var queue = queue(job);
        return quotas.lacksWhatOthersWereGuaranteed(queue, job)
                && Comparator.comparing((Job one) -> ripeAt(queue(one), one))
                                .thenComparing(Job::ticket)
                                .compare(job, other)
                        < 0;
    }

    private Queue queue(Job job) {
        return queues.stream()
                .filter(queue -> queue.name().equals(job.spec().queue()))
                .findFirst()
                .orElseThrow();
    }

    /** Both need what their namespace's quota does not have for the first of them. */
    boolean areShortOfTheSame(Job first, Job other) {
        return quotas.isShortOfWhatItNeeds(first, other);
    }

    /** It waits for its turn. */
    boolean waits(JobId id) {
        return jobs.stream()
                .filter(job -> job.id().equals(id))
                .anyMatch(job -> job.state().takesPart());
    }

    /**
     * Whatever is kept, or held for another, its queue uses too much to let it start, and of
     * something that the other needs, too.
     */
    boolean lacksItsQueues(Job job, Job other) {
        var holder = quotas.holder();
        var its = holder != null && holder.id().equals(job.id()) ? ofHolder : quotas;
        return queues.stream()
                .filter(queue -> queue.name().equals(job.spec().queue()))
                .anyMatch(queue -> its.isShortOfItsQueues(queue, job, other));
    }

    /** Nothing but others keeps it from starting, and nobody of its queue comes before it. */
    boolean isFirst(Job job) {
        return firsts().stream().anyMatch(first -> first.job().id().equals(job.id()));
    }

    private static Instant ripeAt(Queue queue, Job job) {
        return since(job).plus(queue.spec().order().reserveAfter());
    }

    /** From when on it has waited in line. */
    static Instant since(Job job) {
        var back = job.past().back();
        return Stream.of(inLine(job), job.past().since(), back == null ? Instant.MIN : back)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** All that is in its way where something is kept for those who waited for long. */
    private List<Excess> excesses(Queue queue, Job job) {
        var first = firsts();
        var ofQueue = first.stream().filter(one -> one.queue() == queue);
        var ofNamespace =
                first.stream()
                        .filter(one -> one.job().id().namespace().equals(job.id().namespace()))
                        .limit(1);
        return quotas.excesses(queue, job, before(job, ofQueue), before(job, ofNamespace));
    }

    private List<Job> before(Job job, Stream<First> firsts) {
        return firsts.filter(first -> !first.from().isAfter(moment))
                .map(First::job)
                .filter(first -> first != job && first != quotas.holder())
                .toList();
    }

    private @Nullable Excess excess(Queue queue, Job job) {
        var all = excesses(queue, job);
        return all.isEmpty() ? null : all.getFirst();
    }

    /** Who holds next; null: nobody has waited long enough. */
    @Nullable JobId nextHolder() {
        return candidates().stream()
                .filter(candidate -> !candidate.at().isAfter(moment))
                .min(
                        Comparator.comparing((Candidate candidate) -> !candidate.guaranteed())
                                .thenComparingLong(candidate -> candidate.job().ticket()))
                .map(candidate -> candidate.job().id())
                .orElse(null);
    }

    /** When the next one will have; null: there is none. */
    @Nullable Instant nextRipe() {
        return candidates().stream()
                .map(Candidate::at)
                .filter(at -> at.isAfter(moment))
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private record Candidate(Job job, boolean guaranteed, Instant at) {}

    private List<Candidate> candidates() {
        var candidates = new ArrayList<Candidate>();
        for (var queue : queues) {
            var job = firstThatMayHold(queue);
            if (job != null) {
                boolean guaranteed = quotas.staysGuaranteed(queue, job);
                candidates.add(new Candidate(job, guaranteed, ripeAt(queue, job)));
            }
        }
        return candidates;
    }

    /** Without backfill nobody behind a head that could ever start. */
    private @Nullable Job firstThatMayHold(Queue queue) {
        for (var job : heads(queue)) {
            if (mayHold(queue, job)) {
                return job;
            }
            if (!queue.spec().order().backfill() && couldEverStart(queue, job)) {
                return null;
            }
        }
        return null;
    }

    private boolean mayHold(Queue queue, Job job) {
        return excesses(queue, job).stream().allMatch(Excess::borrowed)
                && capacity.couldEverFit(tables.makeup(job).start());
    }
}
