package dev.muster.coordinator.core.model;

/** One piece of a pool's state. All rows together are the whole state; none grows with a gang. */
public sealed interface Row
        permits Clock,
                Settings,
                EndedJob,
                Queue,
                Job,
                Node,
                Suspicion,
                HookRun,
                Others,
                NamespaceQuota,
                Rank,
                Throughput,
                Hold,
                Hold.Room,
                Source,
                Alarm,
                Bulk,
                Waiting,
                Sweep,
                UntoldEnd,
                SettingsAnswer {

    /** Which row: a later one of the same key replaces it. */
    record Key(Table table, String id) {}

    /** In the order in which {@code Pool.restore} needs them. */
    enum Table {
        CLOCK,
        SETTINGS,
        ENDED,
        QUEUE,
        SUSPICION,
        JOB,
        THROUGHPUT,
        NODE,
        HOOK,
        OTHERS,
        NAMESPACE,
        RANK,
        HOLD,
        SOURCE,
        HOLD_ROOM,
        ALARM,
        BULK,
        WAITING,
        SWEEP,
        UNTOLD,
        ANSWER
    }

    Key key();
}
