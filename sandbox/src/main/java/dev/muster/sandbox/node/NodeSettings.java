package dev.muster.sandbox.node;

import dev.muster.sandbox.node.core.RestartDelay;
import dev.muster.sandbox.node.core.ServiceNames;
import dev.muster.sandbox.node.core.Taints;
import io.fabric8.kubernetes.api.model.Taint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a node is told when it starts, as the arguments of its process.
 *
 * @param kubeconfig how it reaches the API server
 * @param root the node's folder; a node that is started on it again goes on with its containers
 * @param shows what the cluster sees of it
 * @param kubeletPort where the API server asks for logs; 0 takes a free one
 * @param manners how it treats its containers
 */
public record NodeSettings(
        Path kubeconfig, String name, Path root, Shows shows, int kubeletPort, Manners manners) {

    /**
     * What the cluster sees.
     *
     * @param allocatable as Kubernetes writes quantities; all of it is pretended
     * @param labels besides the usual ones
     * @param taints that it registers with
     */
    public record Shows(
            Map<String, String> allocatable, Map<String, String> labels, List<Taint> taints) {
        public Shows {
            allocatable = new TreeMap<>(allocatable);
            labels = new TreeMap<>(labels);
            taints = List.copyOf(taints);
        }

        /** A node of this size without devices. */
        public static Shows of(int cpu, String memory) {
            return new Shows(
                    Map.of("cpu", Integer.toString(cpu), "memory", memory, "pods", "110"),
                    Map.of(),
                    List.of());
        }
    }

    /**
     * How containers are treated.
     *
     * @param endWithNode whether they end with a node that is killed; else the next one has them
     * @param services what they reach on this machine by a name of the cluster's
     */
    public record Manners(RestartDelay restartDelay, boolean endWithNode, ServiceNames services) {
        public static final Manners KUBELET = new Manners(RestartDelay.KUBELET, false);

        /** They reach pods, and no services. */
        public Manners(RestartDelay restartDelay, boolean endWithNode) {
            this(restartDelay, endWithNode, ServiceNames.NONE);
        }

        /** The same, which reach these. */
        public Manners reaching(ServiceNames these) {
            return new Manners(restartDelay, endWithNode, these);
        }
    }

    private static final Map<String, String> SIZE =
            Map.of("cpu", "4", "memory", "8Gi", "pods", "110");
    static final String USAGE =
            """
            arguments: --kubeconfig=FILE --name=NAME --root=FOLDER
              [--resource=NAME=QUANTITY]...  cpu=4, memory=8Gi and pods=110 unless said; all pretended
              [--label=KEY=VALUE]...
              [--taint=KEY=VALUE:EFFECT]...
              [--service=NAME.NAMESPACE=HOST:PORT]...  what answers here for a service's port 80
              [--kubelet-port=PORT]          0, the default, takes a free one
              [--restart-delay=SECONDS]      before a container's second restart; doubles up to 30 times
              [--end-with-node]              containers do not outlive a node that is killed\
            """;

    /**
     * Reads the arguments.
     *
     * @throws IllegalArgumentException says what is wrong with them
     */
    static NodeSettings parse(List<String> arguments) {
        var single = new TreeMap<String, String>();
        var allocatable = new TreeMap<>(SIZE);
        var labels = new TreeMap<String, String>();
        var taints = new ArrayList<Taint>();
        var services = new TreeMap<String, String>();
        for (var argument : arguments) {
            var parts = argument.split("=", 2);
            var value = parts.length == 2 ? parts[1] : "";
            switch (parts[0]) {
                case "--resource" -> put(allocatable, argument, value);
                case "--label" -> put(labels, argument, value);
                case "--service" -> put(services, argument, value);
                case "--taint" -> taints.add(Taints.parse(value));
                case "--kubeconfig", "--name", "--root", "--kubelet-port", "--restart-delay" ->
                        single.put(parts[0], value);
                case "--end-with-node" -> single.put(parts[0], "true");
                default -> throw new IllegalArgumentException("unknown argument " + argument);
            }
        }
        return new NodeSettings(
                Path.of(needed(single, "--kubeconfig")),
                needed(single, "--name"),
                Path.of(needed(single, "--root")).toAbsolutePath(),
                new Shows(allocatable, labels, taints),
                number(single, "--kubelet-port", 0),
                new Manners(
                        delay(number(single, "--restart-delay", 10)),
                        single.containsKey("--end-with-node"),
                        new ServiceNames(services)));
    }

    /** The arguments that say all this. */
    public List<String> arguments() {
        var all = new ArrayList<String>();
        all.add("--kubeconfig=" + kubeconfig.toAbsolutePath());
        all.add("--name=" + name);
        all.add("--root=" + root.toAbsolutePath());
        shows.allocatable().forEach((key, value) -> all.add("--resource=" + key + "=" + value));
        shows.labels().forEach((key, value) -> all.add("--label=" + key + "=" + value));
        shows.taints().forEach(taint -> all.add("--taint=" + Taints.text(taint)));
        manners.services()
                .addresses()
                .forEach((name, address) -> all.add("--service=" + name + "=" + address));
        all.add("--kubelet-port=" + kubeletPort);
        all.add("--restart-delay=" + manners.restartDelay().initial().toSeconds());
        if (manners.endWithNode()) {
            all.add("--end-with-node");
        }
        return all;
    }

    static RestartDelay delay(int seconds) {
        return new RestartDelay(Duration.ofSeconds(seconds), Duration.ofSeconds(30L * seconds));
    }

    private static void put(Map<String, String> map, String argument, String pair) {
        var parts = pair.split("=", 2);
        if (parts.length != 2 || parts[0].isEmpty()) {
            throw new IllegalArgumentException(argument + " is not of the form --…=KEY=VALUE");
        }
        map.put(parts[0], parts[1]);
    }

    private static String needed(Map<String, String> given, String name) {
        @Nullable String value = given.get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(name + " is not set");
        }
        return value;
    }

    private static int number(Map<String, String> given, String name, int otherwise) {
        @Nullable String value = given.get(name);
        try {
            return value == null ? otherwise : Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is not a number: " + value, e);
        }
    }
}
