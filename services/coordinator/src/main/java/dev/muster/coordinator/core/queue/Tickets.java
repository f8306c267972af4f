package dev.muster.coordinator.core.queue;

import dev.muster.coordinator.core.model.JobId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs by their tickets, in order. They lie in short runs, side by side: so a million of them take
 * little more than their numbers, and those before a ticket are counted run by run.
 */
public final class Tickets {
    private static final int LONGEST = 256;
    private static final int SHORTEST = 4;

    private final List<Run> runs = new ArrayList<>();
    private int size;

    private static final class Run {
        private long[] tickets = new long[SHORTEST];
        private JobId[] jobs = new JobId[SHORTEST];
        private int size;

        private long first() {
            return tickets[0];
        }

        /** As of {@link Arrays#binarySearch}. */
        private int find(long ticket) {
            return Arrays.binarySearch(tickets, 0, size, ticket);
        }

        private void insert(int at, long ticket, JobId job) {
            if (size == tickets.length) {
                tickets = Arrays.copyOf(tickets, size * 2);
                jobs = Arrays.copyOf(jobs, size * 2);
            }
            System.arraycopy(tickets, at, tickets, at + 1, size - at);
            System.arraycopy(jobs, at, jobs, at + 1, size - at);
            tickets[at] = ticket;
            jobs[at] = job;
            size++;
        }

        private void remove(int at) {
            System.arraycopy(tickets, at + 1, tickets, at, size - at - 1);
            System.arraycopy(jobs, at + 1, jobs, at, size - at - 1);
            size--;
            Arrays.fill(jobs, size, size + 1, null);
        }

        /** Leaves the first half, and returns the second. */
        private Run split() {
            var second = new Run();
            int half = size / 2;
            second.tickets = Arrays.copyOfRange(tickets, half, size);
            second.jobs = Arrays.copyOfRange(jobs, half, size);
            second.size = size - half;
            Arrays.fill(jobs, half, size, null);
            size = half;
            return second;
        }
    }

    /** The run in which a ticket is, if it is anywhere; -1: it comes before all. */
    private int run(long ticket) {
        int low = 0;
        int high = runs.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (runs.get(middle).first() <= ticket) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    public void put(long ticket, JobId job) {
        int at = Math.max(0, run(ticket));
        boolean isLast = at >= runs.size() - 1;
        if (runs.isEmpty()) {
            runs.add(new Run());
        }
        var run = runs.get(at);
        int place = run.find(ticket);
        if (place >= 0) {
            run.jobs[place] = job;
            return;
        }
        place = -place - 1;
        if (run.size == LONGEST) {
            // Most come in order: what is full stays so.
            var next = isLast && place == run.size ? new Run() : run.split();
            runs.add(at + 1, next);
            if (place >= run.size) {
                place -= run.size;
                run = next;
            }
        }
        run.insert(place, ticket, job);
        size++;
    }

    /** Returns whether it was there. */
    public boolean remove(long ticket) {
        int at = run(ticket);
        int place = at < 0 ? -1 : runs.get(at).find(ticket);
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

    boolean isEmpty() {
        return runs.isEmpty();
    }

    int size() {
        return size;
    }

    /** The smallest ticket; there must be one. */
    long first() {
        return runs.getFirst().first();
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
        int at = run(ticket);
        if (at >= 0) {
            var run = runs.get(at);
            int place = run.find(ticket);
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
        return before(last.first()) + from;
    }

    /** How many tickets are smaller. */
    int before(long ticket) {
        int before = 0;
        int at = run(ticket);
        for (int i = 0; i < at; i++) {
            before += runs.get(i).size;
        }
        if (at >= 0) {
            int place = runs.get(at).find(ticket);
            before += place < 0 ? -place - 1 : place;
        }
        return before;
    }
}
