package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.simulation.Piece.Later;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Pools and queues that have other rules than those that somebody asked for.
 *
 * @param pools what a pool has instead
 * @param queues what a queue has instead
 */
record OtherRules(UnaryOperator<PoolSpec> pools, UnaryOperator<QueueSpec> queues) {
    /** The event with the other rules, all of which are put. */
    Event of(Event event) {
        return switch (event) {
            case Event.PoolPut(var name, var spec, var request) ->
                    new Event.PoolPut(name, pools.apply(spec), request);
            case Event.PoolChange(var name, var spec, _, var request) ->
                    new Event.PoolPut(name, pools.apply(spec), request);
            case Event.QueuePut(var name, var spec, var request) ->
                    new Event.QueuePut(name, queues.apply(spec), request);
            case Event.QueueChange(var name, var spec, _, _, var request) ->
                    new Event.QueuePut(name, queues.apply(spec), request);
            default -> event;
        };
    }

    /** The pool with another preemption. */
    static PoolSpec with(PoolSpec spec, PoolSpec.Preemption preemption) {
        return new PoolSpec(
                spec.nodeSelector(),
                spec.policy(),
                preemption,
                spec.priorities(),
                spec.spot(),
                spec.backing(),
                spec.notices(),
                spec.nodeHealth());
    }

    /** The queue without quotas, whose first job is soon given room. */
    static QueueSpec impatient(QueueSpec spec, Duration reserveAfter) {
        var order = spec.order();
        var soon =
                new QueueSpec.Order(
                        order.kind(), order.defaultPriority(), order.backfill(), reserveAfter);
        return QueueSpecs.with(QueueSpecs.with(spec, soon), Quota.NONE);
    }

    /** These queues are put at once after the pool, so that they have the other rules, too. */
    static List<Later> echoes(Event told, String... queues) {
        return told instanceof Event.PoolPut
                ? Stream.of(queues)
                        .map(name -> new Event.QueuePut(name, QueueSpecs.QUEUE, null))
                        .map(put -> new Later(0, put))
                        .toList()
                : List.of();
    }
}
