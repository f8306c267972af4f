package dev.muster.sandbox.node.core;

import static dev.muster.sandbox.node.core.Fixtures.NOON;
import static dev.muster.sandbox.node.core.Fixtures.end;
import static dev.muster.sandbox.node.core.Fixtures.ended;
import static dev.muster.sandbox.node.core.Fixtures.run;
import static dev.muster.sandbox.node.core.Fixtures.running;
import static dev.muster.sandbox.node.core.Fixtures.shape;
import static dev.muster.sandbox.node.core.Fixtures.taken;
import static dev.muster.sandbox.node.core.PodPhase.FAILED;
import static dev.muster.sandbox.node.core.PodPhase.PENDING;
import static dev.muster.sandbox.node.core.PodPhase.RUNNING;
import static dev.muster.sandbox.node.core.PodPhase.SUCCEEDED;
import static dev.muster.sandbox.node.core.RestartPolicy.ALWAYS;
import static dev.muster.sandbox.node.core.RestartPolicy.NEVER;
import static dev.muster.sandbox.node.core.RestartPolicy.ON_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.sandbox.node.core.PodRun.Why;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodPhaseTest {
    @ParameterizedTest
    @MethodSource
    void isWhatAKubeletSays(PodShape shape, PodRun run, boolean over, PodPhase phase) {
        assertThat(PodPhase.of(shape, run, over)).isEqualTo(phase);
    }

    static Stream<Arguments> isWhatAKubeletSays() {
        var two = shape(NEVER, "a", "b");
        var init = shape(ON_FAILURE, "-i", "a");
        var side = shape(NEVER, "+s", "-i", "a");
        var ok = ended(0);
        var bad = ended(1);
        var again = new ContainerRun(1, running().state(), end(1), null, true);
        var held = bad.held("CreateContainerConfigError", "", NOON);
        return Stream.of(
                argumentSet("nothing started", two, taken(), false, PENDING),
                argumentSet("one of two", two, run("a", running()), false, PENDING),
                argumentSet("one done, one to come", two, run("a", ok), false, PENDING),
                argumentSet("both", two, run("a", running(), "b", running()), false, RUNNING),
                argumentSet("one failed", two, run("a", bad, "b", running()), false, RUNNING),
                argumentSet("both ended well", two, run("a", ok, "b", ok), true, SUCCEEDED),
                argumentSet("one ended badly", two, run("a", ok, "b", bad), true, FAILED),
                argumentSet("init runs", init, run("i", running()), false, PENDING),
                argumentSet("init again", init, run("i", again), false, PENDING),
                argumentSet("init done", init, run("i", ok), false, PENDING),
                argumentSet(
                        "init done, main runs", init, run("i", ok, "a", running()), false, RUNNING),
                argumentSet(
                        "init failed for good",
                        side,
                        run("s", running(), "i", bad),
                        false,
                        PENDING),
                argumentSet("and the sidecar ended", side, run("s", ok, "i", bad), true, FAILED),
                argumentSet(
                        "sidecar still there",
                        side,
                        run("s", running(), "i", ok, "a", ok),
                        false,
                        RUNNING),
                argumentSet(
                        "sidecar killed",
                        side,
                        run("s", ended(137), "i", ok, "a", ok),
                        true,
                        SUCCEEDED),
                argumentSet("between restarts", shape(ALWAYS, "a"), run("a", bad), false, RUNNING),
                argumentSet(
                        "held after a failure", shape(ALWAYS, "a"), run("a", held), false, RUNNING),
                argumentSet(
                        "deleted, ended well",
                        shape(ALWAYS, "a"),
                        run("a", ok).ending(Why.DELETED, NOON),
                        true,
                        SUCCEEDED),
                argumentSet(
                        "deleted, killed",
                        two,
                        run("a", ok, "b", bad).ending(Why.DELETED, NOON),
                        true,
                        FAILED),
                argumentSet(
                        "deleted before it ran",
                        two,
                        taken().ending(Why.DELETED, NOON),
                        true,
                        FAILED),
                argumentSet(
                        "too late",
                        shape(NEVER, "a"),
                        run("a", ok).ending(Why.DEADLINE, NOON),
                        true,
                        FAILED),
                argumentSet(
                        "node stopped",
                        shape(NEVER, "a"),
                        run("a", ok).ending(Why.SHUTDOWN, NOON),
                        true,
                        FAILED));
    }
}
