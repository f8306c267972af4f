package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.Named;
import java.time.Duration;

/** What the pool's nodes have left, of what is published of the pool. */
public final class PoolRoom {
    /** It changes with every pod, and is added up over all nodes: so long more of that gathers. */
    public static final Duration GATHER = Duration.ofSeconds(10);

    private PoolRoom() {}

    /** It has changed: once more of that has gathered, all is published. */
    public static void tell(Tables tables) {
        tables.wakings.notLater(Alarm.Kind.POOL, Named.POOL, tables.now().plus(GATHER));
    }
}
