package dev.muster.watcher.core;

/**
 * A group of pods that a backend binds together.
 *
 * @param pool of its job
 * @param phase the backend's own word
 * @param unschedulable the backend's last word is that the group cannot be bound
 * @param reason the backend's code for that
 */
public record GroupReport(
        String pool,
        Job job,
        int attempt,
        String name,
        long resourceVersion,
        String phase,
        boolean unschedulable,
        String reason,
        String message) {
    /** Another wording alone is no news: the backend finds one every second. */
    boolean tellsMoreThan(GroupReport before) {
        return !phase.equals(before.phase)
                || unschedulable != before.unschedulable
                || !reason.equals(before.reason)
                || !job.equals(before.job);
    }
}
