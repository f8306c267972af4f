package dev.muster.cli.system;

import dev.muster.cli.kafka.QueueFile;
import dev.muster.sandbox.SandboxConfig;
import java.nio.file.Path;

/**
 * What system is wanted.
 *
 * @param sandbox its parts below
 * @param jars where the services' executable jars are
 * @param node the size of the one node; not started where the cluster is somebody else's
 * @param settings queues and pools beside {@code default}, set whenever a service was started
 */
public record Wanted(SandboxConfig sandbox, ServiceJars jars, NodeSize node, QueueFile settings) {
    /** The port of admission's HTTP that does not change. */
    private static final int ADMISSION = 18080;

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
