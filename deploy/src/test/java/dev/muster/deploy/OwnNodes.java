package dev.muster.deploy;

import dev.muster.cli.system.MusterSystem;
import dev.muster.sandbox.node.NodePart;
import dev.muster.sandbox.node.NodeSettings;
import dev.muster.sandbox.node.NodeSettings.Manners;
import dev.muster.sandbox.node.NodeSettings.Shows;
import dev.muster.sandbox.node.core.RestartDelay;
import dev.muster.sandbox.node.core.Taints;
import dev.muster.sandbox.process.Together;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * Local nodes that take the pods of one test alone, beside the node of {@link TheSystem}.
 *
 * @param owner their name, but for the number
 */
record OwnNodes(String owner, List<NodePart> nodes) implements AutoCloseable {
    private static final String KEY = "muster.test/only";
    private static final Manners MORTAL = new Manners(RestartDelay.KUBELET, true);

    /**
     * @param cpus what each node shows, so that so many pods go on it
     */
    static OwnNodes of(String owner, List<String> cpus) {
        return of(owner, cpus, 0);
    }

    /** The same; what runs on one that is killed dies with it, as where a machine does. */
    static OwnNodes mortal(String owner, List<String> cpus) {
        return mortal(owner, cpus, 0);
    }

    /** More of these. */
    static OwnNodes mortal(String owner, List<String> cpus, int first) {
        return of(owner, cpus, first, MORTAL);
    }

    /**
     * More of them.
     *
     * @param first the number of the first
     */
    static OwnNodes of(String owner, List<String> cpus, int first) {
        return of(owner, cpus, first, Manners.KUBELET);
    }

    private static OwnNodes of(String owner, List<String> cpus, int first, Manners manners) {
        var nodes = new ConcurrentLinkedQueue<NodePart>();
        try (var together = new Together()) {
            IntStream.range(0, cpus.size())
                    .forEach(i -> {
                        var name = owner + "-" + (first + i);
                        together.begin(() -> nodes.add(start(owner, name, cpus.get(i), manners)));
                    });
        }
        return new OwnNodes(owner, List.copyOf(nodes));
    }

    private static NodePart start(String owner, String name, String cpu, Manners manners) {
        var place = TheSystem.get().sandbox().place();
        var shows =
                new Shows(
                        Map.of("cpu", cpu, "memory", "1Gi", "pods", "10"),
                        Map.of(KEY, owner),
                        List.of(Taints.parse(KEY + "=" + owner + ":NoSchedule")));
        var root = place.data("node-" + name);
        var kubeconfig = TheSystem.context().kubeconfig();
        var reaching = manners.reaching(MusterSystem.reached(place));
        return NodePart.start(place, new NodeSettings(kubeconfig, name, root, shows, 0, reaching));
    }

    /** An example whose pods go to these nodes and no others. */
    String only(String yaml) {
        var pod =
                """
                spec: &pod
                        nodeSelector: {%1$s: %2$s}
                        tolerations: [{key: %1$s, value: %2$s}]
                """
                        .formatted(KEY, owner);
        return Training.with(yaml, "spec: &pod\n", pod);
    }

    NodePart named(String name) {
        return nodes.stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow();
    }

    /** Ends what still runs of them. */
    @Override
    public void close() {
        try (KubernetesClient client = TheSystem.administrator()) {
            for (var node : nodes) {
                node.stop();
                client.nodes().withName(node.name()).delete();
            }
        }
    }
}
