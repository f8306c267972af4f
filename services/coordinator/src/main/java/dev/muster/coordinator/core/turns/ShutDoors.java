package dev.muster.coordinator.core.turns;

import static java.util.stream.Collectors.joining;

import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Tables;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
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
            case NO_NODES -> ofPool(node(), "no node of the pool is known");
        };
    }

    /** What would be one of the pool's: the watcher chooses by these. */
    private String node() {
        var labels = tables.settings().spec().nodeSelector();
        var node =
                labels.isEmpty()
                        ? "a node that no pool with a nodeSelector has, nor one without and with a"
                                + " lower number"
                        : "a node with the labels %s that no pool with a nodeSelector and a lower number has"
                                .formatted(labels(labels));
        return node + "; and a watcher that reports it";
    }

    private static String labels(SortedMap<String, String> labels) {
        return labels.entrySet().stream().map(Map.Entry::toString).collect(joining(", "));
    }

    private WaitReason paused(Queue queue, String remedy, String message) {
        return WaitReason.told(Code.QUEUE_PAUSED, queue.name(), tables.now(), remedy, message);
    }

    private WaitReason ofPool(String remedy, String message) {
        var pool = String.valueOf(tables.settings().name());
        return WaitReason.told(Code.POOL_UNAVAILABLE, pool, tables.now(), remedy, message);
    }
}
