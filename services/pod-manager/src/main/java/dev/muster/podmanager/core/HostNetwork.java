package dev.muster.podmanager.core;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Puts a pod on the network of its node. */
final class HostNetwork {
    private HostNetwork() {}

    /**
     * Names of the cluster still mean what they do elsewhere, and the scheduler keeps the pod from
     * nodes where the port is somebody's.
     *
     * @param main which container listens
     * @param port null: at none that is known
     */
    static void join(PodSpecBuilder spec, int main, @Nullable Integer port) {
        spec.withHostNetwork(true);
        if (spec.getDnsPolicy() == null || spec.getDnsPolicy().equals("ClusterFirst")) {
            spec.withDnsPolicy("ClusterFirstWithHostNet");
        }
        if (port != null) {
            var ports = new ArrayList<ContainerPort>();
            ports.add(
                    new ContainerPortBuilder()
                            .withName(HeadlessService.PORT)
                            .withContainerPort(port)
                            .withHostPort(port)
                            .build());
            spec.buildContainer(main).getPorts().stream()
                    .filter(theirs -> !HeadlessService.PORT.equals(theirs.getName()))
                    .forEach(ports::add);
            spec.editContainer(main).withPorts(ports).endContainer();
        }
    }
}
