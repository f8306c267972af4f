package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Tables;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why nobody of a queue starts, whoever is in it, in words. */
public record ShutDoors(Tables tables) {
    /** Null: they are open. */
    public @Nullable WaitReason reason(Queue queue) {
        return switch (tables.eligibility.shut(queue)) {
            case null -> null;
            case PAUSED ->
                    queue.leaving()
                            ? paused(
                                    queue,
                                    "set its paused to false, or cancel its jobs",
                                    "the queue is paused, and is deleted once its jobs have ended")
                            : paused(queue, "resume the queue", "the queue is paused");
            case UNSERVED -> {
                var spec = tables.settings().spec();
                var backend = spec.backing().backend().name().toLowerCase(Locale.ROOT);
                yield ofPool(
                        "the kinds of %s in the cluster, and a pod-manager that finds them"
                                .formatted(backend),
                        "no pod-manager has found the kinds of the pool's backend %s"
                                .formatted(backend));
            }
            case NO_NODES ->
                    ofPool(
                            "a node of the pool, and a watcher that reports it",
                            "no node of the pool is known");
        };
    }

    private WaitReason paused(Queue queue, String remedy, String message) {
        return WaitReason.told(Code.QUEUE_PAUSED, queue.name(), tables.now(), remedy, message);
    }

    private WaitReason ofPool(String remedy, String message) {
        var pool = String.valueOf(tables.settings().name());
        return WaitReason.told(Code.POOL_UNAVAILABLE, pool, tables.now(), remedy, message);
    }
}
