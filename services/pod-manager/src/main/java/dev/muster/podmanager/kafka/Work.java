package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Agenda;
import dev.muster.podmanager.core.Backoff;
import dev.muster.podmanager.core.Hitch;
import dev.muster.podmanager.core.Hitches;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.Listing;
import dev.muster.podmanager.core.Look;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.PlanBook;
import dev.muster.podmanager.core.PlanBook.Entry;
import dev.muster.podmanager.core.Submission;
import dev.muster.schemas.Partitions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is known and what is to be done, shared by the reader of plans and those who do the work.
 */
final class Work {
    /** Plans of one job, and what was listed of it when its partition was opened. */
    record Task(JobName job, int partition, List<Entry> entries, @Nullable Listing seed) {}

    private record Seed(Listing listing, long asOf) {}

    /**
     * What the cluster held when partitions were opened.
     *
     * @param listings of their jobs; a job that is missing had nothing
     * @param hidden the kinds that could not be listed
     * @param asOf what {@link #nextOrder} was before the list was begun
     */
    record Seeds(Map<JobName, Listing> listings, Set<Kind> hidden, long asOf) {
        private boolean serve(List<Entry> entries) {
            return entries.stream().noneMatch(e -> Look.of(e.plan()).asksForAny(hidden));
        }

        private Seed of(JobName job) {
            return new Seed(listings.getOrDefault(job, new Listing(List.of())), asOf);
        }
    }

    private static final Duration IDLE = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PlanBook book = new PlanBook();
    private final Agenda agenda;
    private final Set<Integer> open = new HashSet<>();
    private final Map<JobName, Seed> seeds = new HashMap<>();
    private final Hitches hitches = new Hitches();

    Work(Backoff backoff, InstantSource clock) {
        this.agenda = new Agenda(backoff);
        this.clock = clock;
    }

    void accept(int partition, PlanRecord record) {
        locked(() -> {
            switch (record) {
                case PlanRecord.Known(var plan) -> {
                    if (book.accept(partition, plan) && open.contains(partition)) {
                        agenda.offer(plan.job().job(), clock.instant());
                    }
                }
                case PlanRecord.Removed(var job) -> book.remove(partition, job);
                case PlanRecord.Unreadable(var job, _) -> hold(partition, job);
            }
        });
    }

    private void hold(int partition, @Nullable Submission job) {
        if (job != null) {
            book.hold(partition, job);
        }
    }

    /** Plans that are accepted from now on are not older than a list that is begun now. */
    long nextOrder() {
        lock.lock();
        try {
            return book.nextOrder();
        } finally {
            lock.unlock();
        }
    }

    /** For some open plan of these partitions it matters which pods have ended. */
    boolean asksForPhases(Collection<Integer> partitions) {
        lock.lock();
        try {
            return partitions.stream().anyMatch(book::asksForPhases);
        } finally {
            lock.unlock();
        }
    }

    /** The plans of these partitions that are not known to be carried out. */
    List<Plan> unfinished(Collection<Integer> partitions) {
        lock.lock();
        try {
            return partitions.stream()
                    .flatMap(partition ->
                            book.open(partition).stream()
                                    .flatMap(job -> book.of(partition, job).stream()))
                    .filter(Entry::open)
                    .map(Entry::plan)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Work begins for these partitions; a job of which not all was listed is listed by itself. Of
     * each partition the newest plans come first: those are what nobody has carried out yet, and
     * plans that come from now on go before them.
     */
    void open(Collection<Integer> partitions, Seeds listed) {
        locked(() -> {
            open.addAll(partitions);
            var lines = new ArrayList<Iterator<JobName>>();
            for (int partition : partitions) {
                var newest = new TreeMap<Long, JobName>(Comparator.reverseOrder());
                for (var job : book.open(partition)) {
                    var entries = book.of(partition, job);
                    if (listed.serve(entries)) {
                        seeds.put(job, listed.of(job));
                    }
                    newest.put(entries.stream().mapToLong(Entry::order).max().orElseThrow(), job);
                }
                lines.add(newest.values().iterator());
            }
            lines.removeIf(line -> !line.hasNext());
            while (!lines.isEmpty()) {
                lines.forEach(line -> agenda.offerLate(line.next(), clock.instant()));
                lines.removeIf(line -> !line.hasNext());
            }
        });
    }

    /** The partitions are somebody else's; passes at hand find that out by themselves. */
    void close(Collection<Integer> partitions) {
        locked(() -> {
            open.removeAll(partitions);
            partitions.forEach(book::dropPartition);
            agenda.drop(job -> partitions.contains(partitionOf(job)));
            seeds.keySet().removeIf(job -> partitions.contains(partitionOf(job)));
            hitches.drop(each -> partitions.contains(partitionOf(each.job())));
        });
    }

    /** Waits for the next job that is due, for a second at most. */
    Optional<Task> next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = IDLE.toNanos();
            var job = agenda.take(clock.instant());
            while (job.isEmpty() && left > 0) {
                left -= pause(Math.min(left, untilDue()));
                job = agenda.take(clock.instant());
            }
            return job.map(this::task);
        } finally {
            lock.unlock();
        }
    }

    /** Nanoseconds until something is due as far as is known now, 1 or more. */
    private long untilDue() {
        return agenda.nextDue()
                .map(due -> Math.max(1, Duration.between(clock.instant(), due).toNanos()))
                .orElse(IDLE.toNanos());
    }

    /** How long it took, in nanoseconds: less than asked for if something changed. */
    @SuppressWarnings("WaitNotInLoop") // its one caller loops
    private long pause(long nanos) throws InterruptedException {
        return nanos - changed.awaitNanos(nanos);
    }

    private Task task(JobName job) {
        int partition = partitionOf(job);
        var entries = book.of(partition, job);
        var seed = seeds.remove(job);
        if (seed == null) {
            return new Task(job, partition, entries, null);
        }
        boolean listedSince = entries.stream().allMatch(e -> e.order() < seed.asOf());
        return new Task(job, partition, entries, listedSince ? seed.listing() : null);
    }

    /** The host lists of some more jobs are looked at. */
    void offerLists(int most) {
        locked(() ->
                book.listed(most).stream()
                        .filter(job -> open.contains(partitionOf(job)))
                        .forEach(job -> agenda.offer(job, clock.instant())));
    }

    /** Nothing more is to be done for this plan. */
    void finished(int partition, Plan plan) {
        locked(() -> {
            book.close(partition, plan);
            hitches.over(plan.job());
        });
    }

    /**
     * Something kept this plan from being carried out.
     *
     * @param onward some of what was to be done is
     * @return it has lasted, and its pool does not know it yet, or has long not known the words
     */
    boolean isToBeTold(Plan plan, Hitch hitch, boolean onward) {
        lock.lock();
        try {
            return hitches.isToBeTold(plan, hitch, onward, clock.instant());
        } finally {
            lock.unlock();
        }
    }

    /** The pool of this plan knows now, or is about to, what is in its way. */
    void told(Plan plan) {
        lock.lock();
        try {
            hitches.told(plan);
        } finally {
            lock.unlock();
        }
    }

    /** What that pool was about to know it does not. */
    void notTold(Plan plan) {
        lock.lock();
        try {
            hitches.notTold(plan);
        } finally {
            lock.unlock();
        }
    }

    void done(JobName job) {
        locked(() -> agenda.done(job, clock.instant()));
    }

    void lookAgain(JobName job, Duration pause) {
        locked(() -> agenda.lookAgain(job, clock.instant(), pause));
    }

    void retry(JobName job, boolean onward, Duration atLeast) {
        locked(() -> agenda.retry(job, clock.instant(), onward, atLeast));
    }

    /** The plans of a name, the newest submission first; none while its partition is not open. */
    List<Plan> plansOf(JobName job) {
        lock.lock();
        try {
            int partition = partitionOf(job);
            return open.contains(partition)
                    ? book.of(partition, job).stream().map(Entry::plan).toList()
                    : List.of();
        } finally {
            lock.unlock();
        }
    }

    int held() {
        lock.lock();
        try {
            return book.held();
        } finally {
            lock.unlock();
        }
    }

    static int partitionOf(JobName job) {
        return Partitions.ofName(job.namespace(), job.name());
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
