package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.same;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.schemas.Topics;
import dev.muster.v1.Backend;
import dev.muster.v1.Capacity;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import dev.muster.v1.Preemption;
import dev.muster.v1.QueueOrder;
import dev.muster.v1.QueuePolicy;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.QueueState;
import dev.muster.v1.SuspectNode;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.Toleration;
import dev.muster.v1.TolerationOperator;
import java.util.ArrayList;

/** Queues and pools as they are now. */
final class OutboundQueues {
    private final Origin origin;
    private final Envelopes envelopes;

    OutboundQueues(Origin origin, Envelopes envelopes) {
        this.origin = origin;
        this.envelopes = envelopes;
    }

    Output queue(Effect.QueueState state) {
        var queue = state.queue();
        var reason = queue.reason();
        var value =
                QueueState.newBuilder()
                        .setEnvelope(envelopes.plain())
                        .setName(queue.name())
                        .setSpec(spec(queue.spec()))
                        .setWaiting(state.waiting())
                        .setRunning(state.running())
                        .setReason(reason == null ? null : OutboundReasons.reason(reason))
                        .setUsed(state.used().byName())
                        .setBorrowed(queue.spec().quota().borrowed(state.used()).byName())
                        .setInLine(state.inLine())
                        .setOldestInLine(state.oldestInLine())
                        .setLeaving(queue.leaving())
                        .build();
        return new Output(Topics.QUEUES, queue.name(), value);
    }

    private QueueSpec spec(dev.muster.coordinator.core.model.QueueSpec spec) {
        var doors = spec.doors();
        var quota = spec.quota();
        return QueueSpec.newBuilder()
                .setPool(origin.pool())
                .setWeight(spec.weight())
                .setPaused(doors.paused())
                .setDraining(doors.draining())
                .setMaxWaiting(doors.maxWaiting())
                .setMaxRunning(doors.limitsRunning() ? doors.maxRunning() : null)
                .setNamespaces(new ArrayList<>(doors.namespaces()))
                .setOrder(same(QueueOrder.class, spec.order().kind()))
                .setDefaultPriority(spec.order().defaultPriority())
                .setBackfill(spec.order().backfill())
                .setReserveAfterMillis(spec.order().reserveAfter().toMillis())
                .setGuaranteed(quota.guaranteed().byName())
                .setLimit(quota.limit())
                .setBorrowing(quota.borrowing())
                .setBorrowLimit(quota.borrowLimit())
                .setLendLimit(quota.lendLimit())
                .setGroup(quota.group())
                .build();
    }

    Output pool(Effect.PoolState state) {
        var spec = state.spec();
        var value =
                PoolState.newBuilder()
                        .setEnvelope(envelopes.plain())
                        .setName(state.name())
                        .setNumber(origin.partition())
                        .setSpec(
                                PoolSpec.newBuilder()
                                        .setNumber(origin.partition())
                                        .setNodeSelector(spec.nodeSelector())
                                        .setBackend(same(Backend.class, spec.backing().backend()))
                                        .setCapacity(
                                                spec.backing().delegated()
                                                        ? Capacity.DELEGATED
                                                        : Capacity.OBSERVED)
                                        .setBackendQueue(spec.backing().queue())
                                        .setPolicy(same(QueuePolicy.class, spec.policy()))
                                        .setPreemption(
                                                same(Preemption.class, spec.preemption().mode()))
                                        .setMinimumRunMillis(
                                                spec.preemption().minimumRun().toMillis())
                                        .setPreemptionBudget(spec.preemption().budget())
                                        .setPriorityClasses(spec.priorities().classes())
                                        .setAgingStepMillis(
                                                spec.priorities().agingStep().toMillis())
                                        .setAgingMost(spec.priorities().agingMost())
                                        .setSpotSelector(spec.spot().selector())
                                        .setSpotTolerations(
                                                spec.spot().tolerations().stream()
                                                        .map(OutboundQueues::toleration)
                                                        .toList())
                                        .setNoticeTaints(spec.notices().taints())
                                        .setNoticeConditions(spec.notices().conditions())
                                        .setNoticeAnnotations(spec.notices().annotations())
                                        .setNodeHealthHalfLifeMillis(
                                                spec.nodeHealth().halfLife().toMillis())
                                        .setNodeHealthExcludeAt(spec.nodeHealth().excludeAt())
                                        .build())
                        .setRecreates(state.recreates())
                        .setNodes(state.nodes().known())
                        .setReadyNodes(state.nodes().ready())
                        .setAllocatable(state.nodes().allocatable().byName())
                        .setFree(state.nodes().free().byName())
                        .setSuspects(state.suspect())
                        .setSuspectNodes(
                                state.suspects().stream()
                                        .map(suspicion -> suspect(suspicion, spec.nodeHealth()))
                                        .toList())
                        .build();
        return new Output(Topics.POOLS, state.name(), value);
    }

    private static SuspectNode suspect(
            Suspicion suspicion, dev.muster.coordinator.core.model.PoolSpec.NodeHealth rule) {
        return SuspectNode.newBuilder()
                .setName(suspicion.node())
                .setExcluded(suspicion.trust() == Node.Trust.EXCLUDED)
                .setWeight(suspicion.weight())
                .setAt(suspicion.at())
                .setUntil(suspicion.until(rule))
                .setLastFailure(suspicion.last())
                .setReason(suspicion.reason())
                .setMessage(suspicion.message())
                .build();
    }

    static Toleration toleration(NodeFilter.Toleration toleration) {
        var effect = toleration.effect();
        return Toleration.newBuilder()
                .setKey(toleration.key())
                .setOperator(
                        toleration.exists() ? TolerationOperator.EXISTS : TolerationOperator.EQUAL)
                .setValue(toleration.value())
                .setEffect(effect == null ? null : same(TaintEffect.class, effect))
                .build();
    }
}
