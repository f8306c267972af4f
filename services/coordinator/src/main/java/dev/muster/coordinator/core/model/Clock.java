package dev.muster.coordinator.core.model;

import java.time.Instant;

/**
 * The pool's time, which comes from the log alone and never goes back.
 *
 * @param now max of all append times and {@code TimePassed}
 * @param tick grows with every step, and with every event that a step takes: no two events of a
 *     pool are taken at one tick
 */
public record Clock(Instant now, long tick) implements Row {
    public static final Clock START = new Clock(Instant.EPOCH, 0);

    public Clock after(Instant time) {
        return new Clock(time.isAfter(now) ? time : now, tick + 1);
    }

    @Override
    public Key key() {
        return new Key(Table.CLOCK, "");
    }
}
