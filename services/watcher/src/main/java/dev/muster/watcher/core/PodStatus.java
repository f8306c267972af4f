package dev.muster.watcher.core;

import org.jspecify.annotations.Nullable;

/**
 * How a pod does.
 *
 * @param node null until it is bound
 * @param deleting a deletion timestamp is set
 * @param unschedulable the scheduler found no node for it; {@code message} is then the scheduler's
 */
public record PodStatus(
        PodPhase phase,
        String reason,
        String message,
        @Nullable String node,
        String podIp,
        boolean ready,
        boolean deleting,
        boolean unschedulable) {

    /**
     * What counts as news. The scheduler words its refusal anew at every try: only that there is
     * one counts. And a pod that has ended takes no room and can do nothing more: that it is gone
     * counts, not that it goes.
     */
    PodStatus essence() {
        var ended = phase == PodPhase.SUCCEEDED || phase == PodPhase.FAILED;
        return new PodStatus(
                phase,
                reason,
                unschedulable ? "" : message,
                node,
                podIp,
                ready,
                deleting && !ended,
                unschedulable);
    }
}
