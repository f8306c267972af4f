package dev.muster.sandbox;

import dev.muster.sandbox.kafka.Kafka;
import dev.muster.sandbox.kubernetes.ControlPlane;
import dev.muster.sandbox.kubernetes.Kwok;
import dev.muster.sandbox.kubernetes.Volcano;
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
    private static final Once<Place> PLACE = new Once<>(() -> in(folder()));
    private static final Once<Kafka> KAFKA = new Once<>(() -> Kafka.start(PLACE.get()));
    private static final Once<Registry> REGISTRY = new Once<>(() -> Registry.start(PLACE.get()));
    private static final Once<ControlPlane> API_SERVER =
            new Once<>(() -> ControlPlane.start(PLACE.get(), ControlPlane.Extent.API_SERVER));
    private static final Once<ControlPlane> CONTROL_PLANE =
            new Once<>(() ->
                    ControlPlane.start(
                            in(PLACE.get().folder().resolve("full")), ControlPlane.Extent.ALL));
    private static final Once<NodePart> LOCAL_NODE =
            new Once<>(() ->
                    NodePart.start(
                            PLACE.get(),
                            fullKubernetes().kubeconfig(),
                            "local",
                            NodeSettings.Shows.of(8, "16Gi")));

    private static final Once<Volcano> VOLCANO =
            new Once<>(() -> {
                var _ = Kwok.start(PLACE.get(), kubeconfig());
                return Volcano.start(PLACE.get(), kubeconfig());
            });

    private TestParts() {}

    /** The broker's address. It makes no topic of itself. */
    public static String bootstrapServers() {
        return KAFKA.get().bootstrapServers();
    }

    /** The root of the schema registry's Confluent API. Its rule is FULL_TRANSITIVE. */
    public static String registryUrl() {
        return REGISTRY.get().url();
    }

    /**
     * The administrator's kubeconfig of an API server without scheduler or controllers: what is
     * created stays as it is.
     */
    public static Path kubeconfig() {
        return API_SERVER.get().kubeconfig();
    }

    /**
     * Volcano's scheduler at the API server of {@link #kubeconfig}, which has its kinds, and
     * somebody who pretends to be the kubelets of pretended nodes.
     */
    public static Volcano volcano() {
        return VOLCANO.get();
    }

    /** A cluster of its own with scheduler and controllers, and without nodes. */
    public static ControlPlane fullKubernetes() {
        return CONTROL_PLANE.get();
    }

    /** A node of {@link #fullKubernetes()} whose containers are processes of this machine. */
    public static NodePart localNode() {
        return LOCAL_NODE.get();
    }

    private static Place in(Path folder) {
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
            return Files.createTempDirectory(tests, "parts-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder in " + tests, e);
        }
    }
}
