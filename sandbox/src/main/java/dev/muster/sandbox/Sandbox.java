package dev.muster.sandbox;

import dev.muster.sandbox.kafka.Kafka;
import dev.muster.sandbox.kubernetes.ControlPlane;
import dev.muster.sandbox.node.NodePart;
import dev.muster.sandbox.process.Locked;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.Together;
import dev.muster.sandbox.process.UntilJvmEnds;
import dev.muster.sandbox.process.Watchdog;
import dev.muster.sandbox.registry.Registry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Broker, registry and control plane of one folder, running.
 *
 * @param place where more parts may be started: they then belong to this sandbox
 * @param kubeconfig the administrator's
 * @param audit the API server's audit log; empty for a cluster that is not ours
 */
public record Sandbox(
        Place place,
        String bootstrapServers,
        String registryUrl,
        Path kubeconfig,
        Optional<Path> audit) {
    /** A JVM may have to write down its classes first, which takes seconds of a core. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    /** What lives on nothing else, or on what ends after it; all other parts end first. */
    private static final List<Set<String>> LAST =
            List.of(Set.of("kafka", "registry", "kube-apiserver"), Set.of("etcd"));

    /**
     * One part as status shows it.
     *
     * @param ports by use
     */
    public record PartStatus(PartProcess process, boolean alive, Map<String, Integer> ports) {}

    /** The same with nothing more to start. */
    public static Sandbox up(SandboxConfig config, Progress progress) {
        return up(config, progress, _ -> {});
    }

    /**
     * Starts what does not run yet; what runs is left alone. Another {@code up} or {@code down} of
     * the same folder waits meanwhile.
     *
     * @param more starts further parts at the sandbox's place
     * @throws PartFailedException when a part does not start; what this call started is then ended
     */
    public static Sandbox up(SandboxConfig config, Progress progress, Consumer<Sandbox> more) {
        return alone(config.folder(), () -> start(config, progress, more));
    }

    private static Sandbox start(SandboxConfig config, Progress progress, Consumer<Sandbox> more) {
        var place =
                switch (config.life()) {
                    case OF_THIS_JVM -> {
                        Watchdog.get().removeAfterwards(config.folder().resolve("data"));
                        yield new Place(config.folder(), new UntilJvmEnds(), false, progress);
                    }
                    case UNTIL_DOWN -> {
                        var state = new StateFile(config.folder(), config.ports());
                        yield new Place(config.folder(), state, true, progress);
                    }
                };
        var before = place.keeper().running();
        try {
            var sandbox = started(config, place);
            more.accept(sandbox);
            return sandbox;
        } catch (RuntimeException e) {
            stop(place.keeper().running().stream().filter(p -> !before.contains(p)).toList());
            throw e;
        }
    }

    private static Sandbox started(SandboxConfig config, Place place) {
        Future<Kafka> kafka;
        Future<Registry> registry;
        Future<Cluster> cluster;
        try (var together = new Together()) {
            kafka = together.begin(() -> Kafka.start(place, config.broker()));
            registry = together.begin(() -> Registry.start(place));
            cluster = together.begin(() -> Cluster.of(config, place));
        }
        return new Sandbox(
                place,
                kafka.resultNow().bootstrapServers(),
                registry.resultNow().url(),
                cluster.resultNow().kubeconfig(),
                cluster.resultNow().audit());
    }

    /** The cluster that was named, or else one of our own. */
    private record Cluster(Path kubeconfig, Optional<Path> audit) {
        static Cluster of(SandboxConfig config, Place place) {
            return config.kubeconfig()
                    .map(file -> new Cluster(file, Optional.empty()))
                    .orElseGet(() -> ours(ControlPlane.start(place, ControlPlane.Extent.ALL)));
        }

        private static Cluster ours(ControlPlane plane) {
            return new Cluster(plane.kubeconfig(), Optional.of(plane.audit()));
        }
    }

    /** All parts of the folder's sandbox, the oldest first; none where nothing was started. */
    public static List<PartStatus> status(Path folder) {
        var state = new StateFile(folder, Map.of());
        return state.known().stream()
                .map(part -> new PartStatus(part, part.alive(), state.ports(part.part())))
                .toList();
    }

    /**
     * Ends all that {@code up} started in the folder and only that, with what a killed node's pods
     * left running; what the parts keep stays.
     *
     * @return the parts that were ended
     */
    public static List<PartProcess> down(Path folder, Progress progress) {
        return alone(
                folder,
                () -> {
                    var state = new StateFile(folder, Map.of());
                    var running = state.running();
                    progress.during("ending " + running.size() + " processes", () -> stop(running));
                    NodePart.endLeftovers(folder);
                    state.remove();
                    return running;
                });
    }

    /** Ends all that was started at this sandbox's place. */
    public void end() {
        stop(place.keeper().running());
    }

    private static List<PartProcess> stop(List<PartProcess> processes) {
        var waves = new TreeMap<Integer, List<PartProcess>>();
        for (var process : processes) {
            waves.computeIfAbsent(wave(process), _ -> new ArrayList<>()).add(process);
        }
        for (var wave : waves.values()) {
            try (var together = new Together()) {
                for (var process : wave) {
                    var _ = together.begin(() -> process.stop(GRACE));
                }
            }
        }
        return processes;
    }

    private static int wave(PartProcess process) {
        for (int wave = 0; wave < LAST.size(); wave++) {
            if (LAST.get(wave).contains(process.part())) {
                return wave + 1;
            }
        }
        return 0;
    }

    private static <T> T alone(Path folder, Locked.Work<T> work) {
        try {
            return Locked.by(folder.resolve("up.lock"), work);
        } catch (IOException e) {
            throw new PartFailedException(
                    "cannot use the folder " + folder + ": " + e.getMessage(), e);
        }
    }
}
