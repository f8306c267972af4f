package dev.muster.sandbox.node.core;

import dev.muster.sandbox.node.core.PodShape.Unit;
import dev.muster.sandbox.node.core.RunState.Ended;
import dev.muster.sandbox.node.core.RunState.Running;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pods and what became of them, in few words. */
final class Fixtures {
    static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    static final PodRules RULES = new PodRules(RestartDelay.KUBELET);

    private Fixtures() {}

    /** A pod of these containers; {@code +name} is a sidecar, {@code -name} an init container. */
    static PodShape shape(RestartPolicy restart, String... names) {
        var inits = List.of(names).stream().filter(name -> name.matches("[+-].*"));
        var mains = List.of(names).stream().filter(name -> !name.matches("[+-].*"));
        return new PodShape(
                restart,
                inits.map(name -> new Unit(name.substring(1), name.startsWith("+"), false, null))
                        .toList(),
                mains.map(name -> new Unit(name, false, false, null)).toList(),
                Optional.empty(),
                Duration.ofSeconds(30));
    }

    static PodRun taken() {
        return PodRun.taken(NOON);
    }

    static ContainerRun running() {
        return new ContainerRun(0, new Running(NOON), null, null, true);
    }

    static ContainerRun ended(int code) {
        return new ContainerRun(0, end(code), null, null, false);
    }

    static Ended end(int code) {
        return new Ended(code, code == 0 ? "Completed" : "Error", "", NOON, NOON);
    }

    /** The containers {@code name, run, name, run …} of a pod. */
    static PodRun run(Object... namesAndRuns) {
        var run = taken();
        for (int i = 0; i < namesAndRuns.length; i += 2) {
            var container = (ContainerRun) namesAndRuns[i + 1];
            run = run.with((String) namesAndRuns[i], _ -> container);
        }
        return run;
    }

    /** The pod {@code ml/net-worker-1} with one container, {@code main}. */
    static PodBuilder pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("ml")
                .withName("net-worker-1")
                .withUid("u-1")
                .addToLabels("role", "worker")
                .addToAnnotations("note", "a \"b\"")
                .endMetadata()
                .withNewSpec()
                .withNodeName("here")
                .withSubdomain("net")
                .addNewContainer()
                .withName("main")
                .withCommand("run")
                .endContainer()
                .endSpec();
    }

    static Map<String, Quantity> node() {
        return Map.of("cpu", new Quantity("8"), "memory", new Quantity("16Gi"));
    }
}
