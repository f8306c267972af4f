package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.required;
import static dev.muster.coordinator.stream.avro.Fields.same;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Selector;
import dev.muster.v1.Backend;
import dev.muster.v1.BulkChanged;
import dev.muster.v1.Capacity;
import dev.muster.v1.JobChange;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What operators set of queues and pools, and what is asked of many jobs at once. */
final class InboundQueues {
    private InboundQueues() {}

    static QueueSpec queue(dev.muster.v1.QueueSpec spec) {
        var most = spec.getMaxRunning();
        return new QueueSpec(
                spec.getWeight(),
                new QueueSpec.Doors(
                        spec.getPaused(),
                        spec.getDraining(),
                        spec.getMaxWaiting(),
                        most == null ? QueueSpec.Doors.UNLIMITED : most,
                        new TreeSet<>(spec.getNamespaces())),
                new QueueSpec.Order(
                        same(QueueSpec.Kind.class, spec.getOrder()),
                        spec.getDefaultPriority(),
                        spec.getBackfill(),
                        Duration.ofMillis(spec.getReserveAfterMillis())),
                new Quota(
                        Amounts.of(spec.getGuaranteed()),
                        sorted(spec.getLimit()),
                        spec.getBorrowing(),
                        sorted(spec.getBorrowLimit()),
                        sorted(spec.getLendLimit()),
                        spec.getGroup()));
    }

    private static SortedMap<String, Long> sorted(@Nullable Map<String, Long> amounts) {
        return amounts == null ? new TreeMap<>() : new TreeMap<>(amounts);
    }

    static PoolSpec pool(dev.muster.v1.PoolSpec spec) {
        return new PoolSpec(
                new TreeMap<>(spec.getNodeSelector()),
                same(QueuePolicy.class, spec.getPolicy()),
                new PoolSpec.Preemption(
                        same(PoolSpec.Mode.class, spec.getPreemption()),
                        Duration.ofMillis(spec.getMinimumRunMillis()),
                        spec.getPreemptionBudget()),
                new PoolSpec.Priorities(
                        new TreeMap<>(spec.getPriorityClasses()),
                        Duration.ofMillis(spec.getAgingStepMillis()),
                        spec.getAgingMost()),
                new PoolSpec.Spot(
                        new TreeMap<>(spec.getSpotSelector()),
                        spec.getSpotTolerations().stream().map(InboundNodes::toleration).toList()),
                new PoolSpec.Backing(
                        same(PoolSpec.Backend.class, spec.getBackend()),
                        spec.getBackend() != Backend.NONE
                                && spec.getCapacity() == Capacity.DELEGATED,
                        spec.getBackendQueue()),
                new PoolSpec.Notices(
                        spec.getNoticeTaints(),
                        spec.getNoticeConditions(),
                        spec.getNoticeAnnotations()),
                new PoolSpec.NodeHealth(
                        Duration.ofMillis(spec.getNodeHealthHalfLifeMillis()),
                        spec.getNodeHealthExcludeAt()));
    }

    static Selector selector(BulkChanged bulk) {
        return new Selector(bulk.getQueue(), bulk.getNamespace(), new TreeMap<>(bulk.getLabels()));
    }

    static Change change(JobChange change) {
        var millis = change.getGracePeriodMillis();
        var grace = millis == null ? null : Duration.ofMillis(millis);
        return switch (change.getKind()) {
            case CANCEL -> new Change.Cancel(grace, change.getMessage());
            case HOLD -> new Change.Hold(change.getMessage());
            case RELEASE -> new Change.Release();
            case SET_PRIORITY ->
                    new Change.Prioritise(required(change.getPriority(), "change.priority"));
            case MOVE -> new Change.Move(required(change.getQueue(), "change.queue"));
            case SUSPEND -> new Change.Suspend(grace, change.getMessage());
            case RESUME -> new Change.Resume();
            case FORCE_DELETE -> new Change.ForceDelete();
            case INCLUDE_NODE -> new Change.Include(change.getNode());
            case SCALE -> InboundJobs.scale(required(change.getScale(), "change.scale"));
            case UNKNOWN -> throw new UnusableEventException("change.kind is not known here");
        };
    }
}
