package dev.muster.bench.system;

import static java.util.Objects.requireNonNull;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.system.ServiceJars;
import dev.muster.sandbox.kafka.Kafka;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.Together;
import dev.muster.sandbox.process.UntilJvmEnds;
import dev.muster.sandbox.process.Watchdog;
import dev.muster.sandbox.registry.Registry;
import dev.muster.sandbox.service.ServiceProcess;
import dev.muster.sandbox.service.ServiceSpec;
import dev.muster.schemas.TopicCreator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;

/** What decides, without a cluster: Kafka, a registry, admission and the coordinator. */
public record Deciders(Place place, Context context) {
    private static final String ADMISSION = "admission";

    /** What is measured on them. */
    public interface Measuring {
        void on(Deciders deciders) throws IOException, InterruptedException;
    }

    /**
     * Starts them in a folder of their own, measures, and ends them. Their logs stay only if that
     * failed.
     *
     * @throws CommandFailedException saying where the logs are
     */
    public static void measure(Flags flags, Progress progress, Measuring measuring)
            throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("muster-bench-");
        Watchdog.get().removeAfterwards(folder.resolve("data"));
        var place = new Place(folder, new UntilJvmEnds(), false, progress);
        try {
            measuring.on(up(place, flags));
        } catch (RuntimeException e) {
            throw CommandFailedException.failed(e.getMessage() + " (logs: " + folder + ")", e);
        } finally {
            place.keeper().running().forEach(PartProcess::kill);
        }
        MadeOnce.remove(folder);
    }

    private static Deciders up(Place place, Flags flags) {
        Future<Kafka> broker;
        Future<Registry> schemas;
        try (var together = new Together()) {
            broker = together.begin(() -> Kafka.start(place, flags.broker()));
            schemas = together.begin(() -> Registry.start(place));
        }
        var bootstrap = broker.resultNow().bootstrapServers();
        try (var admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap))) {
            var _ = new TopicCreator(admin, 1).run();
        }
        var registry = schemas.resultNow().url();
        var jars = ServiceJars.ofThisRepository();
        Future<ServiceProcess> admission;
        try (var together = new Together()) {
            admission =
                    together.begin(() -> start(ADMISSION, jars, flags, place, bootstrap, registry));
            var _ =
                    together.begin(() ->
                            start(
                                    Service.COORDINATOR.title(),
                                    jars,
                                    flags,
                                    place,
                                    bootstrap,
                                    registry));
        }
        var url = requireNonNull(admission.resultNow()).url();
        return new Deciders(
                place, new Context(url, bootstrap, registry, Path.of("there-is-no-cluster")));
    }

    private static ServiceProcess start(
            String name,
            ServiceJars jars,
            Flags flags,
            Place place,
            String bootstrap,
            String registry) {
        var spec =
                ServiceSpec.of(name, jars.of(name))
                        .with("spring.kafka.bootstrap-servers", bootstrap)
                        .with("spring.kafka.properties.schema.registry.url", registry)
                        .withVariable("KUBECONFIG", "");
        return ServiceProcess.start(place, flags.applyTo(spec));
    }

    /** All that runs. */
    public List<PartProcess> processes() {
        return place.keeper().running();
    }
}
