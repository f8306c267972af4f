package dev.muster.coordinator.stream.replay;

import dev.muster.coordinator.core.simulation.Simulation;
import dev.muster.coordinator.stream.replay.InboxLog.Entry;
import java.util.ArrayList;

/** All that a pool hears in one simulation. */
final class SimulatedInbox {
    private static final int EVENTS = 120;

    private SimulatedInbox() {}

    static InboxLog of(long seed) {
        var entries = new ArrayList<Entry>();
        var simulation =
                new Simulation(seed, (event, now, _) -> entries.add(new Entry(now, event)));
        simulation.run(EVENTS);
        simulation.calmDown();
        return new InboxLog(entries);
    }
}
