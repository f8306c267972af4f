package dev.muster.sandbox.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.UntilJvmEnds;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterIT {
    @TempDir private static Path folder;

    private static Kwok kwok;
    private static KubernetesClient admin;

    @BeforeAll
    static void startNodes() {
        var kubeconfig = TestParts.fullKubernetes().kubeconfig();
        var place = new Place(folder, new UntilJvmEnds(), false, Progress.silent());
        kwok = Kwok.start(place, kubeconfig);
        admin = client(kubeconfig);
        var resources = Map.of("cpu", new Quantity("4"), "memory", new Quantity("8Gi"));
        PretendedNodes.make(admin, "node", 3, resources, Map.of("zone", "a"));
    }

    @AfterAll
    static void end() {
        admin.nodes().withLabel("zone", "a").delete();
        admin.close();
        kwok.process().kill();
    }

    private static KubernetesClient client(Path kubeconfig) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build();
    }

    private static Pod pod(String name, String cpu) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                // The cluster may have other tests' nodes too.
                .addToNodeSelector("zone", "a")
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .addToRequests("cpu", new Quantity(cpu))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    private static Pod created(Pod pod) {
        return admin.pods().inNamespace("default").resource(pod).create();
    }

    @Test
    void podIsScheduledRunsAndStandsInTheAuditLog() {
        var made = created(pod("small", "1"));
        var pod = admin.pods().inNamespace("default").withName("small");
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(pod.get().getStatus().getPhase()).isEqualTo("Running"));
        assertThat(pod.get().getSpec().getNodeName()).startsWith("node-");
        assertThat(TestParts.fullKubernetes().audit())
                .content()
                .containsPattern("\"verb\":\"create\".*" + made.getMetadata().getUid());

        pod.delete();
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(pod.get()).isNull());
    }

    @Test
    void podThatFitsNowhereWaits() {
        created(pod("large", "5"));
        var pod = admin.pods().inNamespace("default").withName("large");
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() ->
                        assertThat(pod.get().getStatus().getConditions())
                                .extracting("type", "reason")
                                .contains(tuple("PodScheduled", "Unschedulable")));
    }

    @Test
    void whatIsOwnedGoesWithItsOwner() {
        var maps = admin.configMaps().inNamespace("default");
        var owner =
                maps.resource(
                                new ConfigMapBuilder()
                                        .withNewMetadata()
                                        .withName("owner")
                                        .endMetadata()
                                        .build())
                        .create();
        var reference =
                new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("ConfigMap")
                        .withName("owner")
                        .withUid(owner.getMetadata().getUid())
                        .build();
        maps.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("owned")
                                .withOwnerReferences(reference)
                                .endMetadata()
                                .build())
                .create();
        maps.withName("owner").delete();
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(maps.withName("owned").get()).isNull());
    }

    @Test
    void serviceAccountHasTheRightsThatItWasGivenAndNoOthers() throws Exception {
        admin.namespaces()
                .resource(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName("muster")
                                .endMetadata()
                                .build())
                .create();
        var accounts = admin.serviceAccounts().inNamespace("muster");
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(accounts.withName("default").get()).isNotNull());
        var file = ServiceAccounts.kubeconfig(admin, "muster", "default", folder.resolve("sa"));
        assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
        try (var client = client(file)) {
            assertThat(client.getKubernetesVersion().getGitVersion()).isEqualTo("v1.36.3");
            assertThatThrownBy(() -> client.pods().inNamespace("muster").list())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("system:serviceaccount:muster:default");
        }
    }
}
