package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.PoolNodes;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Selector;
import dev.muster.v1.Backend;
import dev.muster.v1.BulkChanged;
import dev.muster.v1.Capacity;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.PoolState;
import dev.muster.v1.Preemption;
import dev.muster.v1.QueueOrder;
import dev.muster.v1.QueueState;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.Toleration;
import dev.muster.v1.TolerationOperator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each field of what operators set comes to its place, there and back. */
class InboundQueuesTest {
    private static final int NUMBER = 5;

    private static final dev.muster.v1.QueueSpec QUEUE =
            dev.muster.v1.QueueSpec.newBuilder()
                    .setPool("gpu")
                    .setWeight(2)
                    .setPaused(true)
                    .setBackfill(false)
                    .setMaxWaiting(3)
                    .setGuaranteed(Map.of("cpu", 4L))
                    .setLimit(Map.of("cpu", 5L))
                    .setBorrowing(false)
                    .setBorrowLimit(Map.of("cpu", 6L))
                    .setLendLimit(Map.of("cpu", 7L))
                    .setMaxRunning(8)
                    .setOrder(QueueOrder.FIFO)
                    .setReserveAfterMillis(9)
                    .setDefaultPriority(10)
                    .setNamespaces(List.of("ml", "nlp"))
                    .setGroup("research")
                    .setDraining(true)
                    .build();

    private static final dev.muster.v1.PoolSpec POOL =
            dev.muster.v1.PoolSpec.newBuilder()
                    .setNumber(NUMBER)
                    .setNodeSelector(Map.of("zone", "a"))
                    .setBackend(Backend.VOLCANO)
                    .setCapacity(Capacity.DELEGATED)
                    .setBackendQueue("theirs")
                    .setPolicy(dev.muster.v1.QueuePolicy.DOMINANT_SHARE)
                    .setPreemption(Preemption.BORROWERS)
                    .setMinimumRunMillis(2)
                    .setPreemptionBudget(4)
                    .setPriorityClasses(Map.of("high", 5))
                    .setAgingStepMillis(6)
                    .setAgingMost(7)
                    .setSpotSelector(Map.of("spot", "yes"))
                    .setSpotTolerations(
                            List.of(
                                    new Toleration(
                                            "spot",
                                            TolerationOperator.EXISTS,
                                            "yes",
                                            TaintEffect.NO_EXECUTE)))
                    .setNoticeTaints(List.of("taint"))
                    .setNoticeConditions(List.of("condition"))
                    .setNoticeAnnotations(List.of("annotation"))
                    .setNodeHealthHalfLifeMillis(8)
                    .setNodeHealthExcludeAt(9)
                    .build();

    private final Outbound outbound =
            new Outbound(
                    new Origin("gpu", NUMBER, 42, "cause-1"),
                    Instant.EPOCH,
                    _ -> workers(1),
                    _ -> null);

    /** Of which pool a queue is and where a pool has its inbox are no matter to decisions. */
    @Test
    void noOtherFieldThanTheseIsPassedOver() {
        assertThat(Ignored.fields(InboundQueues::queue, List.of(QUEUE))).containsExactly("pool");
        assertThat(Ignored.fields(InboundQueues::pool, List.of(POOL))).containsExactly("number");
    }

    @Test
    void queuesComeToThePool() {
        assertThat(InboundQueues.queue(QUEUE))
                .isEqualTo(
                        new QueueSpec(
                                2,
                                new QueueSpec.Doors(
                                        true, true, 3, 8, new TreeSet<>(List.of("ml", "nlp"))),
                                new QueueSpec.Order(
                                        QueueSpec.Kind.FIFO, 10, false, Duration.ofMillis(9)),
                                new Quota(
                                        Amounts.of(Map.of("cpu", 4L)),
                                        new TreeMap<>(Map.of("cpu", 5L)),
                                        false,
                                        new TreeMap<>(Map.of("cpu", 6L)),
                                        new TreeMap<>(Map.of("cpu", 7L)),
                                        "research")));
    }

    @Test
    void andAreToldAsTheyCame() {
        var queue = new Queue("team-a", InboundQueues.queue(QUEUE), 0, null, true, null);
        var noon = Instant.parse("2026-01-01T12:00:00Z");
        var used = Amounts.of(Map.of("cpu", 7L, "memory", 1L));
        var told = outbound.records(new Effect.QueueState(queue, 1, 2, 1, noon, used));
        var state = (QueueState) told.getFirst().value();
        assertThat(state.getSpec()).isEqualTo(QUEUE);
        assertThat(state.getInLine()).isEqualTo(1);
        assertThat(state.getOldestInLine()).isEqualTo(noon);
        assertThat(state.getBorrowed()).isEqualTo(Map.of("cpu", 3L));
        assertThat(state.getLeaving()).isTrue();
    }

    @Test
    void poolsComeToThePool() {
        var toleration = new NodeFilter.Toleration("spot", true, "yes", Node.Effect.NO_EXECUTE);
        assertThat(InboundQueues.pool(POOL))
                .isEqualTo(
                        new PoolSpec(
                                new TreeMap<>(Map.of("zone", "a")),
                                QueuePolicy.DOMINANT_SHARE,
                                new PoolSpec.Preemption(
                                        PoolSpec.Mode.BORROWERS, Duration.ofMillis(2), 4),
                                new PoolSpec.Priorities(
                                        new TreeMap<>(Map.of("high", 5)), Duration.ofMillis(6), 7),
                                new PoolSpec.Spot(
                                        new TreeMap<>(Map.of("spot", "yes")), List.of(toleration)),
                                new PoolSpec.Backing(PoolSpec.Backend.VOLCANO, true, "theirs"),
                                new PoolSpec.Notices(
                                        List.of("taint"),
                                        List.of("condition"),
                                        List.of("annotation")),
                                new PoolSpec.NodeHealth(Duration.ofMillis(8), 9)));
    }

    @Test
    void andAreToldAsTheyCameTooWithTheirNodes() {
        var nodes =
                new PoolNodes(
                        14, 12, Amounts.of(Map.of("cpu", 4000L)), Amounts.of(Map.of("cpu", 500L)));
        var pool = InboundQueues.pool(POOL);
        var told = outbound.records(new Effect.PoolState("gpu", pool, List.of(), 0, false, nodes));
        var state = (PoolState) told.getFirst().value();
        assertThat(state.getSpec()).isEqualTo(POOL);
        assertThat(state.getNodes()).isEqualTo(14);
        assertThat(state.getReadyNodes()).isEqualTo(12);
        assertThat(state.getAllocatable()).isEqualTo(Map.of("cpu", 4000L));
        assertThat(state.getFree()).isEqualTo(Map.of("cpu", 500L));
    }

    @Test
    void whomABulkChangeMeansComesToThePool() {
        var change = JobChange.newBuilder().setKind(JobChangeKind.RESUME).build();
        var bulk = new BulkChanged("q", Map.of("team", "x"), "ml", change);
        assertThat(InboundQueues.selector(bulk))
                .isEqualTo(new Selector("q", "ml", new TreeMap<>(Map.of("team", "x"))));
        assertThat(InboundQueues.change(change)).isEqualTo(new Change.Resume());
    }
}
