package dev.muster.sandbox.node.core;

import static dev.muster.sandbox.node.core.Fixtures.NOON;
import static dev.muster.sandbox.node.core.Fixtures.RULES;
import static dev.muster.sandbox.node.core.Fixtures.end;
import static dev.muster.sandbox.node.core.Fixtures.ended;
import static dev.muster.sandbox.node.core.Fixtures.pod;
import static dev.muster.sandbox.node.core.Fixtures.run;
import static dev.muster.sandbox.node.core.Fixtures.running;
import static dev.muster.sandbox.node.core.Fixtures.taken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.sandbox.node.core.PodRun.Why;
import dev.muster.sandbox.node.core.RestartDelay.Backoff;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodStatusesTest {
    private static final Pod POD =
            pod().editSpec()
                    .withRestartPolicy("OnFailure")
                    .addNewInitContainer()
                    .withName("init")
                    .withImage("i:1")
                    .endInitContainer()
                    .endSpec()
                    .build();
    private static final Instant LATER = NOON.plusSeconds(90);

    @ParameterizedTest
    @MethodSource
    void isReportedAsAKubeletWould(String golden, PodRun run, boolean over) {
        var status = new PodStatuses(POD, PodShape.of(POD), RULES).of(run, over, List.of(), LATER);
        assertThat(Serialization.asYaml(status)).isEqualTo(golden(golden));
    }

    static Stream<Arguments> isReportedAsAKubeletWould() {
        var ok = ended(0);
        var wait = new Backoff(Duration.ofSeconds(10), NOON);
        return Stream.of(
                argumentSet("taken", "taken.yaml", taken(), false),
                argumentSet("runs", "runs.yaml", run("init", ok, "main", running()), false),
                argumentSet(
                        "restarts",
                        "restarts.yaml",
                        run("init", ok, "main", new ContainerRun(1, end(3), end(2), wait, false)),
                        false),
                argumentSet("succeeded", "succeeded.yaml", run("init", ok, "main", ok), true),
                argumentSet(
                        "too late",
                        "too-late.yaml",
                        run("init", ok, "main", ended(137)).ending(Why.DEADLINE, NOON),
                        true),
                argumentSet(
                        "deleted early",
                        "deleted-early.yaml",
                        run("init", ok).ending(Why.DELETED, NOON),
                        true));
    }

    @Test
    void aConditionThatStaysKeepsItsTime() {
        var statuses = new PodStatuses(POD, PodShape.of(POD), RULES);
        var before = statuses.of(run("init", ended(0)), false, List.of(), NOON);
        var after =
                statuses.of(
                        run("init", ended(0), "main", running()),
                        false,
                        before.getConditions(),
                        LATER);
        assertThat(since(after, "Initialized")).isEqualTo("2026-01-01T12:00:00Z");
        assertThat(since(after, "Ready")).isEqualTo("2026-01-01T12:01:30Z");
    }

    private static String since(PodStatus status, String type) {
        return status.getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow()
                .getLastTransitionTime();
    }

    private static String golden(String name) {
        try (var in = PodStatusesTest.class.getResourceAsStream("/pod-status/" + name)) {
            return in == null
                    ? "there is no " + name
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
