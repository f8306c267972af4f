package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.state.Effect.PlannedPod;
import org.jspecify.annotations.Nullable;

/**
 * The newest of one pod of a job with a host list.
 *
 * @param runs how often its container was started again, as far as anybody said
 * @param end its container was seen to end: that is the rank's end, whatever starts there again
 *     unasked; null: it was not
 * @param deleting somebody deleted it before its end was seen
 * @param at when it was heard of last
 */
record PodNews(
        Pod pod, boolean isGone, int runs, PodNews.@Nullable End end, boolean deleting, long at) {
    boolean isReady() {
        return !isGone
                && !deleting
                && pod.phase() == PodPhase.RUNNING
                && pod.ready()
                && pod.main() == null;
    }

    PodNews isGone(boolean gone) {
        return new PodNews(pod, gone, runs, end, deleting, at);
    }

    /** It was seen to end, and has not begun anew for the rank since. */
    boolean isOver(PlannedPod planned) {
        return end != null && !(planned.inPlace() != end.inPlace() && runs > end.runs());
    }

    /**
     * How a container ended that may be started again.
     *
     * @param runs how often it was before
     * @param inPlace as which incarnation it ran
     */
    record End(int runs, int inPlace) {}
}
