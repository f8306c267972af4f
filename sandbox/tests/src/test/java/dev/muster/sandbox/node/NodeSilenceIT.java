package dev.muster.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import java.time.Duration;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("crash")
@Tag("only-in-profile-crash")
class NodeSilenceIT {
    /** The controllers believe in a silent node for 50 s. */
    private static final Duration NOTICED = Duration.ofSeconds(120);

    @Test
    void aNodeRenewsItsLeaseAndIsNotReadyOnceItDoesNot() {
        try (var cluster = new Cluster(TestParts.fullKubernetes().kubeconfig())) {
            var node = cluster.startNode();
            var first = renewed(cluster);
            await().atMost(Duration.ofMinutes(2)).until(() -> renewed(cluster).isAfter(first));

            node.process().kill();

            await().atMost(NOTICED)
                    .untilAsserted(() -> {
                        assertThat(ready(cluster)).isEqualTo("Unknown");
                        assertThat(node(cluster).getSpec().getTaints())
                                .extracting(Taint::getKey)
                                .contains("node.kubernetes.io/unreachable");
                    });

            cluster.startNode();
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> {
                        assertThat(ready(cluster)).isEqualTo("True");
                        assertThat(node(cluster).getSpec().getTaints()).isEmpty();
                    });
        }
    }

    private static ZonedDateTime renewed(Cluster cluster) {
        return cluster.client
                .leases()
                .inNamespace("kube-node-lease")
                .withName(cluster.node)
                .get()
                .getSpec()
                .getRenewTime();
    }

    private static Node node(Cluster cluster) {
        return cluster.client.nodes().withName(cluster.node).get();
    }

    private static String ready(Cluster cluster) {
        return node(cluster).getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .findFirst()
                .orElseThrow()
                .getStatus();
    }
}
