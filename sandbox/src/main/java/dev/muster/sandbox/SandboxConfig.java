package dev.muster.sandbox;

import dev.muster.sandbox.process.PartFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What sandbox is wanted.
 *
 * @param folder has its state, data and logs; one sandbox per folder
 * @param ports the ports to take, by {@code part.use}; any other is one that is free
 * @param kubeconfig of a cluster that is there already; empty: the sandbox starts one
 * @param life how long its processes may live
 * @param broker flags for the broker's JVM, which prevail over the usual ones
 */
public record SandboxConfig(
        Path folder,
        Map<String, Integer> ports,
        Optional<Path> kubeconfig,
        Life life,
        List<String> broker) {
    private static final Map<String, Integer> USUAL =
            Map.of(
                    "kafka.client", 19092,
                    "registry.http", 18081,
                    "kube-apiserver.https", 16443);

    public SandboxConfig {
        ports = new TreeMap<>(ports);
        broker = List.copyOf(broker);
        kubeconfig.ifPresent(file -> {
            if (!Files.isReadable(file)) {
                throw new PartFailedException("the kubeconfig " + file + " cannot be read");
            }
        });
    }

    /** How long the processes of a sandbox may live. */
    public enum Life {
        /** Until somebody says down. What the parts keep survives that. */
        UNTIL_DOWN,
        /** As long as this JVM, however it ends. */
        OF_THIS_JVM
    }

    /** The one sandbox of this user, on ports that do not change. */
    public static SandboxConfig usual() {
        return new SandboxConfig(
                usualFolder(), USUAL, Optional.empty(), Life.UNTIL_DOWN, List.of());
    }

    /** Where it is: {@code ~/.local/state/muster}. */
    public static Path usualFolder() {
        return Path.of(System.getProperty("user.home"), ".local", "state", "muster");
    }

    /** The same with one more port that does not change. */
    public SandboxConfig withPort(String part, String use, int port) {
        var all = new TreeMap<>(ports);
        all.put(part + "." + use, port);
        return new SandboxConfig(folder, all, kubeconfig, life, broker);
    }

    /** The same on ports that happen to be free. */
    public SandboxConfig onFreePorts() {
        return new SandboxConfig(folder, Map.of(), kubeconfig, life, broker);
    }

    public SandboxConfig in(Path other) {
        return new SandboxConfig(other, ports, kubeconfig, life, broker);
    }

    public SandboxConfig onCluster(Path file) {
        return new SandboxConfig(folder, ports, Optional.of(file), life, broker);
    }

    public SandboxConfig living(Life other) {
        return new SandboxConfig(folder, ports, kubeconfig, other, broker);
    }

    public SandboxConfig withBroker(List<String> flags) {
        return new SandboxConfig(folder, ports, kubeconfig, life, flags);
    }
}
