package dev.muster.bench.system;

import dev.muster.cli.Context;
import dev.muster.cli.Trouble;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.system.MusterSystem;
import dev.muster.cli.system.NodeSize;
import dev.muster.cli.system.ServiceJars;
import dev.muster.cli.system.Wanted;
import dev.muster.sandbox.SandboxConfig;
import dev.muster.sandbox.kubernetes.ControlPlane;
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
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A whole system in a folder of its own, on free ports, that ends with this JVM at the latest.
 *
 * @param cluster where a cluster runs that is not the sandbox's own: none or one
 * @param audit of the API server
 */
public record MeasuredSystem(MusterSystem muster, List<Place> cluster, AuditLog audit) {
    /** The cluster believes them for an hour. */
    private static final Duration LEASE = Duration.ofMinutes(40);

    /** What is measured on it. */
    public interface Measuring {
        void on(MeasuredSystem system) throws IOException, InterruptedException;
    }

    /**
     * Starts a system, measures, and ends it. Its logs stay only if that failed.
     *
     * @throws Trouble saying where the logs are
     */
    public static void measure(Flags flags, Nodes nodes, Progress progress, Measuring measuring)
            throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("muster-bench-");
        try {
            var system = up(folder, flags, nodes, progress);
            try {
                measuring.on(system);
            } finally {
                system.end();
            }
            MadeOnce.remove(folder);
        } catch (RuntimeException e) {
            throw Trouble.failed(e.getMessage() + " (logs: " + folder + ")", e);
        }
    }

    /**
     * Starts a system.
     *
     * @param folder of its own
     */
    public static MeasuredSystem up(Path folder, Flags flags, Nodes nodes, Progress progress) {
        return switch (nodes) {
            case Nodes.Local _ -> {
                var muster = muster(Wanted.forThisJvm(folder), flags, progress);
                var audit = new AuditLog(muster.sandbox().audit().orElseThrow());
                yield new MeasuredSystem(muster, List.of(), audit);
            }
            case Nodes.Pretended pretended -> pretended(folder, flags, pretended, progress);
        };
    }

    private static MusterSystem muster(SandboxConfig sandbox, Flags flags, Progress progress) {
        var wanted =
                new Wanted(
                        sandbox,
                        ServiceJars.ofThisRepository(),
                        NodeSize.ofTheMachine(),
                        new QueueFile(List.of()),
                        flags::applyTo);
        return MusterSystem.up(wanted, progress);
    }

    /** The cluster is one of ours beside the sandbox, which then starts no local node. */
    private static MeasuredSystem pretended(
            Path folder, Flags flags, Nodes.Pretended nodes, Progress progress) {
        var beside = folder.resolve("cluster");
        Watchdog.get().removeAfterwards(beside.resolve("data"));
        var place = new Place(beside, new UntilJvmEnds(), false, progress);
        try {
            var plane = ControlPlane.start(place, ControlPlane.Extent.PATIENT);
            var _ = Kwok.start(place, plane.kubeconfig(), stages(place, nodes.stages()), LEASE);
            progress.during("nodes", () -> make(nodes, plane.kubeconfig()));
            var sandbox = Wanted.forThisJvm(folder.resolve("muster")).onCluster(plane.kubeconfig());
            return new MeasuredSystem(
                    muster(sandbox, flags, progress), List.of(place), new AuditLog(plane.audit()));
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
            throw Trouble.failed("cannot write the stages: " + e.getMessage(), e);
        }
    }

    private static boolean make(Nodes.Pretended nodes, Path kubeconfig) {
        var size =
                Map.of(
                        "cpu",
                        new Quantity(Integer.toString(nodes.cpus())),
                        "memory",
                        new Quantity("256Gi"),
                        "pods",
                        new Quantity(Integer.toString(nodes.pods())));
        var config = Config.fromKubeconfig(kubeconfig.toFile());
        try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
            PretendedNodes.make(client, "node", nodes.count(), size, Map.of());
            return true;
        }
    }

    public Context context() {
        return muster.context();
    }

    /** Where its services run; more may be started there. */
    public Place place() {
        return muster.sandbox().place();
    }

    /** All its processes, the oldest first. */
    public List<PartProcess> processes() {
        return Stream.concat(cluster.stream(), Stream.of(place()))
                .flatMap(place -> place.keeper().running().stream())
                .toList();
    }

    /** Ends all of them. */
    public void end() {
        muster.end();
        for (var place : cluster) {
            place.keeper().running().forEach(PartProcess::kill);
        }
    }
}
