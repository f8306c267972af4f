package dev.muster.sandbox.node.core;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is run on the machine for a container: Kubernetes' text with variables expanded, and with
 * cluster names and mount paths made into what they are here.
 *
 * @param argv command and arguments; empty if the container states no command
 * @param env all of it
 * @param workingDir where it starts; null for the container's root folder
 */
public record Launch(List<String> argv, Map<String, String> env, @Nullable String workingDir) {
    /** The variable that names the folder which stands for the container's {@code /}. */
    public static final String ROOT = "MUSTER_SANDBOX_ROOT";

    /**
     * Where a container is to run.
     *
     * @param root the folder that stands for its {@code /}
     * @param inherited the variables that it has whatever its spec says, where an image has its own
     * @param allocatable of the node
     * @param port the job's rendezvous port for one that the pod states
     * @param services that answer on this machine
     */
    public record Place(
            String root,
            Map<String, String> inherited,
            Map<String, Quantity> allocatable,
            IntUnaryOperator port,
            ServiceNames services) {}

    /** A launch, or what it lacks: then the container waits. */
    public sealed interface Plan {
        record Ready(Launch launch) implements Plan {}

        record Missing(String message) implements Plan {}
    }

    /** How to run a container. */
    public static Plan of(Pod pod, Container container, Sources sources, Place place) {
        var fields = new DownwardFields(pod, place.allocatable());
        var stated = Environment.of(container, fields, sources, new Rendezvous(place.port()));
        if (!stated.missing().isEmpty()) {
            return new Plan.Missing(String.join(", ", stated.missing()));
        }
        var mounts = mounts(container, place.root());
        var names = new ClusterNames(pod, stated.ports());
        UnaryOperator<String> here =
                text -> mounts.resolve(names.resolve(place.services().resolve(text)));

        var env = new LinkedHashMap<>(place.inherited());
        // gloo takes the interface of the host's name otherwise, which no peer can reach.
        env.put("GLOO_SOCKET_IFNAME", "lo");
        env.put("HOSTNAME", PodAddress.host(pod));
        stated.values().forEach((name, value) -> env.put(name, here.apply(value)));
        env.put(ROOT, place.root());

        var argv =
                Stream.concat(container.getCommand().stream(), container.getArgs().stream())
                        .map(text -> here.apply(Expansion.expand(text, stated.values())))
                        .toList();
        var workingDir = container.getWorkingDir();
        return new Plan.Ready(
                new Launch(
                        container.getCommand().isEmpty() ? List.of() : argv,
                        env,
                        workingDir == null ? null : mounts.resolve(workingDir)));
    }

    /** The places of the container's volumes, and of its termination message. */
    public static Mounts mounts(Container container, String root) {
        return new Mounts(
                root,
                Stream.concat(
                                container.getVolumeMounts().stream().map(VolumeMount::getMountPath),
                                Stream.ofNullable(container.getTerminationMessagePath()))
                        .toList());
    }
}
