package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Grouping;
import dev.muster.coordinator.core.effects.PoolNodes;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Decision.Keep;
import dev.muster.coordinator.core.model.Decision.Order;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Node.Trust;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.stream.InboxRecords;
import dev.muster.coordinator.stream.RandomValues;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.Envelope;
import dev.muster.v1.Framework;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobStatus;
import dev.muster.v1.KeepPods;
import dev.muster.v1.PlanKind;
import dev.muster.v1.PlannedPod;
import dev.muster.v1.PlannedRole;
import dev.muster.v1.PodRestart;
import dev.muster.v1.PoolState;
import dev.muster.v1.RequestResult;
import dev.muster.v1.RunPlan;
import dev.muster.v1.SuspectNode;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.Toleration;
import dev.muster.v1.TolerationOperator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OutboundTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final PoolSpec.Spot SPOT =
            new PoolSpec.Spot(
                    new TreeMap<>(Map.of("zone", "a")),
                    List.of(new NodeFilter.Toleration("spot", true, "", Node.Effect.NO_SCHEDULE)));
    private static final JobId RESNET = new JobId("ml", "resnet", new Uid(3, 4711));
    private static final JobRef REF = new JobRef("ml", "resnet", "3-4711");
    private static final Origin ORIGIN = new Origin("gpu", 5, 42, "cause-1");

    private final Outbound outbound = new Outbound(ORIGIN, NOON, _ -> workers(1), _ -> null);

    @ParameterizedTest
    @MethodSource
    void everyEffectIsWhatTheContractAllows(Class<? extends Effect> type) throws IOException {
        for (long seed = 0; seed < 100; seed++) {
            for (var output : outbound.records(new RandomValues(seed).of(type))) {
                assertThat(output.key()).as("seed %d", seed).isNotNull();
                if (output.value() instanceof SpecificRecord value) {
                    assertThat(value).isInstanceOf(output.topic().value());
                    write(value);
                }
            }
        }
    }

    static Stream<Class<?>> everyEffectIsWhatTheContractAllows() {
        return RandomValues.cases(Effect.class);
    }

    private static void write(SpecificRecord value) throws IOException {
        var encoder = EncoderFactory.get().binaryEncoder(new ByteArrayOutputStream(), null);
        new SpecificDatumWriter<SpecificRecord>(value.getSchema()).write(value, encoder);
        encoder.flush();
    }

    @Test
    void runPlanIsTheOrderedPodsWithTheUsersTemplates() {
        var pods =
                List.of(
                        new Effect.PlannedPod(
                                new RankId("worker", 0),
                                9,
                                "n1",
                                20_007,
                                0,
                                false,
                                11,
                                Effect.Part.NONE,
                                true));

        assertThat(
                        outbound.records(
                                new Effect.RunPlan(
                                        RESNET,
                                        2,
                                        7,
                                        "team-a",
                                        pods,
                                        SPOT,
                                        Grouping.NONE,
                                        0,
                                        0,
                                        null,
                                        1,
                                        new TreeMap<>(Map.of("worker", 20_007)),
                                        new TreeMap<>(Map.of("worker", 1)),
                                        List.of(),
                                        true)))
                .containsExactly(
                        new Output(
                                Topics.JOB_PLANS,
                                "ml/resnet@3-4711",
                                JobPlan.newBuilder()
                                        .setEnvelope(aboutJob("5-42/0").setAttempt(2).build())
                                        .setKind(PlanKind.RUN)
                                        .setJob(REF)
                                        .setPool("gpu")
                                        .setQueue("team-a")
                                        .setAttempt(2)
                                        .setVersion(7)
                                        .setRun(
                                                RunPlan.newBuilder()
                                                        .setFramework(Framework.NONE)
                                                        .setNprocPerNode("1")
                                                        .setMasterPort(23456)
                                                        .setLabels(Map.of("team", "a"))
                                                        .setRoles(List.of(worker()))
                                                        .setPods(
                                                                List.of(
                                                                        new PlannedPod(
                                                                                "worker", 0, 9,
                                                                                "n1", 20_007, null,
                                                                                false, 11, false,
                                                                                null, true)))
                                                        .setSpotSelector(Map.of("zone", "a"))
                                                        .setSpotTolerations(
                                                                List.of(
                                                                        new Toleration(
                                                                                "spot",
                                                                                TolerationOperator
                                                                                        .EXISTS,
                                                                                "",
                                                                                TaintEffect
                                                                                        .NO_SCHEDULE)))
                                                        .setGracePeriodMillis(30_000L)
                                                        .setRepeats(true)
                                                        .build())
                                        .build()));
    }

    @Test
    void stopPlanNamesThePodsThatAreKept() {
        var order = new Order.Stop(Keep.ALL, Duration.ofSeconds(30), true);
        var plan =
                new Effect.StopPlan(
                        RESNET, 2, 7, "team-a", order, PoolSpec.Backend.NONE, List.of("u-1"));
        var record = (JobPlan) outbound.records(plan).getFirst().value();
        assertThat(record.getStop().getKeep()).isEqualTo(KeepPods.ALL);
        assertThat(record.getStop().getKept()).containsExactly("u-1");
    }

    private static PlannedRole worker() {
        return new PlannedRole(
                "worker",
                1,
                InboxRecords.TEMPLATE,
                PodRestart.NEVER,
                "main",
                false,
                0,
                false,
                List.of(),
                0,
                20_007);
    }

    @Test
    void planWithoutItsSubmissionIsAFaultOfOurs() {
        var bare = new Outbound(ORIGIN, NOON, _ -> null, _ -> null);

        assertThatThrownBy(() -> bare.records(planOfNoPods(new TreeMap<>())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no submission is kept of ml/resnet@3-4711");
    }

    static Effect.RunPlan planOfNoPods(SortedMap<String, Integer> sizes) {
        return new Effect.RunPlan(
                RESNET,
                1,
                1,
                "q",
                List.of(),
                SPOT,
                Grouping.NONE,
                0,
                0,
                null,
                0,
                Collections.emptySortedMap(),
                sizes,
                List.of(),
                false);
    }

    @Test
    void answerGoesToTheRequestsKeyUnderItsId() {
        var answer =
                new Effect.Answer(
                        new Request("ml/resnet", "r1"),
                        Outcome.ACCEPTED,
                        RESNET,
                        Phase.QUEUED,
                        "in",
                        null);

        assertThat(outbound.records(answer))
                .containsExactly(
                        new Output(
                                Topics.REQUEST_RESULTS,
                                "ml/resnet",
                                RequestResult.newBuilder()
                                        .setEnvelope(aboutJob("5-42/0").setRequestId("r1").build())
                                        .setOutcome(dev.muster.v1.Outcome.ACCEPTED)
                                        .setJob(REF)
                                        .setPhase(dev.muster.v1.Phase.QUEUED)
                                        .setMessage("in")
                                        .build()));
    }

    @Test
    void outputsOfOneRecordAreNumberedInTheirOrder() {
        var moved = new Effect.Moved(RESNET, 1, 0, null, Phase.QUEUED, "", "");

        assertThat(Stream.of(moved, moved, moved).flatMap(e -> outbound.records(e).stream()))
                .extracting(output -> ((JobEvent) output.value()).getEnvelope().getId())
                .containsExactly("5-42/0", "5-42/1", "5-42/2");
    }

    @Test
    void eventCarriesItsSequenceNumberAndAttempt() {
        var moved = new Effect.Moved(RESNET, 4, 2, Phase.STARTING, Phase.RUNNING, "", "");

        assertThat(outbound.records(moved).getFirst().value())
                .extracting(value -> ((JobEvent) value).getEnvelope())
                .isEqualTo(aboutJob("5-42/0").setAttempt(2).setSeq(4L).build());
    }

    @Test
    void queueThatWaitsForAnotherReasonIsADecisionBesideItsRecord() {
        var paused = reason(Code.QUEUE_PAUSED, "team-a", 1);
        var behind = new Outbound(ORIGIN, NOON, _ -> null, _ -> paused);

        assertThat(topics(behind, paused)).containsExactly(Topics.QUEUES);
        assertThat(topics(behind, paused.saying("it waits for another cause")))
                .containsExactly(Topics.QUEUES, Topics.DECISIONS);
        assertThat(topics(behind, reason(Code.QUEUE_PAUSED, "other", 2)))
                .containsExactly(Topics.QUEUES, Topics.DECISIONS);
        assertThat(topics(behind, null)).containsExactly(Topics.QUEUES, Topics.DECISIONS);
        assertThat(topics(behind, null)).containsExactly(Topics.QUEUES);
    }

    @Test
    void decisionOfAQueueIsUnderItsNameAndOfNoJob() {
        var reason = reason(Code.QUEUE_PAUSED, "team-a", 1);

        assertThat(outbound.records(state(reason)).getLast())
                .isEqualTo(
                        new Output(
                                Topics.DECISIONS,
                                "team-a",
                                Decision.newBuilder()
                                        .setEnvelope(
                                                Envelope.newBuilder()
                                                        .setId("5-42/1")
                                                        .setAt(NOON)
                                                        .setActor("coordinator")
                                                        .setCause("cause-1")
                                                        .build())
                                        .setKind(DecisionKind.QUEUE_STATE)
                                        .setPool("gpu")
                                        .setQueue("team-a")
                                        .setReason(OutboundReasons.reason(reason))
                                        .build()));
    }

    private static List<Topic<?>> topics(Outbound outbound, @Nullable WaitReason reason) {
        return outbound.records(state(reason)).stream().<Topic<?>>map(Output::topic).toList();
    }

    private static Effect state(@Nullable WaitReason reason) {
        var random = new RandomValues(1).of(Effect.QueueState.class);
        var queue = new Queue("team-a", random.queue().spec(), 0, reason, false, null);
        return new Effect.QueueState(queue, 1, 2, 0, null, Amounts.NONE);
    }

    private static WaitReason reason(Code code, String scope, int after) {
        return new WaitReason(code, scope, null, NOON.plusSeconds(after), "", "waits", List.of());
    }

    @Test
    void poolSaysWhichNodesAreSuspect() {
        var node = new Suspicion("n7", 2500, NOON, Trust.EXCLUDED, NOON, "NotReady", "it was");
        var rule = new PoolSpec.NodeHealth(Duration.ofHours(1), 3);
        var spec = new RandomValues(1).of(PoolSpec.class);
        var pool =
                new PoolSpec(
                        spec.nodeSelector(),
                        spec.policy(),
                        spec.preemption(),
                        spec.priorities(),
                        spec.spot(),
                        spec.backing(),
                        spec.notices(),
                        rule);
        var effect = new Effect.PoolState("gpus", pool, List.of(node), 7, true, PoolNodes.NONE);
        var state = (PoolState) outbound.records(effect).getFirst().value();
        assertThat(state.getSuspects()).isEqualTo(7);
        assertThat(state.getRecreates()).isTrue();
        assertThat(state.getSuspectNodes())
                .containsExactly(
                        new SuspectNode(
                                "n7",
                                true,
                                2500,
                                NOON,
                                NOON.plus(Duration.ofMinutes(48)),
                                NOON,
                                "NotReady",
                                "it was"));
        assertThat(InboundQueues.pool(state.getSpec()).nodeHealth()).isEqualTo(rule);
    }

    @Test
    void forgottenJobLeavesNothingUnderItsKey() {
        assertThat(outbound.records(new Effect.Forget(RESNET)))
                .containsExactly(
                        new Output(Topics.JOB_STATUS, "ml/resnet@3-4711", null),
                        new Output(Topics.JOB_PLANS, "ml/resnet@3-4711", null));
    }

    @Test
    void statusShowsTheUsersLabels() {
        var status = new RandomValues(1).of(Effect.Status.class);

        assertThat(outbound.records(status).getFirst().value())
                .extracting(value -> ((JobStatus) value).getLabels())
                .isEqualTo(Map.of("team", "a"));
    }

    @Test
    void everyOutcomePhaseAndKeepOfTheCoreIsInTheContract() {
        assertThat(names(dev.muster.v1.Outcome.values())).containsAll(names(Outcome.values()));
        assertThat(names(dev.muster.v1.Phase.values())).containsAll(names(Phase.values()));
        assertThat(names(KeepPods.values()))
                .containsAll(names(dev.muster.coordinator.core.model.Decision.Keep.values()));
    }

    private static List<String> names(Enum<?>[] constants) {
        return Arrays.stream(constants).map(Enum::name).toList();
    }

    private static Envelope.Builder aboutJob(String id) {
        return Envelope.newBuilder()
                .setId(id)
                .setAt(NOON)
                .setActor("coordinator")
                .setCause("cause-1")
                .setJobUid("3-4711");
    }
}
