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

    /** The scheduler words its refusal anew at every try: only that there is one counts as news. */
    PodStatus withoutTheSchedulersWords() {
        return unschedulable
                ? new PodStatus(phase, reason, "", node, podIp, ready, deleting, true)
                : this;
    }
}
