package dev.muster.sandbox.node.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.node.core.NodeShape;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeApiIT {
    private static final String NAME = "written-by-many";
    private static final Taint FIRST = new Taint("NoSchedule", "first", null, null);
    private static final Taint SECOND = new Taint("NoSchedule", "second", null, null);
    private static final Taint THIRD = new Taint("NoSchedule", "third", null, null);

    private final KubernetesClient client =
            new KubernetesClientBuilder()
                    .withConfig(Config.fromKubeconfig(TestParts.kubeconfig().toFile()))
                    .build();
    private final NodeApi api =
            new NodeApi(
                    client,
                    new NodeShape(NAME, Map.of(), List.of(FIRST, SECOND, THIRD), Map.of(), "test"),
                    0);

    @AfterEach
    void forget() {
        client.nodes().withName(NAME).delete();
        client.close();
    }

    /** As when a controller takes off a taint while the node takes off another one. */
    @Test
    void nodeTakesOffItsTaintAlthoughOthersTakeOffTheirsMeanwhile() {
        api.register(Instant.now());
        var tries = new AtomicInteger();

        api.edit(node -> {
            var changed = without(node, SECOND);
            if (tries.incrementAndGet() == 1) {
                client.resource(without(node, FIRST)).update();
            }
            return changed;
        });

        assertThat(client.nodes().withName(NAME).get().getSpec().getTaints())
                .extracting(Taint::getKey)
                .contains("third")
                .doesNotContain("first", "second");
        assertThat(tries).hasValue(2);
    }

    private static Node without(Node node, Taint taint) {
        return new NodeBuilder(node)
                .editSpec()
                .removeMatchingFromTaints(each -> taint.getKey().equals(each.getKey()))
                .endSpec()
                .build();
    }
}
