package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Hosts.Shell;
import dev.muster.podmanager.core.Plan.Framework;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Role;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many processes a launcher may start where: roles of one job may have other devices. */
class SlotsTest {
    private static final Hosts HOSTS = new Hosts(7, Shell.AGENT);
    private static final PlannedPod LAUNCHER = planned("launcher", 0, false);

    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    @Test
    void byDevicesEachRoleHasItsOwnAndOneAtLeast() {
        var run = run("gpu");
        assertThat(list(run))
                .containsEntry(
                        "hosts",
                        """
                        resnet-pair-0.resnet:2
                        resnet-pair-1.resnet:2
                        resnet-four-0.resnet:4
                        resnet-plain-0.resnet:1
                        """)
                .containsEntry(
                        "hostfile",
                        """
                        resnet-pair-0.resnet slots=2
                        resnet-pair-1.resnet slots=2
                        resnet-four-0.resnet slots=4
                        resnet-plain-0.resnet slots=1
                        """);
        // Of each role as many pods as it has, the launcher aside.
        assertThat(variables(run, LAUNCHER)).containsEntry("MUSTER_NP", "9");
        assertThat(variables(run, planned("pair", 1, true))).containsEntry("MUSTER_SLOTS", "2");
        assertThat(variables(run, planned("four", 0, true))).containsEntry("MUSTER_SLOTS", "4");
        assertThat(variables(run, planned("plain", 0, true))).containsEntry("MUSTER_SLOTS", "1");
    }

    @Test
    void numberThatIsSaidIsThatOfAllWhateverDevicesTheyHave() {
        var run = run("3");
        assertThat(list(run).get("hosts").lines())
                .containsExactly(
                        "resnet-pair-0.resnet:3",
                        "resnet-pair-1.resnet:3",
                        "resnet-four-0.resnet:3",
                        "resnet-plain-0.resnet:3");
        assertThat(variables(run, LAUNCHER)).containsEntry("MUSTER_NP", "12");
        assertThat(variables(run, planned("four", 0, true))).containsEntry("MUSTER_SLOTS", "3");
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu, 3",
        "nvidia.com/gpu.shared, 3",
        "nvidia.com/mig-1g.5gb, 3",
        "gpu.intel.com/i915, 3",
        "gpu.intel.com/xe, 3",
        "habana.ai/gaudi, 3",
        "aws.amazon.com/neuron, 3",
        "aws.amazon.com/neuroncore, 3",
        "google.com/tpu, 3",
        "huawei.com/Ascend910, 3",
        "cambricon.com/mlu, 3",
        // They train nothing.
        "gpu.intel.com/i915_monitoring, 1",
        "vpc.amazonaws.com/efa, 1",
        "rdma/hca_shared_devices_a, 1",
        "cpu, 1"
    })
    void whatTrainsIsADeviceWhosesoeverItIs(String resource, int slots) {
        var limits = Map.of(resource, "3", "rdma/hca", "8", "memory", "64Gi");
        assertThat(Environment.processes(run("gpu"), role("any", 1, limits))).isEqualTo(slots);
    }

    /** As Kubernetes reads amounts, so far as it takes them. */
    @ParameterizedTest
    @CsvSource({"3, 3", "1.0, 1", "2000m, 2", "1k, 1000", "2e0, 2", "0, 1"})
    void amountOfDevicesMayBeWrittenInAnyWay(String amount, int slots) {
        var role = role("any", 1, Map.of("nvidia.com/gpu", amount));
        assertThat(Environment.processes(run("gpu"), role)).isEqualTo(slots);
    }

    /** The API server refuses it in words. */
    @ParameterizedTest
    @CsvSource({"1500m, 2", "5G, 2147483647"})
    void amountThatNoPodCanHaveStandsInNobodysWay(String amount, int slots) {
        var role = role("any", 1, Map.of("nvidia.com/gpu", amount));
        assertThat(Environment.processes(run("gpu"), role)).isEqualTo(slots);
    }

    private Map<String, String> list(Run run) {
        var action = reconcile.decide(plan(1, 7, run), listing(service(1))).getFirst();
        return Objects.requireNonNull(((ConfigMap) ((Apply) action).object()).getData());
    }

    private static Map<String, String> variables(Run run, PlannedPod pod) {
        return Launching.variables(run, pod, HOSTS).stream()
                .filter(variable -> variable.getValue() != null)
                .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }

    private static Run run(String processes) {
        return RunBuilder.of(
                        Framework.HOROVOD,
                        List.of(
                                role("launcher", 1, Map.of()),
                                role("pair", 2, Map.of("nvidia.com/gpu", "2", "cpu", "8")),
                                role("four", 1, Map.of("amd.com/gpu", "4")),
                                role("plain", 1, Map.of("cpu", "16"))),
                        LAUNCHER,
                        planned("pair", 0, true),
                        planned("pair", 1, true),
                        planned("four", 0, true),
                        planned("plain", 0, true))
                .nprocPerNode(processes)
                .hosts(HOSTS)
                .build();
    }

    private static PlannedPod planned(String role, int index, boolean host) {
        return new PlannedPod(new Rank(role, index), 1, null, null, null, false, 0, host, null);
    }

    private static Role role(String name, int replicas, Map<String, String> limits) {
        var template =
                new PodTemplateSpecBuilder()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withNewResources()
                        .withLimits(
                                limits.entrySet().stream()
                                        .collect(
                                                Collectors.toMap(
                                                        Map.Entry::getKey,
                                                        limit -> new Quantity(limit.getValue()))))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build();
        return new Role(
                name, replicas, false, template, false, "main", 0, false, List.of(), 0, null);
    }
}
