package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.Together;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;

/** Nodes that only {@link Kwok} keeps alive. */
public final class PretendedNodes {
    static final String ANNOTATION = "kwok.x-k8s.io/node=fake";

    private static final int AT_ONCE = 16;

    private PretendedNodes() {}

    /**
     * Makes nodes of one kind, named {@code prefix-0} and so on.
     *
     * @param resources what each has to give; {@code pods} is 110 if it is not there
     * @param labels besides the host name
     */
    public static void make(
            KubernetesClient client,
            String prefix,
            int count,
            Map<String, Quantity> resources,
            Map<String, String> labels) {
        var slots = new Semaphore(AT_ONCE);
        try (var together = new Together()) {
            for (int index = 0; index < count; index++) {
                var node = node(prefix + "-" + index, resources, labels);
                var _ =
                        together.begin(() -> {
                            slots.acquire();
                            try {
                                return client.nodes().resource(node).create();
                            } finally {
                                slots.release();
                            }
                        });
            }
        }
    }

    private static Node node(
            String name, Map<String, Quantity> resources, Map<String, String> labels) {
        var all = new TreeMap<>(labels);
        all.put("kubernetes.io/hostname", name);
        all.put("kubernetes.io/os", "linux");
        all.put("kubernetes.io/arch", "amd64");
        all.put("type", "kwok");
        var given = new TreeMap<>(resources);
        given.putIfAbsent("pods", new Quantity("110"));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(all)
                .addToAnnotations("kwok.x-k8s.io/node", "fake")
                .endMetadata()
                .withNewStatus()
                .withCapacity(given)
                .withAllocatable(given)
                .endStatus()
                .build();
    }
}
