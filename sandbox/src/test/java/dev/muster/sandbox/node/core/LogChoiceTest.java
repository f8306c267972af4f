package dev.muster.sandbox.node.core;

import static dev.muster.sandbox.node.core.Fixtures.NOON;
import static dev.muster.sandbox.node.core.Fixtures.RULES;
import static dev.muster.sandbox.node.core.Fixtures.end;
import static dev.muster.sandbox.node.core.Fixtures.ended;
import static dev.muster.sandbox.node.core.Fixtures.run;
import static dev.muster.sandbox.node.core.Fixtures.running;
import static dev.muster.sandbox.node.core.Fixtures.shape;
import static dev.muster.sandbox.node.core.Fixtures.taken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.sandbox.node.core.LogChoice.Incarnation;
import dev.muster.sandbox.node.core.LogChoice.NoContainer;
import dev.muster.sandbox.node.core.LogChoice.NoLog;
import dev.muster.sandbox.node.core.RestartDelay.Backoff;
import dev.muster.sandbox.node.core.RunState.Running;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LogChoiceTest {
    private static final PodShape ALWAYS = shape(RestartPolicy.ALWAYS, "a");

    @ParameterizedTest
    @MethodSource
    void isTheIncarnationThatTheStatusSpeaksOf(PodRun run, boolean previous, LogChoice choice) {
        assertThat(LogChoice.of(RULES, ALWAYS, run, "a", previous)).isEqualTo(choice);
    }

    static Stream<Arguments> isTheIncarnationThatTheStatusSpeaksOf() {
        var second = run("a", new ContainerRun(1, new Running(NOON), end(1), null, true));
        var wait = new Backoff(Duration.ofSeconds(10), NOON);
        var waiting = run("a", new ContainerRun(1, end(2), end(1), wait, false));
        var ended = run("a", new ContainerRun(1, end(0), end(1), null, false));
        var held = run("a", ended(1).held("CreateContainerConfigError", "no map", NOON));
        var none = new NoLog("previous terminated container \"a\" not found");
        return Stream.of(
                argumentSet("running", run("a", running()), false, new Incarnation(0)),
                argumentSet("running, before", run("a", running()), true, none),
                argumentSet("restarted", second, false, new Incarnation(1)),
                argumentSet("restarted, before", second, true, new Incarnation(0)),
                argumentSet("backing off", waiting, false, new Incarnation(1)),
                argumentSet("backing off, before", waiting, true, new Incarnation(1)),
                argumentSet("ended", ended, false, new Incarnation(1)),
                argumentSet("ended, before", ended, true, new Incarnation(0)),
                argumentSet("held", held, false, new Incarnation(0)),
                argumentSet("held, before", held, true, new Incarnation(0)),
                argumentSet(
                        "to come",
                        taken(),
                        false,
                        new NoLog("container \"a\" is waiting to start: ContainerCreating")),
                argumentSet("to come, before", taken(), true, none));
    }

    @org.junit.jupiter.api.Test
    void aContainerThatThePodDoesNotHaveHasNone() {
        assertThat(LogChoice.of(RULES, ALWAYS, taken(), "b", false))
                .isEqualTo(new NoContainer("container \"b\" not found in this pod"));
    }
}
