package dev.muster.coordinator.core;

import java.time.Instant;

/** Waiting jobs of a queue that differ only by age, the oldest first. */
final class Line {
    private final Likeness likeness;
    final Tickets jobs = new Tickets();

    /** When its head was submitted. */
    Instant oldest = Instant.EPOCH;

    /** It is one of the first of its queue, as last asked for. */
    boolean isFirst;

    /** Of use only while that is found out. */
    boolean stays;

    /** What its jobs have in common. */
    record Likeness(Shape shape, Use use, int priority, String namespace) {}

    Line(Likeness likeness) {
        this.likeness = likeness;
    }

    Likeness likeness() {
        return likeness;
    }

    Shape shape() {
        return likeness.shape();
    }

    int priority() {
        return likeness.priority();
    }

    long ticket() {
        return jobs.first();
    }

    JobId head() {
        return jobs.firstJob();
    }

    int size() {
        return jobs.size();
    }
}
