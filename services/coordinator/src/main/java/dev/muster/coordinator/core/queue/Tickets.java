package dev.muster.coordinator.core.queue;

import dev.muster.coordinator.core.model.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs by their tickets, in order; or by a time first, and by their tickets where that is the same.
 * They lie in short runs, side by side: so a million of them take little more than their numbers,
 * and those before a ticket are counted run by run.
 */
public final class Tickets {
    private static final int LONGEST = 256;
    private static final int SHORTEST = 4;

    private final List<Run> runs = new ArrayList<>();
    private final boolean timed;
    private int size;

    /** By their tickets alone. */
    public Tickets() {
        this(false);
    }

    private Tickets(boolean timed) {
        this.timed = timed;
    }

    static Tickets byTime() {
        return new Tickets(true);
    }

    private static final class Run {
        private long[] tickets = new long[SHORTEST];
        private JobId[] jobs = new JobId[SHORTEST];

        /** Null: they stand by their tickets alone. */
        private Instant @Nullable [] times;

        private int size;

        private Run(boolean timed) {
            times = timed ? new Instant[SHORTEST] : null;
        }

        private long first() {
            return tickets[0];
        }

        private int compare(int at, @Nullable Instant time, long ticket) {
            int byTime = times == null || time == null ? 0 : times[at].compareTo(time);
            return byTime == 0 ? Long.compare(tickets[at], ticket) : byTime;
        }

        /** As of {@link Arrays#binarySearch}. */
        private int find(@Nullable Instant time, long ticket) {
            if (times == null) {
                return Arrays.binarySearch(tickets, 0, size, ticket);
            }
            int low = 0;
            int high = size;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (compare(middle, time, ticket) < 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low < size && compare(low, time, ticket) == 0 ? low : -low - 1;
        }

        private void insert(int at, @Nullable Instant time, long ticket, JobId job) {
            if (size == tickets.length) {
                tickets = Arrays.copyOf(tickets, size * 2);
                jobs = Arrays.copyOf(jobs, size * 2);
                times = times == null ? null : Arrays.copyOf(times, size * 2);
            }
            System.arraycopy(tickets, at, tickets, at + 1, size - at);
            System.arraycopy(jobs, at, jobs, at + 1, size - at);
            tickets[at] = ticket;
            jobs[at] = job;
            if (times != null) {
                System.arraycopy(times, at, times, at + 1, size - at);
                times[at] = Objects.requireNonNull(time);
            }
            size++;
        }

        private void remove(int at) {
            System.arraycopy(tickets, at + 1, tickets, at, size - at - 1);
            System.arraycopy(jobs, at + 1, jobs, at, size - at - 1);
            size--;
            Arrays.fill(jobs, size, size + 1, null);
            if (times != null) {
                System.arraycopy(times, at + 1, times, at, size - at);
                Arrays.fill(times, size, size + 1, null);
            }
        }

        /** Leaves the first half, and returns the second. */
        private Run split() {
            var second = new Run(times != null);
            int half = size / 2;
            second.tickets = Arrays.copyOfRange(tickets, half, size);
            second.jobs = Arrays.copyOfRange(jobs, half, size);
            second.size = size - half;
            Arrays.fill(jobs, half, size, null);
            if (times != null) {
                second.times = Arrays.copyOfRange(times, half, size);
                Arrays.fill(times, half, size, null);
            }
            size = half;
            return second;
        }
    }

    /** The run in which a ticket is, if it is anywhere; -1: it comes before all. */
    private int run(@Nullable Instant time, long ticket) {
        int low = 0;
        int high = runs.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (runs.get(middle).compare(0, time, ticket) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /**
     * @throws IllegalStateException when it is another job's
     */
    public void put(long ticket, JobId job) {
        put(null, ticket, job);
    }

    /**
     * @param time null: there are no times
     */
    void put(@Nullable Instant time, long ticket, JobId job) {
        int at = Math.max(0, run(time, ticket));
        boolean isLast = at >= runs.size() - 1;
        if (runs.isEmpty()) {
            runs.add(new Run(timed));
        }
        var run = runs.get(at);
        int place = run.find(time, ticket);
        if (place >= 0) {
            if (!run.jobs[place].equals(job)) {
                throw new IllegalStateException(
                        "ticket %d is that of %s, not of %s"
                                .formatted(ticket, run.jobs[place], job));
            }
            return;
        }
        place = -place - 1;
        if (run.size == LONGEST) {
            // Most come in order: what is full stays so.
            var next = isLast && place == run.size ? new Run(timed) : run.split();
            runs.add(at + 1, next);
            if (place >= run.size) {
                place -= run.size;
                run = next;
            }
        }
        run.insert(place, time, ticket, job);
        size++;
    }

    /** Returns whether it was there. */
    public boolean remove(long ticket) {
        return remove(null, ticket);
    }

    /**
     * @param time null: there are no times
     */
    boolean remove(@Nullable Instant time, long ticket) {
        int at = run(time, ticket);
        int place = at < 0 ? -1 : runs.get(at).find(time, ticket);
        if (place < 0) {
            return false;
        }
        runs.get(at).remove(place);
        size--;
        if (runs.get(at).size == 0) {
            runs.remove(at);
        }
        return true;
    }

    /** The job that has this ticket; null: none. */
    public @Nullable JobId get(long ticket) {
        int at = run(null, ticket);
        int place = at < 0 ? -1 : runs.get(at).find(null, ticket);
        return place < 0 ? null : runs.get(at).jobs[place];
    }

    public boolean isEmpty() {
        return runs.isEmpty();
    }

    int size() {
        return size;
    }

    /** The smallest ticket; there must be one. */
    long first() {
        return runs.getFirst().first();
    }

    /** The time of the first; there must be one. */
    Instant firstTime() {
        return Objects.requireNonNull(runs.getFirst().times)[0];
    }

    /** The job that has it. */
    JobId firstJob() {
        return runs.getFirst().jobs[0];
    }

    /** In the order of their tickets. */
    Stream<JobId> all() {
        return runs.stream().flatMap(run -> Arrays.stream(run.jobs, 0, run.size));
    }

    /** The job with the next larger ticket; null: there is none. */
    public @Nullable JobId after(long ticket) {
        int at = run(null, ticket);
        if (at >= 0) {
            var run = runs.get(at);
            int place = run.find(null, ticket);
            int next = place < 0 ? -place - 1 : place + 1;
            if (next < run.size) {
                return run.jobs[next];
            }
        }
        return at + 1 < runs.size() ? runs.get(at + 1).jobs[0] : null;
    }

    /**
     * How many there are before the first that is none of these.
     *
     * @param these all of them come before all others
     */
    int countFirst(Predicate<JobId> these) {
        int low = 0;
        int high = runs.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (these.test(runs.get(middle).jobs[0])) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == 0) {
            return 0;
        }
        var last = runs.get(low - 1);
        int from = 1;
        int to = last.size;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (these.test(last.jobs[middle])) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return sizeOfFirst(low - 1) + from;
    }

    /** How many tickets are smaller. */
    int before(long ticket) {
        int at = run(null, ticket);
        if (at < 0) {
            return 0;
        }
        int place = runs.get(at).find(null, ticket);
        return sizeOfFirst(at) + (place < 0 ? -place - 1 : place);
    }

    private int sizeOfFirst(int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += runs.get(i).size;
        }
        return sum;
    }
}
