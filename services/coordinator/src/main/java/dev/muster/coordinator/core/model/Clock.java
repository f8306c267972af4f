package dev.muster.coordinator.core.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The pool's time, which comes from the log alone and never goes back.
 *
 * @param now max of all append times and {@code TimePassed}
 * @param tick grows with every step, and with every event that a step takes: no two events of a
 *     pool are taken at one tick
 * @param looked when a round was over last: what may start was looked at as of then; null: never
 */
public record Clock(Instant now, long tick, @Nullable Instant looked) implements Row {
    public static final Clock START = new Clock(Instant.EPOCH, 0, null);

    public Clock after(Instant time) {
        return new Clock(time.isAfter(now) ? time : now, tick + 1, looked);
    }

    /** A round is over. */
    public Clock look() {
        return new Clock(now, tick, now);
    }

    @Override
    public Key key() {
        return new Key(Table.CLOCK, "");
    }
}
