package dev.muster.bench.system;

import dev.muster.cli.CommandFailedException;
import dev.muster.sandbox.kubernetes.ControlPlane;
import dev.muster.sandbox.kubernetes.FeatureGates;
import dev.muster.sandbox.kubernetes.Kwok;
import dev.muster.sandbox.kubernetes.PretendedNodes;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.UntilJvmEnds;
import dev.muster.sandbox.process.Watchdog;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A control plane and nodes that KWOK pretends, without Muster.
 *
 * @param place where its processes run
 * @param kubeconfig the administrator's
 */
public record PretendedCluster(Place place, Path kubeconfig, AuditLog audit) {
    /** The cluster believes its nodes for an hour. */
    private static final Duration LEASE = Duration.ofMinutes(40);

    /** What is measured on it. */
    public interface Measuring {
        void on(PretendedCluster cluster) throws InterruptedException;
    }

    /**
     * Starts a cluster, measures, and ends it. Its logs stay only if that failed.
     *
     * @param gates what it can do besides
     * @throws CommandFailedException saying where the logs are
     */
    public static void measure(
            Nodes.Pretended nodes, FeatureGates gates, Progress progress, Measuring measuring)
            throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("muster-bench-");
        try {
            var cluster = up(folder, nodes, gates, progress);
            try {
                measuring.on(cluster);
            } finally {
                cluster.end();
            }
            MadeOnce.remove(folder);
        } catch (RuntimeException e) {
            throw CommandFailedException.failed(e.getMessage() + " (logs: " + folder + ")", e);
        }
    }

    /**
     * Starts a cluster that ends with this JVM at the latest.
     *
     * @param folder of its own
     */
    static PretendedCluster up(
            Path folder, Nodes.Pretended nodes, FeatureGates gates, Progress progress) {
        Watchdog.get().removeAfterwards(folder.resolve("data"));
        var place = new Place(folder, new UntilJvmEnds(), false, progress);
        try {
            var plane = ControlPlane.start(place, ControlPlane.Extent.PATIENT, gates);
            var _ = Kwok.start(place, plane.kubeconfig(), stages(place, nodes.stages()), LEASE);
            var cluster =
                    new PretendedCluster(place, plane.kubeconfig(), new AuditLog(plane.audit()));
            progress.during("nodes", () -> cluster.make(nodes));
            return cluster;
        } catch (RuntimeException e) {
            place.keeper().running().forEach(PartProcess::kill);
            throw e;
        }
    }

    private static List<Path> stages(Place place, List<String> texts) {
        var files = new ArrayList<Path>();
        try {
            for (var text : texts) {
                var file = place.data("stages").resolve("stage-" + files.size() + ".yaml");
                files.add(Files.writeString(file, text));
            }
            return files;
        } catch (IOException e) {
            throw CommandFailedException.failed("cannot write the stages: " + e.getMessage(), e);
        }
    }

    private boolean make(Nodes.Pretended nodes) {
        var size =
                Map.of(
                        "cpu",
                        new Quantity(Integer.toString(nodes.cpus())),
                        "memory",
                        new Quantity("256Gi"),
                        "pods",
                        new Quantity(Integer.toString(nodes.pods())));
        try (var client = client()) {
            PretendedNodes.make(client, "node", nodes.count(), size, Map.of());
            return true;
        }
    }

    /** The administrator's; the caller closes it. */
    public KubernetesClient client() {
        var config = Config.fromKubeconfig(kubeconfig.toFile());
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Ends all of it. */
    public void end() {
        place.keeper().running().forEach(PartProcess::kill);
    }
}
