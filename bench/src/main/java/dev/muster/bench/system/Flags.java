package dev.muster.bench.system;

import dev.muster.cli.system.ServiceJars;
import dev.muster.sandbox.service.ServiceSpec;

/** As what the services are started. */
public enum Flags {
    /** Small, and fast to start: as {@code muster up} does. */
    QUICK_START,
    /** As the manifests and images of a deployment do, each service once. */
    DEPLOYMENT;

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
