package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.CheckpointPolicy;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Memory;
import dev.muster.coordinator.core.model.Neighbours;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PodSpec;
import dev.muster.coordinator.core.model.RankRange;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.v1.CheckpointSignal;
import dev.muster.v1.CheckpointSpec;
import dev.muster.v1.Cleanup;
import dev.muster.v1.DeadlinesSpec;
import dev.muster.v1.DependencyPhase;
import dev.muster.v1.ElasticSpec;
import dev.muster.v1.ExitCodeRange;
import dev.muster.v1.FailureAction;
import dev.muster.v1.FailureRule;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.Framework;
import dev.muster.v1.GangSpec;
import dev.muster.v1.JobDependency;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.MainMemory;
import dev.muster.v1.NodeLostPolicy;
import dev.muster.v1.NodeRequirement;
import dev.muster.v1.NodeTerm;
import dev.muster.v1.PodNeeds;
import dev.muster.v1.PodRange;
import dev.muster.v1.PodRestart;
import dev.muster.v1.PodTerm;
import dev.muster.v1.RemoteShell;
import dev.muster.v1.RoleDependency;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.ScalingPolicy;
import dev.muster.v1.SelectorOperator;
import dev.muster.v1.SuccessSpec;
import dev.muster.v1.SuccessWhen;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.Toleration;
import dev.muster.v1.TolerationOperator;
import dev.muster.v1.TopologyPolicy;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each field of a job that decisions need comes to its place, and to no other. */
class SubmittedFieldsTest {
    private static final long GIBI = 1L << 30;

    /**
     * What they pass over is what admission alone needs, or plans alone have, or what selects nodes
     * and no pods.
     */
    @Test
    void decisionsPassOverNoOtherFieldThanThese() {
        assertThat(Ignored.fields(InboundJobs::spec, List.of(submitted())))
                .containsExactly(
                        "needs.shuns.requirements.field",
                        "retryOf",
                        "spec.annotations",
                        "spec.masterPort",
                        "spec.nprocPerNode",
                        "spec.shell");
    }

    @Test
    void eachComesToItsPlace() {
        assertThat(InboundJobs.spec(submitted())).isEqualTo(new JobSpec(place(), work()));
    }

    private static JobSubmitted submitted() {
        var needs = List.of(plain("a"), plain("b"), plain("c"), needs());
        return new JobSubmitted(spec(), needs, "00", "3-1");
    }

    private static JobSpec.Place place() {
        return new JobSpec.Place(
                "q",
                1,
                "high",
                true,
                List.of(new JobSpec.After("first", true), new JobSpec.After("second", false)),
                new TreeMap<>(Map.of("team", "x")),
                neighbours());
    }

    private static TrainJobSpec spec() {
        return TrainJobSpec.newBuilder()
                .setQueue("q")
                .setPriority(1)
                .setPriorityClass("high")
                .setFramework(Framework.HOROVOD)
                .setNprocPerNode("2")
                .setMasterPort(3)
                .setSuspend(true)
                .setLabels(Map.of("team", "x"))
                .setAnnotations(Map.of("note", "y"))
                .setAfter(
                        List.of(
                                new JobDependency("first", DependencyPhase.SUCCEEDED),
                                new JobDependency("second", DependencyPhase.ENDED)))
                .setGang(new GangSpec(4, 5L, TopologyPolicy.REQUIRE, "rack"))
                .setElastic(new ElasticSpec(6, 9, ScalingPolicy.METRICS, 7L))
                .setRoles(List.of(other("a"), other("b"), other("c"), worker()))
                .setSuccess(new SuccessSpec(SuccessWhen.ROLE_SUCCEEDED, "worker"))
                .setFailure(failure(10, growth(), end()))
                .setDeadlines(new DeadlinesSpec(1000L, 2000L, 3000L))
                .setCleanup(Cleanup.ALL)
                .setTtlAfterFinishedMillis(20)
                .setGracePeriodMillis(21)
                .setCheckpoint(new CheckpointSpec(CheckpointSignal.FILE, 22_000L))
                .setResourceLimits(Map.of("cpu", "23", "memory", "24Gi"))
                .setPodDisruptionBudget(true)
                .setShell(RemoteShell.SSH)
                .build();
    }

    private static JobSpec.Work work() {
        var pod =
                new PodSpec(
                        Amounts.of(Map.of("cpu", 40L, "memory", 41L, "pods", 1L)),
                        Amounts.of(Map.of("memory", 42L)),
                        filter(),
                        true,
                        JobSpec.Restart.ON_FAILURE,
                        true,
                        new Memory(43, 46L, new Memory.Share(41, 44), new Memory.Share(42, 45), 0),
                        Duration.ofMillis(47),
                        List.of(new RankRange("a", 1, 2), new RankRange("b", 1, RankRange.OPEN)));
        var worker =
                new JobSpec.Role(
                        "worker",
                        8,
                        5,
                        2,
                        pod,
                        List.of(
                                new JobSpec.DependsOn("a", JobSpec.Milestone.RUNNING),
                                new JobSpec.DependsOn("b", JobSpec.Milestone.READY),
                                new JobSpec.DependsOn("c", JobSpec.Milestone.SUCCEEDED)),
                        new JobSpec.Care(
                                policy(30, grown(), ended(), inPlace()),
                                new TreeSet<>(Set.of(3, 4))),
                        48);
        return new JobSpec.Work(
                new JobSpec.Gang(
                        4, Duration.ofMillis(5), new Topology(Topology.Policy.REQUIRE, "rack")),
                List.of(alone("a"), alone("b"), alone("c"), worker),
                new JobSpec.Success.OfRole("worker"),
                JobSpec.Cleanup.ALL,
                Duration.ofMillis(20),
                Duration.ofMillis(21),
                policy(10, grown(), ended()),
                new JobSpec.Deadlines(
                        Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3)),
                Amounts.of(Map.of("cpu", 23_000L, "memory", 24 * GIBI)),
                new JobSpec.Elastic("worker", 6, 9, Duration.ofMillis(7)),
                true,
                new CheckpointPolicy(true, Duration.ofSeconds(22)),
                true);
    }

    private static RoleSpec worker() {
        return RoleSpec.newBuilder()
                .setName("worker")
                .setReplicas(8)
                .setMin(5)
                .setElastic(true)
                .setDependsOn(
                        List.of(
                                new RoleDependency("a", DependencyPhase.RUNNING),
                                new RoleDependency("b", DependencyPhase.READY),
                                new RoleDependency("c", DependencyPhase.SUCCEEDED)))
                .setSpotCount(2)
                .setHostNetwork(true)
                .setFailure(failure(30, growth(), end(), again()))
                .setCritical(List.of(3, 4))
                .setTemplate("{}")
                .build();
    }

    private static PodNeeds needs() {
        return PodNeeds.newBuilder()
                .setRole("worker")
                .setDemand(Map.of("cpu", 40L, "memory", 41L, "pods", 1L))
                .setLimits(Map.of("memory", 42L))
                .setNodeSelector(Map.of("gpu", "h100"))
                .setNodeAffinity(
                        List.of(
                                new NodeTerm(
                                        List.of(
                                                requirement("zone", SelectorOperator.IN, false),
                                                requirement(
                                                        "metadata.name",
                                                        SelectorOperator.NOT_IN,
                                                        true)))))
                .setTolerations(
                        List.of(
                                new Toleration(
                                        "k",
                                        TolerationOperator.EXISTS,
                                        "v",
                                        TaintEffect.NO_EXECUTE)))
                .setRestart(PodRestart.ON_FAILURE)
                .setMainContainer("main")
                .setAntiAffinityHostname(true)
                .setMainMemory(new MainMemory(43L, 44L, 45L, 46L))
                .setWorld(48)
                .setGraceMillis(47L)
                .setApartFrom(List.of(new PodRange("a", 1, 2), new PodRange("b", 1, null)))
                .setLabels(Map.of("app", "web"))
                .setShuns(
                        List.of(
                                new PodTerm(
                                        List.of("ml"),
                                        List.of(
                                                requirement(
                                                        "app", SelectorOperator.NOT_IN, true)))))
                .build();
    }

    private static NodeRequirement requirement(String key, SelectorOperator how, boolean field) {
        return new NodeRequirement(key, how, List.of("1", "2"), field);
    }

    private static NodeFilter filter() {
        var values = List.of("1", "2");
        return NodeFilter.of(
                new TreeMap<>(Map.of("gpu", "h100")),
                List.of(
                        new NodeFilter.Term(
                                List.of(
                                        new NodeFilter.Requirement(
                                                "zone", NodeFilter.Operator.IN, values, false),
                                        new NodeFilter.Requirement(
                                                "metadata.name",
                                                NodeFilter.Operator.NOT_IN,
                                                values,
                                                true)))),
                List.of(new NodeFilter.Toleration("k", true, "v", Node.Effect.NO_EXECUTE)));
    }

    private static Neighbours neighbours() {
        var shunned =
                new AntiAffinityTerm.Requirement(
                        "app", AntiAffinityTerm.Operator.NOT_IN, List.of("1", "2"));
        var term = new AntiAffinityTerm(new TreeSet<>(Set.of("ml")), List.of(shunned));
        return new Neighbours(
                new TreeMap<>(Map.of("worker", new TreeMap<>(Map.of("app", "web")))),
                new TreeMap<>(Map.of("worker", List.of(term))));
    }

    private static RoleSpec other(String name) {
        return RoleSpec.newBuilder().setName(name).setTemplate("{}").build();
    }

    private static PodNeeds plain(String role) {
        return PodNeeds.newBuilder()
                .setRole(role)
                .setDemand(Map.of("pods", 1L))
                .setMainContainer("main")
                .build();
    }

    private static JobSpec.Role alone(String name) {
        var pod =
                new PodSpec(
                        Amounts.of(Map.of("pods", 1L)),
                        Amounts.NONE,
                        NodeFilter.ANY,
                        false,
                        JobSpec.Restart.NEVER,
                        false,
                        null,
                        null,
                        List.of());
        return new JobSpec.Role(name, 1, 1, 0, pod, List.of(), JobSpec.Care.PLAIN, 0);
    }

    /** Each number is one more than the one before it. */
    private static FailureSpec failure(int first, FailureRule... rules) {
        return new FailureSpec(
                first,
                first + 1,
                first + 2L,
                first + 3L,
                first + 4L,
                first + 5L,
                first + 6L,
                NodeLostPolicy.FORCE,
                List.of(rules));
    }

    private static FailurePolicy policy(int first, FailurePolicy.Rule... rules) {
        return new FailurePolicy(
                FailurePolicy.Otherwise.POD,
                new FailurePolicy.Limits(first, first + 1, Duration.ofMillis(first + 2)),
                new FailurePolicy.Delay(Duration.ofMillis(first + 3), Duration.ofMillis(first + 4)),
                Duration.ofMillis(first + 5),
                new FailurePolicy.NodeLost(Duration.ofMillis(first + 6), true),
                List.of(rules));
    }

    private static FailureRule growth() {
        return FailureRule.newBuilder()
                .setExitCodes(List.of(new ExitCodeRange(137, 139)))
                .setReasons(List.of("OOMKilled"))
                .setRole("worker")
                .setAction(FailureAction.GROW_MEMORY)
                .setFactorThousandths(1250)
                .setMax("64Gi")
                .build();
    }

    private static FailurePolicy.Rule grown() {
        return new FailurePolicy.Rule(
                List.of(new FailurePolicy.ExitCodes(137, 139)),
                List.of("OOMKilled"),
                "worker",
                new Action.GrowMemory(1250, 64 * GIBI));
    }

    private static FailurePolicy.Rule ended() {
        return new FailurePolicy.Rule(List.of(), List.of(), null, new Action.Fail("hopeless"));
    }

    private static FailurePolicy.Rule inPlace() {
        return new FailurePolicy.Rule(List.of(), List.of(), null, new Action.RestartInPlace());
    }

    private static FailureRule again() {
        return FailureRule.newBuilder().setAction(FailureAction.RESTART_IN_PLACE).build();
    }

    private static FailureRule end() {
        return FailureRule.newBuilder()
                .setAction(FailureAction.FAIL)
                .setMessage("hopeless")
                .build();
    }

    @ParameterizedTest
    @CsvSource({"NONE, ", "FILE, true", "EVENT, false"})
    void jobIsAskedToSaveAsItSays(CheckpointSignal signal, @Nullable Boolean byFile) {
        var submitted = workers(1);
        submitted.getSpec().setCheckpoint(new CheckpointSpec(signal, 5000L));
        assertThat(InboundJobs.spec(submitted).work().checkpoint())
                .isEqualTo(
                        byFile == null
                                ? null
                                : new CheckpointPolicy(byFile, Duration.ofSeconds(5)));
    }
}
