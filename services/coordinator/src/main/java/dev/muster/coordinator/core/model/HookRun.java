package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hook that has not come to its end: its command waits for it.
 *
 * @param command the number of the command
 * @param drain how long whoever leaves has once it has ended well; null: as {@code DrainTimes} has
 *     it
 * @param changed indices of the ranks that came or leave, the first ones
 * @param making its pod; null: none is ordered now
 */
public record HookRun(
        JobId job,
        long command,
        Hook hook,
        @Nullable Duration drain,
        List<Integer> changed,
        @Nullable Making making)
        implements Row {
    /** So many indices are told at most. */
    public static final int MOST_CHANGED = 1_000;

    /**
     * One try.
     *
     * @param node on which it runs, beside the rank that it is like
     * @param until by when its end must be seen
     * @param blindBefore how long in all those who will see it were blind until it was ordered
     * @param podUid null: its pod was not seen yet
     * @param at the pool's tick of the last sight
     * @param hindrance why its container did not start when it was seen last; null: nothing
     */
    public record Making(
            int attempt,
            int incarnation,
            String node,
            Instant until,
            Duration blindBefore,
            @Nullable String podUid,
            long resourceVersion,
            long at,
            Event.@Nullable Hindrance hindrance) {
        public boolean isOf(Event.PodMark mark) {
            return attempt == mark.attempt()
                    && incarnation == mark.incarnation()
                    && (podUid == null || podUid.equals(mark.podUid()));
        }

        private Making until(Instant until, Duration blindBefore) {
            return new Making(
                    attempt,
                    incarnation,
                    node,
                    until,
                    blindBefore,
                    podUid,
                    resourceVersion,
                    at,
                    hindrance);
        }

        private Making seen(Event.Pod pod, long tick) {
            return new Making(
                    attempt,
                    incarnation,
                    node,
                    until,
                    blindBefore,
                    pod.mark().podUid(),
                    pod.resourceVersion(),
                    tick,
                    pod.hindrance());
        }

        private Making at(long tick) {
            return new Making(
                    attempt,
                    incarnation,
                    node,
                    until,
                    blindBefore,
                    podUid,
                    resourceVersion,
                    tick,
                    hindrance);
        }
    }

    public HookRun {
        changed = List.copyOf(changed);
    }

    public HookRun about(List<Integer> changed) {
        return new HookRun(job, command, hook, drain, changed, making);
    }

    public HookRun with(@Nullable Making making) {
        return new HookRun(job, command, hook, drain, changed, making);
    }

    /** It has its time from now on. */
    public HookRun until(Instant until, Duration blindBefore) {
        return making == null ? this : with(making.until(until, blindBefore));
    }

    public HookRun seen(Event.Pod pod, long tick) {
        return making == null ? this : with(making.seen(pod, tick));
    }

    /** Its pod was there at this tick, too. */
    public HookRun at(long tick) {
        return making == null ? this : with(making.at(tick));
    }

    @Override
    public Key key() {
        return new Key(Table.HOOK, job.toString());
    }
}
