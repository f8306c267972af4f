package dev.muster.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScheduledPodIT {
    @Test
    void theSchedulerBindsPodsToTheNodeAsFarAsThereIsRoom() {
        var node = TestParts.localNode();
        try (var cluster = new Cluster(TestParts.fullKubernetes().kubeconfig())) {
            var shown = cluster.client.nodes().withName(node.name()).get();
            assertThat(shown.getSpec().getTaints()).isEmpty();
            assertThat(shown.getStatus().getAllocatable()).containsEntry("cpu", new Quantity("8"));
            assertThat(shown.getStatus().getConditions())
                    .filteredOn(condition -> condition.getType().equals("Ready"))
                    .extracting(NodeCondition::getStatus)
                    .containsExactly("True");

            cluster.awaitServiceAccount();
            for (var name : new String[] {"fits", "too-big"}) {
                var pod = cluster.pod(name, "echo here");
                cluster.create(
                        pod.editSpec()
                                .withNodeName(null)
                                .editFirstContainer()
                                .withNewResources()
                                .addToRequests("cpu", new Quantity(name.equals("fits") ? "7" : "9"))
                                .endResources()
                                .endContainer()
                                .endSpec());
            }

            cluster.awaitPhase("fits", "Succeeded");
            assertThat(cluster.log("fits")).isEqualTo("here\n");
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() ->
                            assertThat(cluster.get("too-big").getStatus().getConditions())
                                    .anySatisfy(condition ->
                                            assertThat(condition.getReason())
                                                    .isEqualTo("Unschedulable")));
        }
    }
}
