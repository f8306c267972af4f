package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.Context;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.system.MusterSystem;
import dev.muster.cli.system.NodeSize;
import dev.muster.cli.system.ServiceJars;
import dev.muster.cli.system.Wanted;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.service.ServiceSpec;
import dev.muster.schemas.crash.Armed;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** The whole system, started once for the tests of this module, ended with their JVM. */
final class TheSystem {
    static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private TheSystem() {}

    static MusterSystem get() {
        return Once.SYSTEM;
    }

    static Context context() {
        return get().context();
    }

    /** The API server's audit log. */
    static Path audit() {
        return get().sandbox().audit().orElseThrow();
    }

    /** A client with an administrator's rights. */
    static KubernetesClient administrator() {
        var config = Config.fromKubeconfig(context().kubeconfig().toFile());
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Makes a namespace that nobody else uses, and gives its name. */
    static String namespace(String prefix) {
        var name = prefix + "-" + NAMESPACES.incrementAndGet();
        try (var client = administrator()) {
            client.resource(
                            new NamespaceBuilder()
                                    .withNewMetadata()
                                    .withName(name)
                                    .endMetadata()
                                    .build())
                    .create();
        }
        return name;
    }

    /** The same, one that of two watcher shards this one has. */
    static String namespaceOfShard(String prefix, int shard) {
        var name = namespace(prefix);
        while (Math.floorMod(name.hashCode(), 2) != shard) {
            name = namespace(prefix);
        }
        return name;
    }

    /** A part or a service that runs. */
    static PartProcess running(String part) {
        return get().sandbox().place().keeper().running(part).orElseThrow();
    }

    /** Kills a service as a crash would. */
    static void kill(String service) {
        var _ = running(service).kill();
    }

    /**
     * Sends a signal.
     *
     * @param signal {@code STOP} or {@code CONT}
     */
    static void signal(PartProcess process, String signal)
            throws IOException, InterruptedException {
        var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()));
        assertThat(kill.inheritIO().start().waitFor()).isZero();
    }

    /** Starts a service again that was killed, and waits until it is ready. */
    static void restart(String service) {
        var _ = get().services().get(service).restart();
    }

    /** The file that ends a service at the point that stands in it; see {@link Armed}. */
    static Path crashFile(String service) {
        return get().sandbox().place().folder().resolve("crash-" + service);
    }

    /** Not within {@link Once}: other threads call it while that is made. */
    private static UnaryOperator<ServiceSpec> armed(Path folder) {
        return spec -> {
            var file = folder.resolve("crash-" + spec.name());
            var flags = new ArrayList<>(spec.jvmFlags());
            flags.add("-D" + Armed.PROPERTY + "=" + file);
            return spec.withJvmFlags(flags);
        };
    }

    private static final class Once {
        static final MusterSystem SYSTEM = up();

        private static MusterSystem up() {
            try {
                var folder = Files.createDirectories(Path.of("target", "system").toAbsolutePath());
                var run = Files.createTempDirectory(folder, "run-");
                var wanted =
                        new Wanted(
                                Wanted.forThisJvm(run),
                                new ServiceJars(REPOSITORY),
                                new NodeSize(4, "8Gi"),
                                new QueueFile(List.of()),
                                armed(run));
                return MusterSystem.up(wanted, Progress.silent());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
