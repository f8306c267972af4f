package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.model.Scaling;

/** Commands that make a role larger, as promises of host lists look at them. */
final class Growths {
    private Growths() {}

    /** Whoever comes by it comes into the list when all have. */
    static boolean isTogether(Scaling scaling) {
        return scaling.to() > scaling.from()
                && scaling.atomic()
                && (!scaling.isOver() || scaling.stage() == Scaling.Stage.SUPERSEDED);
    }

    /** It took the place of the other, and what that one brought counts for it. */
    static boolean isHeir(Scaling before, Scaling next) {
        return before.stage() == Scaling.Stage.SUPERSEDED
                && before.role().equals(next.role())
                && before.to() > before.from()
                && next.to() > next.from();
    }
}
