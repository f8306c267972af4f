package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.state.Tables;

/**
 * The stages that a round has tried in vain: while nobody gives anything back it does not try them
 * again. A new round tries all, so that no decision rests on what another one tried.
 */
final class TriedStages {
    private final Tables tables;
    private long room;
    private long quotas;
    private long came;
    private long from;

    TriedStages(Tables tables) {
        this.tables = tables;
    }

    /** A round begins. */
    void none() {
        from = Long.MIN_VALUE;
    }

    /** Tickets before this one need not be tried. */
    long from() {
        long roomNow = tables.capacity.grown();
        long quotasNow = tables.ledger.eased();
        long cameNow = tables.growing.staged.came();
        if (room != roomNow || quotas != quotasNow || came != cameNow) {
            none();
        }
        room = roomNow;
        quotas = quotasNow;
        came = cameNow;
        return from;
    }

    /** All before this one were tried. */
    void before(long ticket) {
        from = ticket;
    }

    void all() {
        from = Long.MAX_VALUE;
    }
}
