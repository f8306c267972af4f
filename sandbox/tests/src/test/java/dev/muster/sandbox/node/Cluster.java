package dev.muster.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.node.NodeSettings.Manners;
import dev.muster.sandbox.node.NodeSettings.Shows;
import dev.muster.sandbox.node.process.PodFolder;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.UntilJvmEnds;
import dev.muster.sandbox.process.Watchdog;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The tests' API server, a namespace of their own in it, and nodes. */
final class Cluster implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

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

    /** One with a node, for tests that leave the node alone; it ends with this JVM. */
    static Cluster shared() {
        return Shared.CLUSTER;
    }

    private static final class Shared {
        static final Cluster CLUSTER = ofApiServer();

        static {
            CLUSTER.startNode();
        }
    }

    /** A node as tests want it: it dies with its containers, and its restarts come soon. */
    NodePart startNode() {
        return startNode(new Manners(NodeSettings.delay(1), true));
    }

    NodePart startNode(Manners manners) {
        return NodePart.start(place, settings(manners));
    }

    NodeSettings settings(Manners manners) {
        return new NodeSettings(kubeconfig, node, root, Shows.of(8, "8Gi"), 0, manners);
    }

    /** What a command says until it ends. */
    static String output(List<String> command) throws IOException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Where there are controllers, a namespace takes pods only when it has its account. */
    void awaitServiceAccount() {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(
                                        client.serviceAccounts()
                                                .inNamespace(namespace)
                                                .withName("default")
                                                .get())
                                .isNotNull());
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
        return pods(name).get();
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

    void awaitRunning(String name) {
        awaitPhase(name, "Running");
    }

    String log(String name) {
        return pods(name).getLog();
    }

    PodResource pods(String name) {
        return client.pods().inNamespace(namespace).withName(name);
    }

    void configMap(String name, String key, String value) {
        client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName(name)
                                .endMetadata()
                                .addToData(key, value)
                                .build())
                .create();
    }

    void secret(String name, String key, String value) {
        client.resource(
                        new SecretBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName(name)
                                .endMetadata()
                                .addToStringData(key, value)
                                .build())
                .create();
    }

    /** A folder of the machine. */
    Path scratch(String name) {
        return place.data(name);
    }

    /** Makes a file in the folder where the container {@code main} of a pod was started. */
    void touch(String name, String file) {
        var uid = get(name).getMetadata().getUid();
        try {
            Files.createFile(PodFolder.of(root, namespace, name, uid).root("main").resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The container {@code main}, as reported. */
    static ContainerStatus main(Pod pod) {
        var found =
                pod.getStatus().getContainerStatuses().stream()
                        .filter(status -> status.getName().equals("main"))
                        .findFirst();
        assertThat(found).isPresent();
        return found.get();
    }

    static ContainerStateTerminated end(Pod pod) {
        var end = main(pod).getState().getTerminated();
        assertThat(end).isNotNull();
        return end;
    }

    static ContainerStateWaiting waiting(Pod pod) {
        var waiting = main(pod).getState().getWaiting();
        assertThat(waiting).isNotNull();
        return waiting;
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

    private static Path folder() {
        try {
            var target = Path.of(System.getProperty("basedir", "."), "target", "sandbox");
            var folder = Files.createTempDirectory(Files.createDirectories(target), "node-");
            Watchdog.get().removeAfterwards(folder.resolve("data"));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
