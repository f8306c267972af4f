package dev.muster.podmanager.core;

import java.time.Duration;

/** How long to wait before the next try: the double of the last time, up to a most. */
public record Backoff(Duration initial, Duration max) {
    /**
     * How long after that many failures.
     *
     * @param failures how many tries failed one after the other, 1 or more
     */
    public Duration after(int failures) {
        var wait = initial;
        for (int i = 1; i < failures && wait.compareTo(max) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(max) < 0 ? wait : max;
    }
}
