package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.RESNET;
import static dev.muster.podmanager.core.Plans.ended;
import static dev.muster.podmanager.core.Plans.foreign;
import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.planned;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.role;
import static dev.muster.podmanager.core.Plans.service;
import static dev.muster.podmanager.core.Plans.stopping;
import static dev.muster.podmanager.core.Plans.template;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.CreatePod;
import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Action.Outdated;
import dev.muster.podmanager.core.Action.Refuse;
import dev.muster.podmanager.core.Action.Report;
import dev.muster.podmanager.core.Plan.Hook;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Role;
import dev.muster.podmanager.core.Plan.Run;
import dev.muster.podmanager.core.Plan.Scale;
import dev.muster.podmanager.core.Plan.Spot;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plans with a hook beside their gang. */
class ReconcileHooksTest {
    private static final Seen RUNNING = pod(MASTER, 1, 4, 1);

    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    private static Plan hooked(long version, int incarnation) {
        return plan(1, version, with(hook(incarnation), role("master", 1)));
    }

    private static Hook hook(int incarnation) {
        return new Hook(
                MASTER,
                incarnation,
                "node-a",
                List.of("tell", "$(NAME) $HOME"),
                Map.of("TO", "$them", "USERS", "hook's"),
                Duration.ofMillis(1_500),
                2,
                new Scale("r1", "worker", 2, 4, List.of(2, 3), List.of()));
    }

    private static Run with(@Nullable Hook hook, Role master) {
        var run = Plans.torch("1", null, List.of(master, role("worker", 2)), planned(MASTER, 1));
        return RunBuilder.like(run).hook(hook).build();
    }

    private List<Action> decide(Plan plan, Seen... pods) {
        var listing = listing(pods);
        return reconcile.decide(plan, listing.with(List.of(service(1))));
    }

    private Pod made(Plan plan) {
        return ((CreatePod) decide(plan, RUNNING).getFirst()).pod();
    }

    @Test
    void hookGetsAPodBesideTheGang() {
        var pod = made(hooked(5, 7));
        assertThat(pod.getMetadata().getName()).isEqualTo("resnet-hook-0");
        assertThat(pod.getMetadata().getLabels())
                .containsEntry("muster.dev/role", "hook")
                .containsEntry("muster.dev/part", "hook")
                .containsEntry("muster.dev/incarnation", "7");
        assertThat(Labels.ofGang(plan(1, 1, new Plan.Gone()).job()))
                .containsEntry("muster.dev/part", "gang");
    }

    /** Nothing would let it stay on the node of a spot pod otherwise. */
    @Test
    void besideASpotPodItToleratesWhatSpotPodsDo() {
        var toleration = new TolerationBuilder().withKey("spot").withOperator("Exists").build();
        var spot = new Spot(Map.of("pool", "spot"), List.of(toleration));
        for (var isSpot : List.of(true, false)) {
            var like =
                    new PlannedPod(MASTER, 1, "node-a", null, null, false, 0, false, null, isSpot);
            var roles = List.of(role("master", 1), role("worker", 2));
            var run = Plans.torch("1", null, roles, like);
            var hooked = RunBuilder.like(run).hook(hook(7)).spot(spot).build();
            assertThat(made(plan(1, 5, hooked)).getSpec().getTolerations().contains(toleration))
                    .isEqualTo(isSpot);
        }
    }

    @Test
    void oneThatIsThereStaysWhetherItHasEndedOrNot() {
        var there = pod(Rank.HOOK, 1, 5, 7);
        assertThat(decide(hooked(6, 7), RUNNING, there)).singleElement().isInstanceOf(Report.class);
        assertThat(decide(hooked(6, 7), RUNNING, ended(there)))
                .singleElement()
                .isInstanceOf(Report.class);
    }

    @Test
    void planWithoutItDeletesIt() {
        var without = plan(1, 6, with(null, role("master", 1)));
        assertThat(decide(without, RUNNING, pod(Rank.HOOK, 1, 5, 7)))
                .singleElement()
                .isInstanceOfSatisfying(
                        Delete.class, d -> assertThat(d.name()).isEqualTo("resnet-hook-0"));
    }

    @Test
    void anEarlierTryMakesWay() {
        assertThat(decide(hooked(6, 8), RUNNING, pod(Rank.HOOK, 1, 5, 7)).getFirst())
                .isInstanceOfSatisfying(Delete.class, d -> assertThat(d.graceSeconds()).isZero());
    }

    @Test
    void aLaterTryEndsThePass() {
        assertThat(decide(hooked(6, 7), RUNNING, pod(Rank.HOOK, 1, 6, 8)))
                .singleElement()
                .isInstanceOf(Outdated.class);
    }

    @Test
    void podOfItsNameThatIsNotOursIsRefused() {
        assertThat(decide(hooked(6, 7), RUNNING, foreign(Kind.POD, "resnet-hook-0")))
                .singleElement()
                .isInstanceOf(Refuse.class);
    }

    @Test
    void itIsNotKeptWhenItsJobEndsAndNotWaitedFor() {
        for (var keep : Keep.values()) {
            assertThat(
                            reconcile.decide(
                                    stopping(keep),
                                    listing(ended(RUNNING), ended(pod(Rank.HOOK, 1, 4, 7)))))
                    .hasSize(keep == Keep.NONE ? 2 : 1)
                    .first()
                    .isInstanceOfSatisfying(
                            Delete.class,
                            d -> {
                                assertThat(d.name()).isEqualTo("resnet-hook-0");
                                assertThat(d.graceSeconds()).isZero();
                            });
        }
    }

    @Test
    void textOfAHookIsExpandedByNobody() {
        var main = made(hooked(5, 7)).getSpec().getContainers().getFirst();
        assertThat(main.getCommand()).containsExactly("tell", "$$(NAME) $$HOME");
        assertThat(value(main.getEnv(), "TO")).isEqualTo("$$them");
    }

    @Test
    void hookIsToldOfItsCommand() {
        var env = made(hooked(5, 7)).getSpec().getContainers().getFirst().getEnv();
        assertThat(value(env, "MUSTER_SCALE_ID")).isEqualTo("r1");
        assertThat(value(env, "MUSTER_SCALE_ROLE")).isEqualTo("worker");
        assertThat(value(env, "MUSTER_SCALE_FROM")).isEqualTo("2");
        assertThat(value(env, "MUSTER_SCALE_TO")).isEqualTo("4");
        assertThat(value(env, "MUSTER_SCALE_ADDED")).isEqualTo("resnet-worker-2,resnet-worker-3");
        assertThat(value(env, "MUSTER_SCALE_REMOVED")).isEmpty();
        assertThat(value(env, "MUSTER_HOOK_TRY")).isEqualTo("2");
        assertThat(value(env, "MASTER_ADDR")).isEqualTo("resnet-master-0.resnet");
        assertThat(value(env, "MUSTER_INDEX")).isEqualTo("0");
    }

    private static String value(List<EnvVar> env, String name) {
        assertThat(env).extracting(EnvVar::getName).doesNotHaveDuplicates();
        return env.stream()
                .filter(v -> v.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @Test
    void podOfAHookAsksForNoRoomAndHasOnlyTheMainContainer() {
        var template =
                new PodTemplateSpecBuilder(template())
                        .editSpec()
                        .editContainer(0)
                        .addNewEnv()
                        .withName("USERS")
                        .withValue("rank's")
                        .endEnv()
                        .withNewResources()
                        .addToRequests("cpu", new Quantity("4"))
                        .endResources()
                        .addNewPort()
                        .withContainerPort(80)
                        .endPort()
                        .withNewReadinessProbe()
                        .withNewTcpSocket()
                        .withNewPort(80)
                        .endTcpSocket()
                        .endReadinessProbe()
                        .addNewVolumeMount()
                        .withName("data")
                        .withMountPath("/data")
                        .endVolumeMount()
                        .endContainer()
                        .addNewContainer()
                        .withName("side")
                        .withImage("x")
                        .endContainer()
                        .addNewInitContainer()
                        .withName("first")
                        .withImage("x")
                        .endInitContainer()
                        .addNewVolume()
                        .withName("data")
                        .withNewEmptyDir()
                        .endEmptyDir()
                        .endVolume()
                        .withServiceAccountName("trainer")
                        .withHostNetwork(true)
                        .endSpec()
                        .build();
        var master =
                new Role("master", 1, false, template, true, "main", 0, true, List.of(), 0, null);
        var pod = made(plan(1, 5, with(hook(7), master)));
        var spec = pod.getSpec();
        assertThat(spec.getNodeName()).isEqualTo("node-a");
        assertThat(spec.getRestartPolicy()).isEqualTo("Never");
        assertThat(spec.getActiveDeadlineSeconds()).isEqualTo(2);
        assertThat(spec.getHostNetwork()).isNull();
        assertThat(spec.getInitContainers()).isEmpty();
        assertThat(spec.getServiceAccountName()).isEqualTo("trainer");
        assertThat(spec.getVolumes()).hasSize(1);
        var main = spec.getContainers().getFirst();
        assertThat(spec.getContainers()).hasSize(1);
        assertThat(main.getResources()).isNull();
        assertThat(main.getPorts()).isEmpty();
        assertThat(main.getReadinessProbe()).isNull();
        assertThat(main.getVolumeMounts()).hasSize(1);
        assertThat(main.getTerminationMessagePolicy()).isEqualTo("FallbackToLogsOnError");
        assertThat(value(main.getEnv(), "USERS")).isEqualTo("hook's");
        assertThat(pod.getMetadata().getOwnerReferences()).hasSize(1);
        assertThat(
                        Labels.read(
                                "test",
                                RESNET,
                                Kind.POD,
                                pod.getMetadata().getName(),
                                pod.getMetadata().getLabels()))
                .isNotNull();
    }

    /** Kubernetes takes either name, and so does the API server for the rank. */
    @Test
    void itsServiceAccountIsTheRanksUnderItsOlderNameToo() {
        var template =
                new PodTemplateSpecBuilder(Plans.template())
                        .editSpec()
                        .withServiceAccount("trainer")
                        .endSpec()
                        .build();
        var master =
                new Role("master", 1, false, template, true, "main", 0, true, List.of(), 0, null);
        var spec = made(plan(1, 5, with(hook(7), master))).getSpec();
        assertThat(spec.getServiceAccountName()).isEqualTo("trainer");
    }
}
