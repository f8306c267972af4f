package dev.muster.cli.system;

import dev.muster.cli.kafka.QueueFile;
import dev.muster.sandbox.SandboxConfig;
import dev.muster.sandbox.service.ServiceSpec;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * What system is wanted.
 *
 * @param sandbox its parts below
 * @param jars where the services' executable jars are
 * @param node the size of the one node; not started where the cluster is somebody else's
 * @param settings queues and pools beside {@code default}, set whenever a service was started
 * @param run how each service runs, given how it would run for a quick start
 */
public record Wanted(
        SandboxConfig sandbox,
        ServiceJars jars,
        NodeSize node,
        QueueFile settings,
        UnaryOperator<ServiceSpec> run) {
    /** The port of admission's HTTP that does not change. */
    private static final int ADMISSION = 18080;

    /** One whose services run as is best for a quick start. */
    public Wanted(SandboxConfig sandbox, ServiceJars jars, NodeSize node, QueueFile settings) {
        this(sandbox, jars, node, settings, UnaryOperator.identity());
    }

    /** The one system of this user, on ports that do not change. */
    public static SandboxConfig usual() {
        return SandboxConfig.usual().withPort(MusterSystem.ADMISSION, "http", ADMISSION);
    }

    /** One of its own in this folder, on free ports, that ends with this JVM. */
    public static SandboxConfig forThisJvm(Path folder) {
        return SandboxConfig.usual()
                .in(folder)
                .onFreePorts()
                .living(SandboxConfig.Life.OF_THIS_JVM);
    }
}
