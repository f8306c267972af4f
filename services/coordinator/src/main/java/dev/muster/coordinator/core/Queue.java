package dev.muster.coordinator.core;

import org.jspecify.annotations.Nullable;

/**
 * A queue of the pool.
 *
 * @param credit what smooth weighted round robin owes it
 * @param reason what holds for every job of it; null: nothing
 */
public record Queue(String name, QueueSpec spec, long credit, @Nullable WaitReason reason)
        implements Row {
    Queue with(QueueSpec spec) {
        return new Queue(name, spec, credit, reason);
    }

    Queue credited(long credit) {
        return new Queue(name, spec, credit, reason);
    }

    Queue because(@Nullable WaitReason reason) {
        return new Queue(name, spec, credit, reason);
    }

    @Override
    public Key key() {
        return new Key(Table.QUEUE, name);
    }
}
