package dev.muster.coordinator.core.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A command that changes the size of a job's elastic role: what it asked for, and what became of
 * it.
 *
 * @param number the job's event that told of it first: no other command of the job has it
 * @param id of the request; empty: it had none
 * @param from the size that was wished before
 * @param to the size that it wishes
 * @param atomic what it added is given back as a whole where one of it fails
 * @param deadline by when it must have come to its end; null: it has all the time
 * @param reason a code; empty: there is nothing to say
 * @param message one sentence for people
 * @param since when it came to this stage
 * @param hook how far its hook has come; null: none was begun
 * @param awaited what it wishes was wished before, and not all of it ran
 * @param listed all of it was ready, and comes into its job's host list, if it has one
 */
public record Scaling(
        long number,
        String id,
        String role,
        int from,
        int to,
        boolean atomic,
        @Nullable Instant deadline,
        Stage stage,
        String reason,
        String message,
        Instant since,
        @Nullable Hooked hook,
        boolean awaited,
        boolean listed) {

    /** How far it has come; the last four are ends, of which it has exactly one. */
    public enum Stage {
        /** For room, or for what its job is asked to save before. */
        WAITING,
        /** Pods are coming, or going. */
        SCALING,
        SUCCEEDED,
        FAILED,
        /** A later command took its place. */
        SUPERSEDED,
        /** The job ended before it did, or somebody has taken it back. */
        CANCELLED
    }

    public boolean isOver() {
        return switch (stage) {
            case WAITING, SCALING -> false;
            case SUCCEEDED, FAILED, SUPERSEDED, CANCELLED -> true;
        };
    }

    /** It has succeeded when its size runs. */
    public boolean isGrowth() {
        return brings() || awaited;
    }

    /** What is added is its own. */
    public boolean brings() {
        return to > from;
    }

    public Scaling at(Stage next, String reason, String message, Instant now) {
        return new Scaling(
                number, id, role, from, to, atomic, deadline, next, reason, message, now, hook,
                awaited, listed);
    }

    public Scaling with(@Nullable Hooked next) {
        return new Scaling(
                number, id, role, from, to, atomic, deadline, stage, reason, message, since, next,
                awaited, listed);
    }

    public Scaling listed(boolean isListed) {
        return new Scaling(
                number, id, role, from, to, atomic, deadline, stage, reason, message, since, hook,
                awaited, isListed);
    }

    /** What it brings is in the host list, since all of it was ready. */
    public boolean isListed() {
        return listed || hook != null;
    }

    /** The command by which a rank of this role comes that is placed now; 0: none. */
    public static long bringer(Job job, String role) {
        var scaling = underWay(job);
        return scaling != null && scaling.brings() && scaling.role().equals(role)
                ? scaling.number()
                : 0;
    }

    /** All that a role lacks comes together, or none of it. */
    public static boolean isAtomic(Job job, String role) {
        var scaling = underWay(job);
        return scaling != null
                && scaling.brings()
                && scaling.atomic()
                && scaling.role().equals(role);
    }

    public static boolean isUnderWay(Job job) {
        return underWay(job) != null;
    }

    /** Null: none is. */
    public static @Nullable Scaling underWay(Job job) {
        var scaling = job.past().scaling();
        return scaling == null || scaling.isOver() ? null : scaling;
    }
}
