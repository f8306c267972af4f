package dev.muster.bench.system;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.system.MusterSystem;
import dev.muster.cli.system.NodeSize;
import dev.muster.cli.system.ServiceJars;
import dev.muster.cli.system.Wanted;
import dev.muster.sandbox.SandboxConfig;
import dev.muster.sandbox.kubernetes.FeatureGates;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.service.ServiceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A whole system in a folder of its own, on free ports, that ends with this JVM at the latest.
 *
 * @param cluster where a cluster runs that is not the sandbox's own: none or one
 * @param audit of the API server
 */
public record MeasuredSystem(MusterSystem muster, List<Place> cluster, AuditLog audit) {
    /** What is measured on it. */
    public interface Measuring {
        void on(MeasuredSystem system) throws IOException, InterruptedException;
    }

    /**
     * Starts a system, measures, and ends it. Its logs stay only if that failed.
     *
     * @throws CommandFailedException saying where the logs are
     */
    public static void measure(Flags flags, Nodes nodes, Progress progress, Measuring measuring)
            throws IOException, InterruptedException {
        measure(flags::applyTo, flags.broker(), nodes, progress, measuring);
    }

    /**
     * The same as a deployment, with services that are started in some way of their own.
     *
     * @param flags what each is started with instead
     * @throws CommandFailedException saying where the logs are
     */
    public static void measure(
            UnaryOperator<ServiceSpec> flags, Nodes nodes, Progress progress, Measuring measuring)
            throws IOException, InterruptedException {
        measure(flags, Flags.DEPLOYMENT.broker(), nodes, progress, measuring);
    }

    private static void measure(
            UnaryOperator<ServiceSpec> flags,
            List<String> broker,
            Nodes nodes,
            Progress progress,
            Measuring measuring)
            throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("muster-bench-");
        try {
            var system = up(folder, flags, broker, nodes, progress);
            try {
                measuring.on(system);
            } finally {
                system.end();
            }
            MadeOnce.remove(folder);
        } catch (RuntimeException e) {
            throw CommandFailedException.failed(e.getMessage() + " (logs: " + folder + ")", e);
        }
    }

    /**
     * Starts a system.
     *
     * @param folder of its own
     */
    public static MeasuredSystem up(Path folder, Flags flags, Nodes nodes, Progress progress) {
        return up(folder, flags::applyTo, flags.broker(), nodes, progress);
    }

    private static MeasuredSystem up(
            Path folder,
            UnaryOperator<ServiceSpec> flags,
            List<String> broker,
            Nodes nodes,
            Progress progress) {
        return switch (nodes) {
            case Nodes.Local _ -> {
                var sandbox = Wanted.forThisJvm(folder).withBroker(broker);
                var muster = muster(sandbox, flags, progress);
                var audit = new AuditLog(muster.sandbox().audit().orElseThrow());
                yield new MeasuredSystem(muster, List.of(), audit);
            }
            case Nodes.Pretended pretended -> pretended(folder, flags, broker, pretended, progress);
        };
    }

    private static MusterSystem muster(
            SandboxConfig sandbox, UnaryOperator<ServiceSpec> flags, Progress progress) {
        var wanted =
                new Wanted(
                        sandbox,
                        ServiceJars.ofThisRepository(),
                        NodeSize.ofTheMachine(),
                        new QueueFile(List.of()),
                        flags);
        return MusterSystem.up(wanted, progress);
    }

    /** The cluster is one of ours beside the sandbox, which then starts no local node. */
    private static MeasuredSystem pretended(
            Path folder,
            UnaryOperator<ServiceSpec> flags,
            List<String> broker,
            Nodes.Pretended nodes,
            Progress progress) {
        var cluster =
                PretendedCluster.up(folder.resolve("cluster"), nodes, FeatureGates.NONE, progress);
        try {
            var sandbox =
                    Wanted.forThisJvm(folder.resolve("muster"))
                            .onCluster(cluster.kubeconfig())
                            .withBroker(broker);
            return new MeasuredSystem(
                    muster(sandbox, flags, progress), List.of(cluster.place()), cluster.audit());
        } catch (RuntimeException e) {
            cluster.end();
            throw e;
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
