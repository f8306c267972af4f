package dev.muster.schemas.trainjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.trainjob.Form.Read;
import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.schemas.trainjob.SettingsForm.Setting;
import dev.muster.v1.Backend;
import dev.muster.v1.Capacity;
import dev.muster.v1.Envelope;
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
import dev.muster.v1.WaitReason;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class SettingsDocumentTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Envelope ENVELOPE =
            Envelope.newBuilder().setId("0-1/0").setAt(NOON).setActor("test").build();
    private static final QueueSpec FULL_QUEUE =
            QueueSpec.newBuilder()
                    .setPool("gpus")
                    .setWeight(3)
                    .setPaused(true)
                    .setBackfill(false)
                    .setMaxWaiting(10)
                    .setGuaranteed(Map.of("cpu", 1500L, "nvidia.com/gpu", 8L))
                    .setLimit(Map.of("cpu", 20_000L, "memory", 16L << 30))
                    .setBorrowing(false)
                    .setBorrowLimit(Map.of("cpu", 0L))
                    .setLendLimit(Map.of("nvidia.com/gpu", 4L))
                    .setMaxRunning(7)
                    .setOrder(QueueOrder.FIFO)
                    .setReserveAfterMillis(90_000)
                    .setDefaultPriority(-5)
                    .setNamespaces(List.of("ml", "vision"))
                    .setGroup("research")
                    .setDraining(true)
                    .build();
    private static final PoolSpec FULL_POOL =
            PoolSpec.newBuilder()
                    .setNumber(3)
                    .setNodeSelector(Map.of("accelerator", "1"))
                    .setBackend(Backend.VOLCANO)
                    .setCapacity(Capacity.DELEGATED)
                    .setBackendQueue("muster")
                    .setPolicy(QueuePolicy.DOMINANT_SHARE)
                    .setPreemption(Preemption.LOWER_PRIORITY)
                    .setMinimumRunMillis(0)
                    .setPreemptionBudget(1)
                    .setPriorityClasses(Map.of("train-high", 1000, "train.low", -1000))
                    .setAgingStepMillis(60_000)
                    .setAgingMost(10)
                    .setSpotSelector(Map.of("spot", "true"))
                    .setNoticeTaints(List.of("leaves"))
                    .setNoticeConditions(List.of())
                    .setNoticeAnnotations(List.of("example.com/leaves", "b"))
                    .setNodeHealthHalfLifeMillis(5_400_000)
                    .setNodeHealthExcludeAt(3)
                    .setSpotTolerations(
                            List.of(
                                    new Toleration("spot", TolerationOperator.EXISTS, "", null),
                                    new Toleration(
                                            "kind",
                                            TolerationOperator.EQUAL,
                                            "spot",
                                            TaintEffect.NO_SCHEDULE)))
                    .build();

    @ParameterizedTest
    @MethodSource
    void whatIsWrittenIsReadAsItWas(Setting setting) {
        var json = JSON.writeValueAsString(SettingsDocument.of(setting));
        assertThat(SettingsForm.read(json)).isEqualTo(new Read<>(List.of(setting)));
    }

    static List<Setting> whatIsWrittenIsReadAsItWas() {
        return List.of(
                new QueueSetting("plain", QueueSpec.newBuilder().build()),
                new QueueSetting("full", FULL_QUEUE),
                new QueueSetting(
                        "switched",
                        QueueSpec.newBuilder().build(),
                        new TreeSet<>(Set.of("paused"))),
                new PoolSetting("plain", PoolSpec.newBuilder().build()),
                new PoolSetting("full", FULL_POOL));
    }

    /** So that a field that is added is neither forgotten here nor in the form. */
    @Test
    void examplesDifferFromTheDefaultInEveryField() {
        var queue = QueueSpec.newBuilder().build();
        for (var field : queue.getSchema().getFields()) {
            assertThat(FULL_QUEUE.get(field.pos()))
                    .as(field.name())
                    .isNotEqualTo(queue.get(field.pos()));
        }
        var pool = PoolSpec.newBuilder().build();
        for (var field : pool.getSchema().getFields()) {
            assertThat(FULL_POOL.get(field.pos()))
                    .as(field.name())
                    .isNotEqualTo(pool.get(field.pos()));
        }
    }

    @Test
    void aQueueAsItIsShowsWhatItUsesAndMayBeSentBack() {
        var state =
                QueueState.newBuilder()
                        .setEnvelope(ENVELOPE)
                        .setName("research")
                        .setSpec(QueueSpec.newBuilder().setWeight(3).build())
                        .setWaiting(2)
                        .setRunning(1)
                        .setInLine(1)
                        .setOldestInLine(NOON)
                        .setUsed(Map.of("cpu", 2500L, "memory", 1L << 30))
                        .setBorrowed(Map.of("cpu", 500L))
                        .setReason(
                                WaitReason.newBuilder()
                                        .setCode("QueuePaused")
                                        .setSince(NOON)
                                        .setMessage("it is paused")
                                        .build())
                        .build();
        var document = SettingsDocument.of(state);
        assertThat(document.get("status"))
                .isEqualTo(
                        Map.of(
                                "waiting",
                                2,
                                "running",
                                1,
                                "inLine",
                                1,
                                "oldestInLine",
                                "2026-01-01T12:00:00Z",
                                "used",
                                Map.of("cpu", "2500m", "memory", "1Gi"),
                                "borrowed",
                                Map.of("cpu", "500m"),
                                "reason",
                                Map.of(
                                        "code", "QueuePaused",
                                        "message", "it is paused",
                                        "since", "2026-01-01T12:00:00Z")));
        assertThat(SettingsForm.read(JSON.writeValueAsString(document)))
                .isEqualTo(new Read<>(List.of(new QueueSetting("research", state.getSpec()))));
    }

    @Test
    void aPoolAsItIsShowsItsNumber() {
        assertThat(SettingsDocument.of(pool().build()).get("spec"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                .containsEntry("number", 7);
        assertThat(SettingsDocument.of(pool().build()).get("status"))
                .isEqualTo(Map.of("nodes", 0, "readyNodes", 0));
    }

    @Test
    void aPoolAsItIsShowsItsNodesInSum() {
        var pool =
                pool().setNodes(14)
                        .setReadyNodes(12)
                        .setAllocatable(Map.of("cpu", 8000L))
                        .setFree(Map.of("cpu", 500L))
                        .build();
        assertThat(SettingsDocument.of(pool).get("status"))
                .isEqualTo(
                        Map.of(
                                "nodes",
                                14,
                                "readyNodes",
                                12,
                                "allocatable",
                                Map.of("cpu", "8"),
                                "free",
                                Map.of("cpu", "500m")));
    }

    @Test
    void aPoolAsItIsShowsItsSuspectNodesAndMayBeSentBack() {
        var node =
                SuspectNode.newBuilder()
                        .setName("n1")
                        .setExcluded(true)
                        .setWeight(2500)
                        .setAt(NOON)
                        .setUntil(NOON.plusSeconds(3600))
                        .setLastFailure(NOON)
                        .setReason("NotReady")
                        .setMessage("it was ready")
                        .build();
        var document =
                SettingsDocument.of(pool().setSuspects(1).setSuspectNodes(List.of(node)).build());
        assertThat(document.get("status"))
                .isEqualTo(
                        Map.of(
                                "nodes",
                                0,
                                "readyNodes",
                                0,
                                "suspects",
                                1,
                                "suspectNodes",
                                List.of(
                                        Map.of(
                                                "name", "n1",
                                                "chosen", "never",
                                                "until", "2026-01-01T13:00:00Z",
                                                "failures", new BigDecimal("2.5"),
                                                "at", "2026-01-01T12:00:00Z",
                                                "lastFailure", "2026-01-01T12:00:00Z",
                                                "reason", "NotReady",
                                                "message", "it was ready"))));
        assertThat(SettingsForm.read(JSON.writeValueAsString(document))).isInstanceOf(Read.class);
    }

    private static PoolState.Builder pool() {
        return PoolState.newBuilder()
                .setEnvelope(ENVELOPE)
                .setName("gpus")
                .setNumber(7)
                .setSpec(PoolSpec.newBuilder().build());
    }
}
