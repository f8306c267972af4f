package dev.muster.sandbox;

import dev.muster.sandbox.kafka.Kafka;
import dev.muster.sandbox.kubernetes.ControlPlane;
import dev.muster.sandbox.node.NodePart;
import dev.muster.sandbox.node.NodeSettings;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.UntilJvmEnds;
import dev.muster.sandbox.process.Watchdog;
import dev.muster.sandbox.registry.Registry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Real parts for integration tests: each is started at its first use, once per JVM, on free ports,
 * and ends with the JVM, however that ends.
 *
 * <p>Logs are kept in the module's {@code target/sandbox}; data is removed.
 */
public final class TestParts {
    private TestParts() {}

    /** The broker's address. It makes no topic of itself. */
    public static String bootstrapServers() {
        return OnceKafka.PART.bootstrapServers();
    }

    /** The root of the schema registry's Confluent API. Its rule is FULL_TRANSITIVE. */
    public static String registryUrl() {
        return OnceRegistry.PART.url();
    }

    /**
     * The administrator's kubeconfig of an API server without scheduler or controllers: what is
     * created stays as it is.
     */
    public static Path kubeconfig() {
        return OnceApiServer.PART.kubeconfig();
    }

    /** A cluster of its own with scheduler and controllers, and without nodes. */
    public static ControlPlane fullKubernetes() {
        return OnceControlPlane.PART;
    }

    /** A node of {@link #fullKubernetes()} whose containers are processes of this machine. */
    public static NodePart localNode() {
        return OnceLocalNode.PART;
    }

    private static final class OnceKafka {
        static final Kafka PART = Kafka.start(OncePlace.PLACE);
    }

    private static final class OnceRegistry {
        static final Registry PART = Registry.start(OncePlace.PLACE);
    }

    private static final class OnceApiServer {
        static final ControlPlane PART =
                ControlPlane.start(OncePlace.PLACE, ControlPlane.Extent.API_SERVER);
    }

    private static final class OnceControlPlane {
        static final ControlPlane PART =
                ControlPlane.start(OncePlace.within("full"), ControlPlane.Extent.ALL);
    }

    private static final class OnceLocalNode {
        static final NodePart PART =
                NodePart.start(
                        OncePlace.PLACE,
                        fullKubernetes().kubeconfig(),
                        "local",
                        NodeSettings.Shows.of(8, "16Gi"));
    }

    private static final class OncePlace {
        static final Place PLACE =
                new Place(folder(), new UntilJvmEnds(), false, Progress.silent());

        static Place within(String name) {
            var folder = PLACE.folder().resolve(name);
            Watchdog.get().removeAfterwards(folder.resolve("data"));
            return new Place(folder, new UntilJvmEnds(), false, Progress.silent());
        }

        private static Path folder() {
            var basedir = System.getProperty("basedir");
            var tests =
                    basedir == null
                            ? Path.of(System.getProperty("java.io.tmpdir"), "muster-sandbox")
                            : Path.of(basedir, "target", "sandbox");
            try {
                Files.createDirectories(tests);
                var folder = Files.createTempDirectory(tests, "parts-");
                Watchdog.get().removeAfterwards(folder.resolve("data"));
                return folder;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot make a folder in " + tests, e);
            }
        }
    }
}
