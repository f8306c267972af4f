package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.WORKER_0;
import static dev.muster.podmanager.core.Plans.WORKER_1;
import static dev.muster.podmanager.core.Plans.gang;
import static dev.muster.podmanager.core.Plans.plain;
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
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodsTest {
    private final Pods pods = new Pods("test");

    @Test
    void aTorchWorker() {
        var run = run(new PlannedPod(WORKER_1, 3, "node-a"));
        assertGolden(
                "torch-worker", pods.pod(plan(2, 7, run), run, run.pods().getFirst(), service(2)));
    }

    @Test
    void aSingleProcess() {
        var run = plain(List.of(role("worker", 1)), planned(WORKER_0, 1));
        assertGolden("single", pods.pod(plan(1, 1, run), run, run.pods().getFirst(), null));
    }

    @Test
    void grownMemoryIsRequestAndLimitOfTheMainContainerAlone() {
        var template = Serialization.unmarshal(text("wishes-template"), PodTemplateSpec.class);
        var containers = template.getSpec().getContainers();
        var sidecar = containers.getFirst().getResources();
        containers.getLast().setResources(asking("2Gi", "4Gi"));
        var role = new Role("master", 1, false, template, true, containers.getLast().getName());
        var run = plain(List.of(role), new PlannedPod(MASTER, 2, null, 6L << 30, false, List.of()));
        var made = pods.pod(plan(1, 1, run), run, run.pods().getFirst(), null).getSpec();
        assertThat(made.getContainers().getLast().getResources())
                .isEqualTo(asking("6442450944", "6442450944"));
        assertThat(made.getContainers().getFirst().getResources()).isEqualTo(sidecar);
        containers.getLast().setResources(asking("2Gi", null));
        assertThat(
                        pods.pod(plan(1, 1, run), run, run.pods().getFirst(), null)
                                .getSpec()
                                .getContainers()
                                .getLast()
                                .getResources())
                .isEqualTo(asking("6442450944", null));
    }

    private static ResourceRequirements asking(String request, @Nullable String limit) {
        var resources = new ResourceRequirementsBuilder();
        resources.addToRequests("memory", new Quantity(request));
        if (limit != null) {
            resources.addToLimits("memory", new Quantity(limit));
        }
        return resources.build();
    }

    @Test
    void aTemplateWithWishesOfItsOwn() {
        var template = Serialization.unmarshal(text("wishes-template"), PodTemplateSpec.class);
        var role = new Role("master", 1, false, template, true, "train");
        var run =
                new Run(
                        Plan.Framework.PYTORCH,
                        "gpu",
                        29500,
                        Map.of("team", "vision", "stage", "prod"),
                        Map.of("note", "first try"),
                        "train-high",
                        null,
                        List.of(role),
                        List.of(new PlannedPod(MASTER, 1, "node-a")));
        assertGolden("wishes", pods.pod(plan(1, 1, run), run, run.pods().getFirst(), service(1)));
    }

    @Test
    void aSpotPodToleratesWhatItsTemplateAndItsPoolSay() {
        var own = new TolerationBuilder().withKey("gpu").withOperator("Exists").build();
        var spot = new TolerationBuilder().withKey("spot").withOperator("Exists").build();
        var template = Serialization.unmarshal(text("wishes-template"), PodTemplateSpec.class);
        template.getSpec().setTolerations(List.of(own));
        var role = new Role("master", 1, false, template, true, "train");
        var run =
                plain(
                        List.of(role),
                        new PlannedPod(MASTER, 1, "node-a", null, false, List.of(spot)));
        var made = pods.pod(plan(1, 1, run), run, run.pods().getFirst(), null);
        assertThat(made.getSpec().getTolerations()).containsExactly(own, spot);
    }

    @Test
    void theService() {
        assertGolden("service", HeadlessService.of("test", gang(1, 1), run()));
    }

    @ParameterizedTest
    @MethodSource
    void ranksCountProcessesInTheOrderOfTheRoles(
            String nproc, List<Role> roles, Rank rank, String world, String own, String node) {
        var environment = environment(torch(nproc, null, roles, planned(rank, 1)));
        assertThat(environment)
                .containsEntry("WORLD_SIZE", world)
                .containsEntry("RANK", own)
                .containsEntry("PET_NODE_RANK", node)
                .containsEntry("MASTER_ADDR", "resnet-" + roles.getFirst().name() + "-0.resnet");
    }

    static Stream<Arguments> ranksCountProcessesInTheOrderOfTheRoles() {
        var pair = List.of(role("master", 1), role("worker", 2));
        var turned = List.of(role("worker", 2), role("master", 1));
        var gpus = List.of(gpuRole("master", 1, "2"), gpuRole("worker", 2, "4"));
        return Stream.of(
                argumentSet("master", "1", pair, MASTER, "3", "0", "0"),
                argumentSet("last worker", "1", pair, WORKER_1, "3", "2", "2"),
                argumentSet("two processes", "2", pair, WORKER_1, "6", "4", "2"),
                argumentSet("worker first", "1", turned, MASTER, "3", "2", "2"),
                argumentSet("by GPUs", "gpu", gpus, WORKER_1, "10", "6", "2"),
                argumentSet("by GPUs, none", "gpu", pair, WORKER_1, "3", "2", "2"));
    }

    @Test
    void anElasticGangSaysItsRangeAndMeetsByC10d() {
        var workers = new Role("worker", 4, true, template(), false, "main");
        var run =
                torch(
                        "1",
                        new Range(2, 8),
                        List.of(role("master", 1), workers),
                        planned(MASTER, 1));
        assertThat(environment(run))
                .containsEntry("PET_NNODES", "3:9")
                .containsEntry("PET_RDZV_BACKEND", "c10d");
    }

    @Test
    void aTemplateIsNotChangedByItsPods() {
        var run = run(new PlannedPod(MASTER, 1, "node-a"));
        pods.pod(plan(1, 1, run), run, run.pods().getFirst(), service(1));
        assertThat(run.roles().getFirst().template()).isEqualTo(template());
    }

    private Map<String, String> environment(Run run) {
        var pod = pods.pod(plan(1, 1, run), run, run.pods().getFirst(), service(1));
        return pod.getSpec().getContainers().getFirst().getEnv().stream()
                .collect(
                        Collectors.toMap(
                                e -> e.getName(),
                                e -> e.getValue(),
                                (a, b) -> a,
                                LinkedHashMap::new));
    }

    private static Role gpuRole(String name, int replicas, String gpus) {
        var template = template();
        template.getSpec()
                .getContainers()
                .getFirst()
                .setResources(
                        new io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder()
                                .addToLimits("nvidia.com/gpu", new Quantity(gpus))
                                .build());
        return new Role(name, replicas, false, template, false, "main");
    }

    private static void assertGolden(String name, HasMetadata object) {
        assertThat(Serialization.asYaml(object)).isEqualTo(text(name));
    }

    private static String text(String name) {
        var file = "/pods/" + name + ".yaml";
        try (var in = Objects.requireNonNull(PodsTest.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
