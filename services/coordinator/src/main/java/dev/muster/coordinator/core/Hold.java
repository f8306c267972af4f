package dev.muster.coordinator.core;

import java.time.Instant;

/**
 * The pool's one hold: a head that has waited long gets the next room on the nodes of its {@link
 * Room}s.
 *
 * @param since the pool's time
 * @param preempts others are being ended for it; if not, that is looked at again at {@code
 *     nextLook}
 */
public record Hold(JobId job, Instant since, boolean preempts, Instant nextLook) implements Row {
    Hold looked(Instant next) {
        return new Hold(job, since, preempts, next);
    }

    Hold preempting() {
        return new Hold(job, since, true, nextLook);
    }

    @Override
    public Key key() {
        return new Key(Table.HOLD, "");
    }

    /** What is held for it on one node. */
    public record Room(String node, Amounts amounts) implements Row {
        @Override
        public Key key() {
            return new Key(Table.HOLD_ROOM, node);
        }
    }
}
