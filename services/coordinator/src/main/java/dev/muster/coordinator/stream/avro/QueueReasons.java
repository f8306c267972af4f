package dev.muster.coordinator.stream.avro;

import dev.muster.coordinator.core.model.WaitReason;
import org.jspecify.annotations.Nullable;

/** What held for whole queues before the event whose effects are published. */
@FunctionalInterface
public interface QueueReasons {
    /** Null: nothing, or there was no such queue. */
    @Nullable WaitReason of(String queue);
}
