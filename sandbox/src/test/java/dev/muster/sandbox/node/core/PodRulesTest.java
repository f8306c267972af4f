package dev.muster.sandbox.node.core;

import static dev.muster.sandbox.node.core.Fixtures.NOON;
import static dev.muster.sandbox.node.core.Fixtures.RULES;
import static dev.muster.sandbox.node.core.Fixtures.end;
import static dev.muster.sandbox.node.core.Fixtures.ended;
import static dev.muster.sandbox.node.core.Fixtures.run;
import static dev.muster.sandbox.node.core.Fixtures.running;
import static dev.muster.sandbox.node.core.Fixtures.shape;
import static dev.muster.sandbox.node.core.Fixtures.taken;
import static dev.muster.sandbox.node.core.RestartPolicy.ALWAYS;
import static dev.muster.sandbox.node.core.RestartPolicy.NEVER;
import static dev.muster.sandbox.node.core.RestartPolicy.ON_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.sandbox.node.core.ExitRestarts.OnExit;
import dev.muster.sandbox.node.core.PodRules.Next;
import dev.muster.sandbox.node.core.PodRun.Why;
import dev.muster.sandbox.node.core.PodShape.Unit;
import dev.muster.sandbox.node.core.RestartDelay.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodRulesTest {
    private static final Instant GRACE = NOON.plusSeconds(30);
    private static final Backoff WAITS = new Backoff(Duration.ofSeconds(10), NOON.minusSeconds(5));

    @ParameterizedTest
    @MethodSource
    void oneContainerAfterTheOther(PodShape shape, PodRun run, Next next) {
        assertThat(RULES.next(shape, run, NOON)).isEqualTo(next);
    }

    static Stream<Arguments> oneContainerAfterTheOther() {
        var plain = shape(NEVER, "a", "b");
        var inits = shape(NEVER, "-i", "-j", "a");
        var side = shape(NEVER, "+s", "-i", "a");
        var sides = shape(NEVER, "+s", "+t", "a");
        var ok = ended(0);
        var bad = ended(1);
        return Stream.of(
                argumentSet("first main", plain, taken(), start("a")),
                argumentSet("second main", plain, run("a", running()), start("b")),
                argumentSet("second after a quick first", plain, run("a", bad), start("b")),
                argumentSet("all run", plain, run("a", running(), "b", running()), WAIT),
                argumentSet("one ended", plain, run("a", bad, "b", running()), WAIT),
                argumentSet("all ended", plain, run("a", bad, "b", ok), OVER),
                argumentSet("first init", inits, taken(), start("i")),
                argumentSet("init runs", inits, run("i", running()), WAIT),
                argumentSet("second init", inits, run("i", ok), start("j")),
                argumentSet("inits done", inits, run("i", ok, "j", ok), start("a")),
                argumentSet("init failed", inits, run("i", bad), OVER),
                argumentSet("sidecar first", side, taken(), start("s")),
                argumentSet("then init", side, run("s", running()), start("i")),
                argumentSet("init runs beside", side, run("s", running(), "i", running()), WAIT),
                argumentSet(
                        "init failed: sidecar ends",
                        side,
                        run("s", running(), "i", bad),
                        stop("s")),
                argumentSet("and is not started again", side, run("s", bad, "i", bad), OVER),
                argumentSet("main", side, run("s", running(), "i", ok), start("a")),
                argumentSet(
                        "sidecar is back",
                        side,
                        run("s", bad, "i", ok, "a", running()),
                        start("s")),
                argumentSet("main done", side, run("s", running(), "i", ok, "a", ok), stop("s")),
                argumentSet("all done", side, run("s", ended(143), "i", ok, "a", ok), OVER),
                argumentSet(
                        "last first",
                        sides,
                        run("s", running(), "t", running(), "a", ok),
                        stop("t")),
                argumentSet("first last", sides, run("s", running(), "t", ok, "a", ok), stop("s")));
    }

    @ParameterizedTest
    @MethodSource
    void restartsByPolicy(PodShape shape, ContainerRun a, Next next) {
        assertThat(RULES.next(shape, run("a", a), NOON)).isEqualTo(next);
    }

    static Stream<Arguments> restartsByPolicy() {
        var always = shape(ALWAYS, "a");
        var onFailure = shape(ON_FAILURE, "a");
        var init = shape(ALWAYS, "-a", "b");
        var again = new ContainerRun(1, end(1), end(1), WAITS, false);
        var among = withOwn(shape(NEVER, "a"), NEVER, new OnExit(true, Set.of(42, 43)));
        var others = withOwn(shape(NEVER, "a"), NEVER, new OnExit(false, Set.of(42)));
        var own = withOwn(shape(ON_FAILURE, "a"), NEVER);
        return Stream.of(
                argumentSet("never", shape(NEVER, "a"), ended(1), OVER),
                argumentSet("on failure: failed", onFailure, ended(1), start("a")),
                argumentSet("on failure: succeeded", onFailure, ended(0), OVER),
                argumentSet("always: failed", always, ended(1), start("a")),
                argumentSet("always: succeeded", always, ended(0), start("a")),
                argumentSet("by a rule of its own", among, ended(42), start("a")),
                argumentSet("a rule about other codes", among, ended(1), OVER),
                argumentSet("a rule about all codes but one", others, ended(1), start("a")),
                argumentSet("but for this one", others, ended(42), OVER),
                argumentSet("its own policy goes before its pod's", own, ended(1), OVER),
                argumentSet("backing off", onFailure, again, wake(NOON.plusSeconds(10))),
                argumentSet("init of always: failed", init, ended(1), start("a")),
                argumentSet("init of always: done", init, ended(0), start("b")));
    }

    @Test
    void aContainerThatIsHeldIsTriedAgainWhenItsTimeComes() {
        var shape = shape(NEVER, "a");
        var at = NOON.plusSeconds(2);
        var held = taken().with("a", was -> was.held("CreateContainerConfigError", "", at));
        assertThat(RULES.next(shape, held, NOON)).isEqualTo(wake(at));
        assertThat(RULES.next(shape, held, at)).isEqualTo(start("a"));
    }

    @Test
    void aDeletedPodStopsMainsBeforeSidecarsAndStartsNothing() {
        var shape = shape(ALWAYS, "+s", "a", "b");
        var deleted =
                run("s", running(), "a", running(), "b", running()).ending(Why.DELETED, GRACE);
        assertThat(RULES.next(shape, deleted, NOON))
                .isEqualTo(stopped(Map.of("a", GRACE, "b", GRACE)));
        var mainsEnded = deleted.with("a", _ -> ended(143)).with("b", _ -> ended(0));
        assertThat(RULES.next(shape, mainsEnded, NOON)).isEqualTo(stop("s"));
        assertThat(RULES.next(shape, mainsEnded.with("s", _ -> ended(0)), NOON)).isEqualTo(OVER);
    }

    @Test
    void aDeletedPodThatNeverRanIsOver() {
        assertThat(RULES.next(shape(NEVER, "a"), taken().ending(Why.DELETED, GRACE), NOON))
                .isEqualTo(OVER);
    }

    @Test
    void aPodPastItsDeadlineIsEnded() {
        var shape = withDeadline(shape(NEVER, "a"), Duration.ofSeconds(60));
        var run = run("a", running());
        var deadline = NOON.plusSeconds(60);
        assertThat(RULES.next(shape, run, NOON)).isEqualTo(wake(deadline));
        assertThat(RULES.due(shape, run, deadline.minusNanos(1))).isEqualTo(run);
        assertThat(RULES.due(shape, run, deadline))
                .isEqualTo(run.ending(Why.DEADLINE, deadline.plusSeconds(30)));
    }

    @Test
    void whoIsDeletedAgainWithLessPatienceIsKilledEarlier() {
        var run = run("a", running()).ending(Why.DEADLINE, GRACE);
        assertThat(run.ending(Why.DELETED, NOON).ending())
                .isEqualTo(new PodRun.Ending(Why.DEADLINE, NOON));
        assertThat(run.ending(Why.DELETED, GRACE.plusSeconds(1))).isEqualTo(run);
    }

    @Test
    void aRestartIsCountedAndRemembersTheEndBefore() {
        var shape = shape(ALWAYS, "a");
        var once = RULES.starting(shape, taken(), "a", NOON);
        assertThat(once.of("a")).isEqualTo(running());
        var twice = RULES.starting(shape, once.with("a", was -> was.ended(end(3))), "a", NOON);
        assertThat(twice.of("a"))
                .isEqualTo(
                        new ContainerRun(
                                1,
                                new RunState.Running(NOON),
                                end(3),
                                new Backoff(Duration.ofSeconds(10), NOON),
                                true));
    }

    private static final Next WAIT = new Next(Optional.empty(), Map.of(), Optional.empty(), false);
    private static final Next OVER = new Next(Optional.empty(), Map.of(), Optional.empty(), true);

    private static Next start(String name) {
        return new Next(Optional.of(name), Map.of(), Optional.empty(), false);
    }

    private static Next stop(String name) {
        return stopped(Map.of(name, GRACE));
    }

    private static Next stopped(Map<String, Instant> until) {
        return new Next(Optional.empty(), until, Optional.empty(), false);
    }

    private static Next wake(Instant at) {
        return new Next(Optional.empty(), Map.of(), Optional.of(at), false);
    }

    private static PodShape withOwn(PodShape shape, RestartPolicy otherwise, OnExit... rules) {
        var own = new ExitRestarts(otherwise, List.of(rules));
        var units =
                shape.mains().stream()
                        .map(unit -> new Unit(unit.name(), unit.sidecar(), unit.probed(), own))
                        .toList();
        return new PodShape(shape.restart(), shape.inits(), units, shape.deadline(), shape.grace());
    }

    private static PodShape withDeadline(PodShape shape, Duration deadline) {
        return new PodShape(
                shape.restart(),
                shape.inits(),
                shape.mains(),
                Optional.of(deadline),
                shape.grace());
    }
}
