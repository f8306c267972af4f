package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.queue.Lines;
import dev.muster.coordinator.core.state.Tables;

/**
 * A job that made room or left its node is back in its place in the queue. While it stopped nobody
 * saw it there: where the pool's hold went to one behind it, of lower priority, that would start
 * first and might be ended for it at once, and so gives the hold up.
 */
final class HoldYield {
    private HoldYield() {}

    /**
     * @param before where it stood until now
     */
    static void follow(Tables tables, Job job, JobState before) {
        var holder = tables.holdingJob();
        boolean isBack = before instanceof Stopping && job.state().takesPart();
        if (isBack && holder != null && isBefore(tables, job, holder)) {
            tables.endHold();
        }
    }

    /** In the order of their queue, and by priority, too: it was not ended for that one. */
    private static boolean isBefore(Tables tables, Job job, Job holder) {
        var queue = tables.queue(job.spec().queue());
        if (queue == null
                || !holder.spec().queue().equals(queue.name())
                || job.spec().place().priority() <= holder.spec().place().priority()) {
            return false;
        }
        var order = Lines.Order.of(queue, tables.settings().spec().priorities(), tables.now());
        return order.of(job).compareTo(order.of(holder)) < 0;
    }
}
