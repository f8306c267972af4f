package dev.muster.cli.system;

import static java.util.Objects.requireNonNull;

import dev.muster.cli.Context;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.kafka.Requests;
import dev.muster.sandbox.Sandbox;
import dev.muster.sandbox.node.NodePart;
import dev.muster.sandbox.node.NodeSettings.Shows;
import dev.muster.sandbox.node.core.ServiceNames;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.Together;
import dev.muster.sandbox.service.ServiceProcess;
import dev.muster.sandbox.service.ServiceSpec;
import dev.muster.schemas.TopicCreator;
import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.QueueSpec;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Sandbox, topics, the four services and a node, running.
 *
 * @param services by name
 */
public record MusterSystem(Sandbox sandbox, Map<String, ServiceProcess> services, Context context) {
    static final String ADMISSION = "admission";

    private static final List<String> SERVICES =
            List.of(ADMISSION, "coordinator", "pod-manager", "watcher");

    private static final String NODE = "local";

    /** As pods of a cluster reach admission: its service in {@code deploy}. */
    private static final String SERVICE = "admission.muster-system";

    /** The same for those that only report: here they have no port of their own. */
    private static final String REPORTS = "admission-reports.muster-system";

    /** What a first job needs. Whoever has set them otherwise since keeps them so. */
    private static final QueueFile DEFAULTS =
            new QueueFile(
                    List.of(
                            new PoolSetting("default", PoolSpec.newBuilder().build()),
                            new QueueSetting("default", QueueSpec.newBuilder().build())));

    /**
     * Starts what does not run yet, and anew what runs from an older build or with other settings.
     *
     * @throws PartFailedException when a part does not start; what this call started is then ended
     */
    public static MusterSystem up(Wanted wanted, Progress progress) {
        // Before anything is started.
        SERVICES.forEach(wanted.jars()::of);
        var made = new AtomicReference<MusterSystem>();
        Sandbox.up(
                wanted.sandbox(),
                progress,
                sandbox -> made.set(new Start(wanted, sandbox, progress).all()));
        return requireNonNull(made.get(), "up answers after the start");
    }

    /** What containers on a local node reach by a name that it has in a cluster. */
    public static ServiceNames reached(Place place) {
        var address = "127.0.0.1:" + place.port(ADMISSION, "http");
        return new ServiceNames(Map.of(SERVICE, address, REPORTS, address));
    }

    /** Ends all that was started at the sandbox's place. */
    public void end() {
        sandbox.end();
    }

    /** One start of what stands on a sandbox. */
    private record Start(Wanted wanted, Sandbox sandbox, Progress progress) {
        MusterSystem all() {
            var before = sandbox.place().keeper().running();
            Future<Map<String, Path>> access;
            try (var together = new Together()) {
                var _ = together.begin(() -> progress.during("topics", this::topics));
                access = together.begin(this::access);
            }
            var services = services(access.resultNow());
            var context =
                    new Context(
                            requireNonNull(services.get(ADMISSION)).url(),
                            sandbox.bootstrapServers(),
                            sandbox.registryUrl(),
                            sandbox.kubeconfig());
            if (services.values().stream().anyMatch(s -> !before.contains(s.process()))) {
                progress.during("queues", () -> settings(context));
            }
            return new MusterSystem(sandbox, services, context);
        }

        private Map<String, ServiceProcess> services(Map<String, Path> access) {
            var begun = new ConcurrentSkipListMap<String, ServiceProcess>();
            // Before it may be taken, by admission itself.
            var reached = reached(sandbox.place());
            try (var together = new Together()) {
                if (wanted.sandbox().kubeconfig().isEmpty()) {
                    var _ = together.begin(() -> node(reached));
                }
                for (var name : SERVICES) {
                    var _ =
                            together.begin(() -> {
                                var place = sandbox.place();
                                var spec = spec(name, access.get(name));
                                var service = ServiceProcess.start(place, spec);
                                return begun.put(name, service);
                            });
                }
            }
            return Map.copyOf(begun);
        }

        /**
         * Whatever cluster this JVM's environment names, it is not for a service without rights.
         */
        private ServiceSpec spec(String name, @Nullable Path kubeconfig) {
            var quick =
                    ServiceSpec.of(name, wanted.jars().of(name))
                            .with("spring.kafka.bootstrap-servers", sandbox.bootstrapServers())
                            .with(
                                    "spring.kafka.properties.schema.registry.url",
                                    sandbox.registryUrl())
                            .withVariable("KUBECONFIG", Objects.toString(kubeconfig, ""));
            return wanted.run().apply(quick);
        }

        private NodePart node(ServiceNames reached) {
            var shows = Shows.of(wanted.node().cpus(), wanted.node().memory());
            return NodePart.start(sandbox.place(), sandbox.kubeconfig(), NODE, shows, reached);
        }

        private int topics() {
            var config = Map.<String, Object>of("bootstrap.servers", sandbox.bootstrapServers());
            try (var admin = Admin.create(config)) {
                return new TopicCreator(admin, 1).run().size();
            } catch (KafkaException e) {
                throw new PartFailedException("cannot make the topics: " + e.getMessage(), e);
            }
        }

        /** How each service that may reach the cluster reaches it; the others do not. */
        private Map<String, Path> access() {
            var config = Config.fromKubeconfig(sandbox.kubeconfig().toFile());
            try (var administrator = new KubernetesClientBuilder().withConfig(config).build()) {
                var accounts = new Accounts(administrator, wanted.jars().manifests());
                return wanted.sandbox()
                        .kubeconfig()
                        .map(accounts::lend)
                        .orElseGet(() -> accounts.make(sandbox.place()));
            }
        }

        private boolean settings(Context context) {
            try (var requests = Requests.open(context, "muster up")) {
                DEFAULTS.applyToMissing(requests);
                wanted.settings().apply(requests, _ -> {});
            }
            return true;
        }
    }
}
