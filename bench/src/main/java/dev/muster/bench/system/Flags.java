package dev.muster.bench.system;

import dev.muster.cli.system.ServiceJars;
import dev.muster.sandbox.service.ServiceSpec;
import java.util.List;
import java.util.function.UnaryOperator;

/** As what the services are started. */
public enum Flags {
    /** Small, and fast to start: as {@code muster up} does. */
    QUICK_START,
    /** As the manifests and images of a deployment do, each service once. */
    DEPLOYMENT;

    /** As Kafka's own script starts it. */
    private static final List<String> BROKER =
            List.of(
                    "-Xmx1g",
                    "-XX:-UseSerialGC",
                    "-XX:+UseG1GC",
                    "-XX:MaxGCPauseMillis=20",
                    "-XX:InitiatingHeapOccupancyPercent=35",
                    "-XX:TieredStopAtLevel=4");

    /** For the broker's JVM, where they prevail over the sandbox's. */
    List<String> broker() {
        return switch (this) {
            case QUICK_START -> List.of();
            case DEPLOYMENT -> BROKER;
        };
    }

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
                    "broker with the flags of Kafka's own script, services with those of a"
                            + " deployment, for example the coordinator: "
                            + String.join(
                                    " ",
                                    new Deployment(ServiceJars.home()).jvmFlags("coordinator"));
        };
    }
}
