package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.WORKER_1;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.planned;
import static dev.muster.podmanager.core.Plans.role;
import static dev.muster.podmanager.core.Plans.run;
import static dev.muster.podmanager.core.Plans.service;
import static dev.muster.podmanager.core.Plans.template;
import static dev.muster.podmanager.core.Plans.torch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Range;
import dev.muster.podmanager.core.Plan.Role;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PodsTest {
    private static final Pods.Around SERVED = new Pods.Around(service(1), Restarting.NONE);

    private final Pods pods = new Pods("test");

    @ParameterizedTest
    @MethodSource
    void ranksCountProcessesInTheOrderOfTheRoles(
            String nproc, List<Role> roles, Rank rank, String world, String own, String node) {
        var environment = environment(torch(nproc, null, roles, planned(rank, 1)));
        assertThat(environment)
                .containsEntry("WORLD_SIZE", world)
                .containsEntry("RANK", own)
                .containsEntry("PET_NODE_RANK", node);
    }

    static Stream<Arguments> ranksCountProcessesInTheOrderOfTheRoles() {
        var pair = List.of(role("master", 1), role("worker", 2));
        var last = List.of(role("worker", 2), role("master", 1));
        var none = List.of(role("worker", 2), role("ps", 1));
        var gpus = List.of(gpuRole("master", 1, "2"), gpuRole("worker", 2, "4"));
        return Stream.of(
                argumentSet("master", "1", pair, MASTER, "3", "0", "0"),
                argumentSet("last worker", "1", pair, WORKER_1, "3", "2", "2"),
                argumentSet("two processes", "2", pair, WORKER_1, "6", "4", "2"),
                argumentSet("master written last", "1", last, MASTER, "3", "0", "0"),
                argumentSet("worker before it", "1", last, WORKER_1, "3", "2", "2"),
                argumentSet("no master", "1", none, new Rank("ps", 0), "3", "2", "2"),
                argumentSet("by GPUs", "gpu", gpus, WORKER_1, "10", "6", "2"),
                argumentSet("by GPUs, none", "gpu", pair, WORKER_1, "3", "2", "2"));
    }

    @Test
    void allMeetAtTheMasterElseAtTheFirstRole() {
        var last = List.of(role("worker", 2), role("master", 1));
        assertThat(environment(torch("1", null, last, planned(WORKER_1, 1))))
                .containsEntry("MASTER_ADDR", "resnet-master-0.resnet")
                .containsEntry("PET_RDZV_ENDPOINT", "resnet-master-0.resnet:23456");
        var none = List.of(role("worker", 2), role("ps", 1));
        assertThat(environment(torch("1", null, none, planned(WORKER_1, 1))))
                .containsEntry("MASTER_ADDR", "resnet-worker-0.resnet");
    }

    @Test
    void onlyRolesThatTrainTogetherCount() {
        var data =
                new Role("data", 3, false, template(), false, "main", 0, false, List.of(), 1, null);
        var roles = List.of(data, role("worker", 2), role("ps", 1));
        assertThat(environment(torch("2", null, roles, planned(WORKER_1, 1))))
                .containsEntry("MASTER_ADDR", "resnet-worker-0.resnet")
                .containsEntry("WORLD_SIZE", "6")
                .containsEntry("RANK", "2")
                .containsEntry("NODE_NUM", "3")
                .containsEntry("PET_NNODES", "3")
                .containsEntry("PET_NODE_RANK", "1");
        assertThat(environment(torch("1", null, roles, planned(new Rank("data", 1), 1))))
                .containsEntry("MASTER_ADDR", "resnet-data-0.resnet")
                .containsEntry("WORLD_SIZE", "3")
                .containsEntry("RANK", "1");
    }

    @Test
    void aRangeIsThatOfThoseThatTrainTogether() {
        var data =
                new Role("data", 3, false, template(), false, "main", 0, false, List.of(), 1, null);
        var workers =
                new Role(
                        "worker", 4, true, template(), false, "main", 0, false, List.of(), 0, null);
        var roles = List.of(data, workers);
        assertThat(environment(torch("1", new Range(2, 8), roles, planned(WORKER_1, 1))))
                .containsEntry("PET_NNODES", "2:8");
        assertThat(environment(torch("1", new Range(2, 8), roles, planned(new Rank("data", 0), 1))))
                .containsEntry("PET_NNODES", "3")
                .containsEntry("PET_RDZV_BACKEND", "static");
    }

    @Test
    void onHostsAllAreToldWhereTheMasterListens() {
        var roles = List.of(onHost("master", 1), onHost("worker", 2));
        var worker = new PlannedPod(WORKER_1, 2, "node-a", 20_007);
        var master = new PlannedPod(MASTER, 1, "node-b", 20_001);
        assertThat(environment(torch("1", null, roles, worker, master)))
                .containsEntry("MUSTER_PORT", "20007")
                .containsEntry("MASTER_PORT", "20001")
                .containsEntry("PET_RDZV_ENDPOINT", "resnet-master-0.resnet:20001");
    }

    @Test
    void whoIsThereBeforeTheMasterIsToldWhereItWillListen() {
        var roles = List.of(onHost("master", 1, 20_001), onHost("worker", 2, 20_007));
        assertThat(environment(torch("1", null, roles, new PlannedPod(WORKER_1, 2, null, 20_002))))
                .containsEntry("MUSTER_PORT", "20002")
                .containsEntry("MASTER_PORT", "20001");
    }

    @Test
    void aMasterWithAnAddressOfItsOwnListensWhereTheUserSays() {
        var roles = List.of(role("master", 1), onHost("worker", 2));
        var worker = new PlannedPod(WORKER_1, 2, "node-a", 20_007);
        assertThat(environment(torch("1", null, roles, worker)))
                .containsEntry("MUSTER_PORT", "20007")
                .containsEntry("MASTER_PORT", "23456");
    }

    @Test
    void anElasticGangSaysItsRangeAndMeetsByC10d() {
        var workers =
                new Role(
                        "worker", 4, true, template(), false, "main", 0, false, List.of(), 0, null);
        var run =
                torch(
                        "1",
                        new Range(2, 8),
                        List.of(role("master", 1), workers),
                        planned(MASTER, 1));
        assertThat(environment(run))
                .containsEntry("PET_NNODES", "3:9")
                .containsEntry("PET_RDZV_BACKEND", "c10d")
                .containsEntry("PET_RDZV_ID", Plans.UID);
    }

    @Test
    void grownMemoryIsRequestAndLimitOfTheMainContainerAlone() {
        var main = grown("2Gi", "2Gi");
        assertThat(main.getLast().getResources()).isEqualTo(asking("6442450944", "6442450944"));
        assertThat(main.getFirst().getResources()).isEqualTo(asking("1Gi", "1Gi"));
        assertThat(grown("2Gi", null).getLast().getResources())
                .isEqualTo(asking("6442450944", null));
        assertThat(grown(null, "2Gi").getLast().getResources())
                .isEqualTo(asking("6442450944", "6442450944"));
    }

    @Test
    void requestBelowTheLimitKeepsItsProportionWhereMemoryHasGrown() {
        assertThat(grown("2Gi", "4Gi").getLast().getResources())
                .isEqualTo(asking("3221225472", "6442450944"));
    }

    @Test
    void afterCodesOfItsRoleTheKubeletStartsTheMainContainerAgainWhereItCan() {
        var main = restarting(template(), new Restarting(false, true));
        assertThat(main.getRestartPolicy()).isEqualTo("Never");
        assertThat(codes(main)).containsExactly(42, 43);
        assertThat(codes(restarting(template(), new Restarting(true, true))))
                .containsExactly(42, 43, 137, 143);
        assertThat(restarting(template(), new Restarting(true, false)).getRestartPolicy()).isNull();
    }

    @Test
    void policyOfATemplatesContainerStays() {
        var template = template();
        template.getSpec().getContainers().getFirst().setRestartPolicy("OnFailure");
        var main = restarting(template, new Restarting(true, true));
        assertThat(main.getRestartPolicy()).isEqualTo("OnFailure");
        assertThat(main.getRestartPolicyRules()).isEmpty();
    }

    /** The end of its log is then its message, which is kept when the pod is gone. */
    @ParameterizedTest
    @CsvSource({", FallbackToLogsOnError", "File, File"})
    void mainContainerLeavesItsLastWordsUnlessItsUserSaysOtherwise(
            @Nullable String own, String built) {
        var template =
                new PodTemplateSpecBuilder(template())
                        .editSpec()
                        .editFirstContainer()
                        .withTerminationMessagePolicy(own)
                        .endContainer()
                        .addNewContainer()
                        .withName("side")
                        .endContainer()
                        .endSpec()
                        .build();
        var containers = spec(template, false, Restarting.NONE).getContainers();
        assertThat(containers.getFirst().getTerminationMessagePolicy()).isEqualTo(built);
        assertThat(containers.getLast().getTerminationMessagePolicy()).isNull();
    }

    /** What the role does when it fails is the main container's, as it says itself. */
    @ParameterizedTest
    @CsvSource({
        "Always, Never, true, OnFailure, Never",
        "OnFailure,, true, OnFailure, Never",
        "Never, Always, false, Never, OnFailure",
        ", OnFailure, true,, OnFailure",
        ", Never, false,, Never"
    })
    void policyOfTheMainContainerIsNotThatOfItsNeighbours(
            @Nullable String own,
            @Nullable String ofPod,
            boolean restarts,
            @Nullable String built,
            String builtOfPod) {
        var template = template();
        template.getSpec().setRestartPolicy(ofPod);
        template.getSpec().getContainers().getFirst().setRestartPolicy(own);
        var spec = spec(template, restarts, new Restarting(false, false));
        assertThat(spec.getContainers().getFirst().getRestartPolicy()).isEqualTo(built);
        assertThat(spec.getRestartPolicy()).isEqualTo(builtOfPod);
    }

    private Container restarting(PodTemplateSpec template, Restarting restarting) {
        return spec(template, false, restarting).getContainers().getFirst();
    }

    private PodSpec spec(PodTemplateSpec template, boolean restarts, Restarting restarting) {
        var role =
                new Role(
                        "master",
                        1,
                        false,
                        template,
                        restarts,
                        "main",
                        0,
                        false,
                        List.of(42, 43),
                        0,
                        null);
        var run = Plans.plain(List.of(role), planned(MASTER, 1));
        return pods.pod(plan(1, 1, run), run, run.pods().getFirst(), alone(restarting)).getSpec();
    }

    private static List<Integer> codes(Container main) {
        assertThat(main.getRestartPolicyRules()).hasSize(1);
        return main.getRestartPolicyRules().getFirst().getExitCodes().getValues();
    }

    private static Pods.Around alone(Restarting restarting) {
        return new Pods.Around(null, restarting);
    }

    private List<Container> grown(@Nullable String request, @Nullable String limit) {
        var template =
                new PodTemplateSpecBuilder()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("side")
                        .withResources(asking("1Gi", "1Gi"))
                        .endContainer()
                        .addNewContainer()
                        .withName("main")
                        .withResources(asking(request, limit))
                        .endContainer()
                        .endSpec()
                        .build();
        var role =
                new Role("master", 1, false, template, true, "main", 0, false, List.of(), 0, null);
        var run =
                Plans.plain(
                        List.of(role),
                        new PlannedPod(MASTER, 2, null, null, 6L << 30, false, 0, false, null));
        return pods.pod(plan(1, 1, run), run, run.pods().getFirst(), alone(Restarting.NONE))
                .getSpec()
                .getContainers();
    }

    private static ResourceRequirements asking(@Nullable String request, @Nullable String limit) {
        var resources = new ResourceRequirementsBuilder();
        if (request != null) {
            resources.addToRequests("memory", new Quantity(request));
        }
        if (limit != null) {
            resources.addToLimits("memory", new Quantity(limit));
        }
        return resources.build();
    }

    @Test
    void aTemplateIsNotChangedByItsPods() {
        var run = run(new PlannedPod(MASTER, 1, "node-a", null));
        pods.pod(plan(1, 1, run), run, run.pods().getFirst(), SERVED);
        assertThat(run.roles().getFirst().template()).isEqualTo(template());
    }

    /** A class that preempts the API server then refuses; without a class it would refuse each. */
    @ParameterizedTest
    @CsvSource({"train-high, Never", ", "})
    void podOfAClassPreemptsNobody(@Nullable String named, @Nullable String policy) {
        var template =
                new PodTemplateSpecBuilder(template())
                        .editSpec()
                        .withPriorityClassName(named)
                        .endSpec()
                        .build();
        var role =
                new Role("master", 1, true, template, false, "main", 0, false, List.of(), 0, null);
        var run = torch("1", null, List.of(role), planned(MASTER, 1));
        var spec = pods.pod(plan(1, 1, run), run, run.pods().getFirst(), SERVED).getSpec();
        assertThat(spec.getPriorityClassName()).isEqualTo(named);
        assertThat(spec.getPreemptionPolicy()).isEqualTo(policy);
    }

    private Map<String, String> environment(Run run) {
        var pod = pods.pod(plan(1, 1, run), run, run.pods().getFirst(), SERVED);
        return pod.getSpec().getContainers().getFirst().getEnv().stream()
                .collect(
                        Collectors.toMap(
                                e -> e.getName(),
                                e -> e.getValue(),
                                (a, b) -> a,
                                LinkedHashMap::new));
    }

    @ParameterizedTest
    @MethodSource
    void portThatRankZeroIsToldByItsUserIsToldToAll(Role master, String port) {
        var roles = List.of(master, role("worker", 2));
        assertThat(environment(torch("1", null, roles, planned(WORKER_1, 1))))
                .containsEntry("MASTER_PORT", port)
                .containsEntry("PET_RDZV_ENDPOINT", "resnet-master-0.resnet:" + port);
    }

    static Stream<Arguments> portThatRankZeroIsToldByItsUserIsToldToAll() {
        return Stream.of(
                argumentSet("its own", saying(role("master", 1), "29500"), "29500"),
                argumentSet("on its host", saying(onHost("master", 1, 20003), "29500"), "29500"),
                argumentSet("unknown", saying(role("master", 1), "$(OTHER)"), "23456"),
                argumentSet("chosen", saying(onHost("master", 1, 20003), "0"), "20003"),
                argumentSet("none", saying(role("master", 1), "65536"), "23456"));
    }

    private static Role saying(Role role, String port) {
        var main = role.template().getSpec().getContainers().getFirst();
        main.getEnv().add(new EnvVarBuilder().withName("MASTER_PORT").withValue(port).build());
        return role;
    }

    private static Role onHost(String name, int replicas) {
        return onHost(name, replicas, null);
    }

    private static Role onHost(String name, int replicas, @Nullable Integer port) {
        return new Role(
                name, replicas, false, template(), false, "main", 0, true, List.of(), 0, port);
    }

    private static Role gpuRole(String name, int replicas, String gpus) {
        var template = template();
        template.getSpec()
                .getContainers()
                .getFirst()
                .setResources(
                        new ResourceRequirementsBuilder()
                                .addToLimits("nvidia.com/gpu", new Quantity(gpus))
                                .build());
        return new Role(
                name, replicas, false, template, false, "main", 0, false, List.of(), 0, null);
    }
}
