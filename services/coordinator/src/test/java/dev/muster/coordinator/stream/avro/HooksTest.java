package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.ended;
import static dev.muster.coordinator.stream.InboxRecords.event;
import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.seen;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Grouping;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.Hooked;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.v1.ForcedRank;
import dev.muster.v1.HookSpec;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobHook;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.PlannedHook;
import dev.muster.v1.PodPhase;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import dev.muster.v1.Witness;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Hooks of commands of scale, in and out. */
class HooksTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final HookSpec SAID =
            new HookSpec(List.of("tell", "a b"), Map.of("TO", "them"), 90_000L, 1);
    private static final Hook HOOK =
            new Hook(
                    List.of("tell", "a b"),
                    new TreeMap<>(Map.of("TO", "them")),
                    Duration.ofSeconds(90),
                    1);
    private static final JobId ID = new JobId("ml", "resnet", new Uid(3, 4711));

    private final Outbound outbound =
            new Outbound(new Origin("gpu", 5, 42, "c"), NOON, _ -> workers(1), _ -> null);

    @Test
    void commandBringsItsHook() {
        var spec = ScaleSpec.newBuilder().setKind(ScaleKind.OUT).setRole("worker").setCount(1);
        assertThat(InboundJobs.scale(spec.setHook(SAID).build()))
                .isEqualTo(
                        new Change.ScaleOut(
                                "worker",
                                1,
                                new Change.Terms(Duration.ZERO, true, null, false, HOOK)));
        assertThat(InboundJobs.scale(spec.setHook(null).build()))
                .isEqualTo(
                        new Change.ScaleOut(
                                "worker", 1, new Change.Terms(Duration.ZERO, true, null, false)));
    }

    @Test
    void noFieldOfACommandIsPassedOver() {
        var said =
                ScaleSpec.newBuilder()
                        .setKind(ScaleKind.IN)
                        .setRole("worker")
                        .setCount(1)
                        .setNames(List.of("worker-3"))
                        .setTimeoutMillis(2)
                        .setAtomic(false)
                        .setDrainMillis(3)
                        .setDryRun(true)
                        .setHook(SAID)
                        .build();
        var withdrawal =
                ScaleSpec.newBuilder()
                        .setKind(ScaleKind.CANCEL)
                        .setRole("")
                        .setCommand("r1")
                        .build();
        assertThat(Ignored.fields(InboundJobs::scale, List.of(said, withdrawal))).isEmpty();
    }

    @Test
    void endOfAHookIsThatOfItsOwnContainer() {
        JobRef resnet = job("resnet", 4711);
        var identity = pod(resnet, 1);
        identity.setRole("hook");
        var told = ended("hook", 3);
        told.setMessage("why");
        var seen =
                seen(identity, PodPhase.FAILED)
                        .setContainers(List.of(ended("side", 0), told))
                        .build();
        var in =
                event(InboxKind.POD_SEEN)
                        .setWitness(new Witness(2, 4, 17L, null))
                        .setJob(resnet)
                        .setPodSeen(seen)
                        .build();
        var event = (Event.PodSeen) new Inbound(_ -> workers(2)).event(in);
        assertThat(event.pod().main()).isEqualTo(new ContainerEnd(3, "Error", "why"));
    }

    private static Scaling scaling(Hooked hooked) {
        return new Scaling(
                7,
                "r1",
                "worker",
                2,
                3,
                true,
                null,
                Scaling.Stage.SCALING,
                "",
                "",
                NOON,
                hooked,
                false,
                false);
    }

    @Test
    void planOrdersTheHook() {
        var planned =
                new Effect.PlannedHook(
                        HOOK,
                        new RankId("launcher", 0),
                        9,
                        "n1",
                        List.of(2),
                        List.of(),
                        scaling(new Hooked(2, false, 1, "Error", "")));
        var plan =
                new Effect.RunPlan(
                        ID,
                        1,
                        4,
                        "q",
                        List.of(),
                        PoolSpec.Spot.NONE,
                        Grouping.NONE,
                        0,
                        0,
                        planned,
                        0,
                        Collections.emptySortedMap(),
                        Collections.emptySortedMap(),
                        List.of(new ForcedPods(new RankId("worker", 2), 7)),
                        false);
        var record = (JobPlan) outbound.records(plan).getFirst().value();
        assertThat(record.getRun().getForced()).containsExactly(new ForcedRank("worker", 2, 7));
        assertThat(record.getRun().getHook())
                .isEqualTo(
                        PlannedHook.newBuilder()
                                .setHook(SAID)
                                .setRole("launcher")
                                .setIncarnation(9)
                                .setNode("n1")
                                .setNumber(2)
                                .setRequestId("r1")
                                .setScaledRole("worker")
                                .setFrom(2)
                                .setTo(3)
                                .setAdded(List.of(2))
                                .build());
    }

    @Test
    void newsOfACommandSaysHowItsHookStands() {
        var told =
                new Effect.Scaled(ID, 8, 1, scaling(new Hooked(2, false, 1, "Error", "why", true)));
        var record = (JobEvent) outbound.records(told).getFirst().value();
        assertThat(record.getScaling().getHook())
                .isEqualTo(new JobHook(2, false, 1, "Error", "why", true));
    }
}
