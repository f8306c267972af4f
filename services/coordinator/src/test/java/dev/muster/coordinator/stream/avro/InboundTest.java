package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.event;
import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.seen;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Success;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PodSpec;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.stream.RandomValues;
import dev.muster.schemas.contract.Limits;
import dev.muster.v1.Backend;
import dev.muster.v1.BulkChanged;
import dev.muster.v1.Cleanup;
import dev.muster.v1.CoreVersion;
import dev.muster.v1.Envelope;
import dev.muster.v1.GroupSeen;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobCancel;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobChanged;
import dev.muster.v1.JobRef;
import dev.muster.v1.ListedPod;
import dev.muster.v1.NamespaceQuotaGone;
import dev.muster.v1.NamespaceQuotaSeen;
import dev.muster.v1.NodeReleased;
import dev.muster.v1.NodeSeen;
import dev.muster.v1.OthersUse;
import dev.muster.v1.PlanApplied;
import dev.muster.v1.PlanRefused;
import dev.muster.v1.PodGone;
import dev.muster.v1.PodManagerAlive;
import dev.muster.v1.PodPhase;
import dev.muster.v1.PodRestart;
import dev.muster.v1.PoolChanged;
import dev.muster.v1.PoolPut;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.Preemption;
import dev.muster.v1.QueueChanged;
import dev.muster.v1.QueueDelete;
import dev.muster.v1.QueuePolicy;
import dev.muster.v1.QueuePut;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.RestartRequestFailed;
import dev.muster.v1.SelectorOperator;
import dev.muster.v1.SnapshotBegin;
import dev.muster.v1.SnapshotEnd;
import dev.muster.v1.SuccessSpec;
import dev.muster.v1.SuccessWhen;
import dev.muster.v1.Taint;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.TimePassed;
import dev.muster.v1.Witness;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InboundTest {
    private static final JobRef RESNET = job("resnet", 4711);
    private static final Witness WATCHER = new Witness(2, 4, 17L, null);
    private static final Inbound INBOUND = new Inbound(_ -> workers(2));
    private static final Amounts DEMAND = Amounts.of(Map.of("cpu", 1000L, "pods", 1L));

    @Test
    void everyKindBecomesAnEventAndEveryEventHasAKind() {
        var events =
                Stream.concat(
                                Arrays.stream(InboxKind.values())
                                        .filter(kind -> kind != InboxKind.UNKNOWN)
                                        .map(InboundTest::example),
                                // Signals are of two kinds: answers, and what nobody asked. So are
                                // refusals: of a plan, and of none.
                                Stream.of(
                                        SignalsTest.drained(),
                                        InboundReportsTest.hindered("NotTaken")))
                        .map(in -> INBOUND.event(in).getClass())
                        .collect(Collectors.toSet());

        assertThat(events).isEqualTo(RandomValues.cases(Event.class).collect(Collectors.toSet()));
    }

    @Test
    void kindOfALaterVersionIsNotPassedOver() {
        assertThatThrownBy(() -> INBOUND.event(event(InboxKind.UNKNOWN).build()))
                .isInstanceOf(UnknownKindException.class);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void eventWithoutWhatItsKindAsksForIsUnusable(InboxKind kind) {
        var bare = kind == InboxKind.WATCHER_ALIVE ? event(kind) : event(kind).setWitness(WATCHER);

        assertThatThrownBy(() -> INBOUND.event(bare.build()))
                .isInstanceOf(UnusableEventException.class)
                .hasMessageEndingWith("is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"requestId", "id", "actor"})
    void eventWithAnIdThatNoRowHoldsIsUnusable(String field) {
        var in = example(InboxKind.JOB_CANCEL);
        in.getEnvelope().put(field, "i".repeat(Limits.ID_CHARACTERS));
        assertThat(INBOUND.event(in)).isInstanceOf(Event.ChangeAsked.class);

        in.getEnvelope().put(field, "i".repeat(Limits.ID_CHARACTERS + 1));
        assertThatThrownBy(() -> INBOUND.event(in))
                .isInstanceOf(UnusableEventException.class)
                .hasMessage("envelope.%s must have at most 1,000 characters".formatted(field));
    }

    @Test
    void submissionBringsWhatDecisionsNeed() {
        var in = example(InboxKind.JOB_SUBMITTED);

        assertThat(INBOUND.event(in))
                .isEqualTo(
                        new Event.Submitted(
                                Fields.job(RESNET),
                                new JobSpec(
                                        new JobSpec.Place(
                                                "default",
                                                0,
                                                null,
                                                false,
                                                List.of(),
                                                new TreeMap<>(Map.of("team", "a"))),
                                        new JobSpec.Work(
                                                new JobSpec.Gang(
                                                        0, Duration.ofMinutes(5), Topology.NONE),
                                                List.of(
                                                        new JobSpec.Role(
                                                                "worker",
                                                                2,
                                                                2,
                                                                0,
                                                                new PodSpec(
                                                                        DEMAND,
                                                                        Amounts.NONE,
                                                                        NodeFilter.ANY,
                                                                        false,
                                                                        JobSpec.Restart.NEVER,
                                                                        false,
                                                                        null,
                                                                        null,
                                                                        List.of()),
                                                                List.of(),
                                                                JobSpec.Care.PLAIN,
                                                                0)),
                                                new Success.All(),
                                                JobSpec.Cleanup.RUNNING,
                                                Duration.ofHours(24),
                                                Duration.ofSeconds(30),
                                                FailurePolicy.PLAIN,
                                                JobSpec.Deadlines.NONE,
                                                Amounts.NONE,
                                                null,
                                                false,
                                                null,
                                                false)),
                                new Event.Request("ml/resnet", "r1")));
    }

    @ParameterizedTest
    @MethodSource
    void successIsWhatTheUserSaysElseWhatRankZeroSays(
            int replicas, @Nullable SuccessSpec said, Success success) {
        var submitted = workers(replicas);
        submitted.getSpec().setSuccess(said);
        var in = event(InboxKind.JOB_SUBMITTED).setJob(RESNET).setJobSubmitted(submitted).build();

        assertThat(INBOUND.event(in))
                .extracting(event -> ((Event.Submitted) event).spec().work().success())
                .isEqualTo(success);
    }

    static Stream<Arguments> successIsWhatTheUserSaysElseWhatRankZeroSays() {
        return Stream.of(
                argumentSet("one pod", 1, null, new Success.OfRole("worker")),
                argumentSet("many", 2, null, new Success.All()),
                argumentSet(
                        "any",
                        2,
                        new SuccessSpec(SuccessWhen.ANY_SUCCEEDED, null),
                        new Success.Any()),
                argumentSet(
                        "all",
                        1,
                        new SuccessSpec(SuccessWhen.ALL_SUCCEEDED, null),
                        new Success.All()),
                argumentSet(
                        "role",
                        2,
                        new SuccessSpec(SuccessWhen.ROLE_SUCCEEDED, "worker"),
                        new Success.OfRole("worker")));
    }

    @Test
    void jobThatIsKeptForEverHasNoTimeToLive() {
        var submitted = workers(1);
        submitted.getSpec().setTtlAfterFinishedMillis(-1);

        assertThat(InboundJobs.spec(submitted).work().ttl()).isNull();
    }

    @Test
    void roleWithoutNeedsIsUnusable() {
        var submitted = workers(1);
        submitted.setNeeds(List.of());

        assertThatThrownBy(() -> InboundJobs.spec(submitted))
                .isInstanceOf(UnusableEventException.class)
                .hasMessage("needs of role worker are missing");
    }

    @Test
    void symbolOfALaterVersionIsUnusable() {
        var submitted = workers(1);
        submitted.getSpec().setCleanup(Cleanup.UNKNOWN);

        assertThatThrownBy(() -> InboundJobs.spec(submitted))
                .isInstanceOf(UnusableEventException.class)
                .hasMessage("Cleanup UNKNOWN is not known here");
    }

    private static InboxEvent example(InboxKind kind) {
        var event =
                event(kind)
                        .setJob(RESNET)
                        .setWitness(WATCHER)
                        .setRequestKey("ml/resnet")
                        .setEnvelope(
                                Envelope.newBuilder()
                                        .setId("x")
                                        .setAt(Instant.EPOCH)
                                        .setActor("a")
                                        .setRequestId("r1")
                                        .build());
        return filled(kind, event).build();
    }

    private static InboxEvent.Builder filled(InboxKind kind, InboxEvent.Builder event) {
        var pod = pod(RESNET, 0);
        return switch (kind) {
            case UNKNOWN, WATCHER_ALIVE -> event;
            case JOB_CHANGE ->
                    event.setJobChange(new JobChanged(change(JobChangeKind.SET_PRIORITY)));
            case BULK_CHANGE ->
                    event.setBulkChange(
                            new BulkChanged("q", Map.of(), null, change(JobChangeKind.HOLD)));
            case NAMESPACE_QUOTA_SEEN ->
                    event.setNamespaceQuotaSeen(
                            new NamespaceQuotaSeen("ml", Map.of("pods", 9L), Map.of()));
            case NAMESPACE_QUOTA_GONE -> event.setNamespaceQuotaGone(new NamespaceQuotaGone("ml"));
            case RESTART_REQUEST_FAILED ->
                    event.setRestartRequestFailed(
                            new RestartRequestFailed(pod, 7L, "pod has gone"));
            case GROUP_SEEN -> event.setGroupSeen(new GroupSeen("g", 1, 7L, "p", true, "r", "m"));
            case TRAINING_DIGEST -> event.setTrainingDigest(SignalsTest.digest());
            case JOB_SIGNAL -> event.setJobSignal(SignalsTest.answer());
            case JOB_SUBMITTED -> event.setJobSubmitted(workers(2));
            case JOB_CANCEL -> event.setJobCancel(new JobCancel(5000L, "enough"));
            case QUEUE_PUT -> event.setQueuePut(new QueuePut("q", QueueSpec.newBuilder().build()));
            case QUEUE_CHANGE ->
                    event.setQueueChange(
                            new QueueChanged(
                                    "q", QueueSpec.newBuilder().build(), List.of("paused"), false));
            case QUEUE_DELETE -> event.setQueueDelete(new QueueDelete("q", false));
            case POOL_PUT -> event.setPoolPut(new PoolPut("p", PoolSpec.newBuilder().build()));
            case POOL_CHANGE ->
                    event.setPoolChange(
                            new PoolChanged("p", PoolSpec.newBuilder().build(), List.of("policy")));
            case NODE_SEEN ->
                    event.setNodeSeen(
                            NodeSeen.newBuilder()
                                    .setName("n1")
                                    .setUid("u")
                                    .setResourceVersion(3)
                                    .setLabels(Map.of("zone", "a"))
                                    .setTaints(
                                            List.of(new Taint("k", "v", TaintEffect.NO_SCHEDULE)))
                                    .setReady(true)
                                    .setAllocatable(Map.of("cpu", 4000L))
                                    .setSilent(true)
                                    .build());
            case NODE_RELEASED -> event.setNodeReleased(new NodeReleased("n1", true));
            case OTHERS_USE -> event.setOthersUse(new OthersUse("n1", Map.of("cpu", 1L)));
            case POD_SEEN -> event.setPodSeen(seen(pod, PodPhase.RUNNING).build());
            case POD_GONE -> event.setPodGone(new PodGone(pod));
            case SNAPSHOT_BEGIN -> event.setSnapshotBegin(new SnapshotBegin("s"));
            case SNAPSHOT_END -> event.setSnapshotEnd(new SnapshotEnd("s"));
            case PLAN_APPLIED ->
                    event.setPlanApplied(
                            new PlanApplied(
                                    7L,
                                    1,
                                    true,
                                    List.of(new ListedPod(pod, RESNET.getUid(), true))));
            case PLAN_REFUSED -> event.setPlanRefused(new PlanRefused(7L, 1, "Invalid", "no"));
            case POD_MANAGER_ALIVE ->
                    event.setPodManagerAlive(
                            new PodManagerAlive("a", List.of(3, 1), List.of(), false));
            case TIME_PASSED -> event.setTimePassed(new TimePassed(Instant.EPOCH));
            case CORE_VERSION -> event.setCoreVersion(new CoreVersion("1"));
        };
    }

    private static JobChange change(JobChangeKind kind) {
        return JobChange.newBuilder().setKind(kind).setPriority(7).build();
    }

    /** A symbol that the contract gains must be known to the core, or be refused on purpose. */
    @ParameterizedTest
    @MethodSource
    void everySymbolOfTheContractIsKnownToTheCore(
            Class<? extends Enum<?>> contract, Class<? extends Enum<?>> core) {
        assertThat(names(core)).containsAll(names(contract));
    }

    static Stream<Arguments> everySymbolOfTheContractIsKnownToTheCore() {
        return Stream.of(
                argumentSet("cleanup", Cleanup.class, JobSpec.Cleanup.class),
                argumentSet(
                        "policy",
                        QueuePolicy.class,
                        dev.muster.coordinator.core.model.QueuePolicy.class),
                argumentSet("preemption", Preemption.class, Mode.class),
                argumentSet(
                        "backend",
                        Backend.class,
                        dev.muster.coordinator.core.model.PoolSpec.Backend.class),
                argumentSet("restart", PodRestart.class, JobSpec.Restart.class),
                argumentSet("operator", SelectorOperator.class, NodeFilter.Operator.class),
                argumentSet("effect", TaintEffect.class, Node.Effect.class),
                argumentSet("pod phase", PodPhase.class, Event.PodPhase.class));
    }

    private static Set<String> names(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(Enum::name)
                .filter(name -> !name.equals("UNKNOWN"))
                .collect(Collectors.toSet());
    }
}
