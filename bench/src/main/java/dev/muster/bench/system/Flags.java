package dev.muster.bench.system;

import dev.muster.cli.system.ServiceJars;
import dev.muster.sandbox.service.ServiceSpec;
import java.util.function.UnaryOperator;

/** As what the services are started. */
public enum Flags {
    /** Small, and fast to start: as {@code muster up} does. */
    QUICK_START,
    /** As the manifests and images of a deployment do, each service once. */
    DEPLOYMENT;

    /**
     * A deployment's, but for the limit of one service's memory.
     *
     * @param bytes of it
     */
    public static UnaryOperator<ServiceSpec> deploymentWith(Service service, long bytes) {
        return quick -> {
            var spec = DEPLOYMENT.applyTo(quick);
            return quick.name().equals(service.title())
                    ? spec.withJvmFlags(new Deployment(ServiceJars.home()).jvmFlags(bytes))
                    : spec;
        };
    }

    ServiceSpec applyTo(ServiceSpec quick) {
        var spec =
                switch (this) {
                    case QUICK_START -> quick;
                    case DEPLOYMENT ->
                            quick.deployedWith(
                                    new Deployment(ServiceJars.home()).jvmFlags(quick.name()));
                };
        return quick.name().equals(Service.COORDINATOR.title()) ? Replicas.named(spec) : spec;
    }

    /** In words, for reports. */
    public String said() {
        return switch (this) {
            case QUICK_START -> "services with the flags of a quick start";
            case DEPLOYMENT ->
                    "services with the flags of a deployment, for example the coordinator: "
                            + String.join(
                                    " ",
                                    new Deployment(ServiceJars.home()).jvmFlags("coordinator"));
        };
    }
}
