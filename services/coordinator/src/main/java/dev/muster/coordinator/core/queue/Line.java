package dev.muster.coordinator.core.queue;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Use;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Waiting jobs of a queue that differ only by age, the oldest first. */
public final class Line {
    private final Likeness likeness;
    private final Tickets jobs = new Tickets();

    /** As they came in line; null: as they were submitted, that is. */
    private final @Nullable Tickets asTheyCame;

    /** They go as they came in line, not as they were submitted. */
    private boolean byTime;

    /** When its head was submitted. */
    private Instant submitted = Instant.EPOCH;

    private boolean first;

    /** Of use only while that is found out. */
    boolean stays;

    /**
     * What its jobs have in common.
     *
     * @param letIn they came in line later than they were submitted, each at its time
     */
    public record Likeness(Shape shape, Use use, int priority, String namespace, boolean letIn) {}

    Line(Likeness likeness, boolean byTime) {
        this.likeness = likeness;
        this.asTheyCame = likeness.letIn() ? Tickets.byTime() : null;
        this.byTime = byTime;
    }

    public Likeness likeness() {
        return likeness;
    }

    public Shape shape() {
        return likeness.shape();
    }

    public int priority() {
        return likeness.priority();
    }

    /** From now on they go as they came in line, or as they were submitted. */
    void goByTime(boolean byTime) {
        this.byTime = byTime;
    }

    private Tickets inOrder() {
        return byTime && asTheyCame != null ? asTheyCame : jobs;
    }

    void add(Job job) {
        jobs.put(job.ticket(), job.id());
        if (asTheyCame != null) {
            asTheyCame.put(job.agesFrom(), job.ticket(), job.id());
        }
        if (ticket() == job.ticket()) {
            submitted = job.times().submitted();
        }
    }

    /**
     * @param when the next head was submitted
     */
    void remove(Job job, Backlog.Submitted when) {
        boolean wasHead = ticket() == job.ticket();
        jobs.remove(job.ticket());
        if (asTheyCame != null) {
            asTheyCame.remove(job.agesFrom(), job.ticket());
        }
        if (wasHead && !isEmpty() && asTheyCame == null) {
            submitted = when.of(head());
        }
    }

    /** It would be the head. */
    boolean isBeforeHead(Job job) {
        if (isEmpty()) {
            return true;
        }
        int bySince = inOrder() == jobs ? 0 : job.agesFrom().compareTo(oldest());
        return bySince < 0 || bySince == 0 && job.ticket() < ticket();
    }

    /** When its head came in line, if they go as they came. */
    Instant oldest() {
        return asTheyCame == null ? submitted : asTheyCame.firstTime();
    }

    public long ticket() {
        return inOrder().first();
    }

    public JobId head() {
        return inOrder().firstJob();
    }

    boolean isEmpty() {
        return jobs.isEmpty();
    }

    /** It is one of the first of its queue, as last asked for. */
    public boolean isFirst() {
        return first;
    }

    /** It is one of them from now on, or none. */
    void becomeFirst(boolean isFirst) {
        first = isFirst;
    }

    public int size() {
        return jobs.size();
    }

    /** In the order of their tickets. */
    Stream<JobId> jobs() {
        return jobs.all();
    }

    /** How many tickets are smaller. */
    int before(long ticket) {
        return jobs.before(ticket);
    }

    /**
     * How many there are before the first that is none of these.
     *
     * @param these all of them come before all others
     */
    int countFirst(Predicate<JobId> these) {
        return inOrder().countFirst(these);
    }
}
