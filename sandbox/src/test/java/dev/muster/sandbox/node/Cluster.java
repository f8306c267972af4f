package dev.muster.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.node.NodeSettings.Manners;
import dev.muster.sandbox.node.NodeSettings.Shows;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.UntilJvmEnds;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The tests' API server, a namespace of their own in it, and nodes. */
final class Cluster implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final KubernetesClient client;
    final String namespace;
    final String node;
    private final Path kubeconfig;
    private final Place place;
    private final Path root;

    Cluster(Path kubeconfig) {
        this.kubeconfig = kubeconfig;
        this.client =
                new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                        .build();
        int number = COUNT.incrementAndGet();
        this.namespace = "node-test-" + number;
        this.node = "test-" + number;
        this.place = new Place(folder(), new UntilJvmEnds(), false, Progress.silent());
        this.root = place.data("node-" + node);
        client.resource(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(namespace)
                                .endMetadata()
                                .build())
                .create();
    }

    static Cluster ofApiServer() {
        return new Cluster(TestParts.kubeconfig());
    }

    /** A node as tests want it: it dies with its containers, and its restarts come soon. */
    NodePart startNode() {
        return startNode(new Manners(NodeSettings.delay(1), true));
    }

    NodePart startNode(Manners manners) {
        return NodePart.start(
                place, new NodeSettings(kubeconfig, node, root, Shows.of(8, "8Gi"), 0, manners));
    }

    /** A pod of this node with a shell script as its one container, {@code main}. */
    PodBuilder pod(String name, String script) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(20L)
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withCommand("sh", "-c", script)
                .endContainer()
                .endSpec();
    }

    Pod create(PodBuilder pod) {
        return client.resource(pod.build()).create();
    }

    Pod get(String name) {
        return client.pods().inNamespace(namespace).withName(name).get();
    }

    Pod awaitPhase(String name, String phase) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get(name).getStatus().getPhase()).isEqualTo(phase));
        return get(name);
    }

    void awaitGone(String name) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(get(name)).isNull());
    }

    void awaitLog(String name, String text) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(log(name)).contains(text));
    }

    String log(String name) {
        return client.pods().inNamespace(namespace).withName(name).getLog();
    }

    static ContainerStatus main(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .filter(status -> status.getName().equals("main"))
                .findFirst()
                .orElseThrow();
    }

    static ContainerStateTerminated end(Pod pod) {
        return main(pod).getState().getTerminated();
    }

    /** Whether a process runs that has this word in its command line. */
    static boolean runs(String word) {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .anyMatch(line -> line.contains(word));
    }

    static void awaitNothingRuns(String word) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(runs(word)).isFalse());
    }

    @Override
    public void close() {
        place.keeper().running().forEach(process -> process.stop(NodePart.STOP));
        client.close();
    }

    static List<String> lines(String text) {
        return text.lines().toList();
    }

    private static Path folder() {
        try {
            var target = Path.of(System.getProperty("basedir", "."), "target", "sandbox");
            return Files.createTempDirectory(Files.createDirectories(target), "node-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
