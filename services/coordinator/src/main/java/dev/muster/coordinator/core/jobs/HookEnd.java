package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Hook;
import org.jspecify.annotations.Nullable;

/** How one try of a hook has ended. */
sealed interface HookEnd {
    /** No end of it was seen. */
    record NotYet() implements HookEnd {}

    /**
     * @param output what it left to be read
     */
    record Well(String output) implements HookEnd {}

    /**
     * @param exitCode null: none was seen
     * @param reason a code
     * @param output what it left to be read, or else what is known of its end
     */
    record Failed(@Nullable Integer exitCode, String reason, String output) implements HookEnd {}

    /** As its pod is seen now. */
    static HookEnd of(Event.Pod pod) {
        var end = pod.main();
        if (isWell(pod)) {
            return new Well(end == null ? "" : end.message());
        }
        if (end == null && pod.phase() != Event.PodPhase.FAILED) {
            return new NotYet();
        }
        var failure = Failure.of(Hook.RANK, pod);
        return end == null
                ? new Failed(null, failure.reason(), failure.message())
                : new Failed(end.exitCode(), failure.reason(), end.message());
    }

    /** Nobody told it to end, and it says so itself. */
    private static boolean isWell(Event.Pod pod) {
        var end = pod.main();
        boolean saysSo =
                end == null ? pod.phase() == Event.PodPhase.SUCCEEDED : end.exitCode() == 0;
        return saysSo && !Failure.isToldToEnd(pod, false);
    }

    /** Its pod vanished before anybody saw its end. */
    static Failed lost() {
        var failure = Failure.lost(Hook.RANK);
        return new Failed(null, failure.reason(), failure.message());
    }

    /**
     * It was not seen to end in its time.
     *
     * @param hindrance why its container did not start; null: nothing is known of that
     */
    static Failed late(Event.@Nullable Hindrance hindrance) {
        return hindrance == null
                ? new Failed(null, "DeadlineExceeded", "")
                : new Failed(null, hindrance.reason(), hindrance.message());
    }
}
