package dev.muster.coordinator.core.queue;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Use;
import java.time.Instant;

/** Waiting jobs of a queue that differ only by age, the oldest first. */
public final class Line {
    private final Likeness likeness;
    final Tickets jobs = new Tickets();

    /** When its head was submitted. */
    Instant oldest = Instant.EPOCH;

    /** It is one of the first of its queue, as last asked for. */
    public boolean isFirst;

    /** Of use only while that is found out. */
    boolean stays;

    /** What its jobs have in common. */
    public record Likeness(Shape shape, Use use, int priority, String namespace) {}

    Line(Likeness likeness) {
        this.likeness = likeness;
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

    public long ticket() {
        return jobs.first();
    }

    public JobId head() {
        return jobs.firstJob();
    }

    public int size() {
        return jobs.size();
    }
}
