package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.SettingKind;
import dev.muster.cli.http.Admission;
import dev.muster.sandbox.kubernetes.Volcano;
import dev.muster.sandbox.process.Progress;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * A pool whose gangs Volcano's own scheduler binds, its queue, and nodes that take its pods alone.
 *
 * @param name of all of them
 */
record VolcanoPool(String name, OwnNodes nodes) implements AutoCloseable {
    /**
     * Makes one.
     *
     * @param capacity {@code delegated} or {@code observed}
     * @param cpus what each node shows
     */
    static VolcanoPool of(String name, String capacity, List<String> cpus) {
        Once.run();
        var nodes = OwnNodes.of(name, cpus);
        put(
                SettingKind.POOL,
                name,
                "{\"nodeSelector\": {\"muster.test/only\": \"%s\"}, \"backend\": \"volcano\","
                                .formatted(name)
                        + " \"capacity\": \"%s\", \"backendQueue\": \"default\"}"
                                .formatted(capacity));
        put(SettingKind.QUEUE, name, "{\"pool\": \"%s\"}".formatted(name));
        return new VolcanoPool(name, nodes);
    }

    static void put(SettingKind kind, String name, String patch) {
        var json = JsonMapper.shared().readTree("{\"spec\": " + patch + "}");
        var answer = new Admission(TheSystem.context()).change(kind, name, json, true);
        assertThat(answer.status()).as(answer.message()).isLessThan(300);
    }

    /** One more node, the third. */
    OwnNodes oneMore(String cpu) {
        return OwnNodes.of(name, List.of(cpu), nodes.nodes().size());
    }

    @Override
    public void close() {
        nodes.close();
    }

    /** The scheduler, which the classes that need it share; it ends with the system. */
    private static final class Once {
        private static final Volcano VOLCANO = start();

        private static Volcano start() {
            try (var client = TheSystem.administrator()) {
                Volcano.addKinds(client, Progress.silent());
            }
            return Volcano.start(
                    TheSystem.get().sandbox().place(), TheSystem.context().kubeconfig());
        }

        static void run() {
            assertThat(VOLCANO.process().pid()).isPositive();
        }
    }
}
