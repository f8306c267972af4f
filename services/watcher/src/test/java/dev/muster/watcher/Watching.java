package dev.muster.watcher;

import static dev.muster.watcher.RealParts.API;

import dev.muster.sandbox.TestParts;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Watchers that run, in this process or in one of their own. */
final class Watching {
    /** Runs out within a test; a busy machine does not lose it. */
    static final Duration SHORT = Duration.ofSeconds(4);

    /** Never runs out within a test. */
    static final Duration LONG = Duration.ofHours(1);

    private Watching() {}

    /**
     * Starts one in this process.
     *
     * @param installation whose Leases it competes for, and whose pods it takes for its own
     * @param lease how long its Lease outlives it
     */
    static ConfigurableApplicationContext here(String installation, Duration lease) {
        makeNamespace(installation);
        return new SpringApplicationBuilder(WatcherApplication.class)
                .run(
                        settings(installation, lease)
                                .map(setting -> "--" + setting)
                                .toArray(String[]::new));
    }

    /** Starts one in a process of its own, to be killed. */
    static Process elsewhere(String installation, Path log) throws IOException {
        return elsewhere(installation, TestParts.kubeconfig(), log);
    }

    /** The same, to whom another kubeconfig is given. */
    static Process elsewhere(String installation, Path kubeconfig, Path log) throws IOException {
        makeNamespace(installation);
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.add("-Dkubeconfig=" + kubeconfig);
        command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        command.addAll(List.of("-cp", classPath(), WatcherApplication.class.getName()));
        settings(installation, SHORT).map(setting -> "--" + setting).forEach(command::add);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static Stream<String> settings(String installation, Duration lease) {
        return Stream.of(
                "server.port=0",
                "spring.kafka.bootstrap-servers=" + TestParts.bootstrapServers(),
                "spring.kafka.properties.schema.registry.url=" + TestParts.registryUrl(),
                "watcher.installation=" + installation,
                "watcher.lease-namespace=" + installation,
                "watcher.lease-duration=" + lease,
                "watcher.lease-renewal=200ms",
                "watcher.alive-every=1s");
    }

    private static void makeNamespace(String name) {
        var namespace =
                new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
        if (API.namespaces().withName(name).get() == null) {
            API.resource(namespace).create();
        }
    }

    private static String classPath() {
        return System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
