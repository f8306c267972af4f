package dev.muster.coordinator.core.queue;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.behind;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.suspended;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.QueueSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A job that was not in line has not waited there: what waiting gives it, it gets from then on. */
class PoolStandingAsideTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final JobId FILLER = job("filler", 0);
    private static final JobId FIRST = job("first", 1);
    private static final JobId LATE = job("late", 2);
    private final Play play = Play.withNodes(4);

    /** How a job comes to stand aside, and in line again. */
    private record Way(JobSpec spec, List<Event> aside, Event letIn) {}

    static Stream<Arguments> ways() {
        var one = workers(1, 4);
        var hold = ask(new Change.Hold(""));
        var suspend = ask(new Change.Suspend(null, ""));
        return Stream.of(
                argumentSet("held", new Way(one, List.of(hold), ask(new Change.Release()))),
                argumentSet(
                        "behind another",
                        new Way(behind("first", false, one), List.of(), cancel(FIRST))),
                argumentSet("suspended", new Way(one, List.of(suspend), ask(new Change.Resume()))),
                argumentSet(
                        "submitted suspended",
                        new Way(suspended(one), List.of(), ask(new Change.Resume()))),
                argumentSet(
                        "suspended, then held",
                        new Way(
                                suspended(one),
                                List.of(hold, ask(new Change.Resume())),
                                ask(new Change.Release()))));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void nobodyAgesWhileHeStandsAside(Way way) {
        ages(1000);
        setAside(way);
        play.passHeard(HOUR, 0);
        play.on(new Event.Submitted(job("higher", 3), at(10, workers(1, 4)), null));
        play.on(way.letIn());
        assertThat(startedInTurn()).containsExactly("higher", "late");
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whoIsLetInAgesFromThen(Way way) {
        ages(1000);
        setAside(way);
        play.passHeard(HOUR, 0);
        play.on(way.letIn());
        play.passHeard(Duration.ofMinutes(11), 0);
        play.on(new Event.Submitted(job("higher", 3), at(10, workers(1, 4)), null));
        assertThat(startedInTurn()).containsExactly("late", "higher");
    }

    @ParameterizedTest
    @MethodSource("ways")
    void nothingIsHeldForWhoWasJustLetIn(Way way) {
        setAside(way);
        play.passHeard(HOUR, 0);
        play.on(way.letIn());
        play.takeEffects();
        play.passHeard(Duration.ofSeconds(299), 0);
        assertThat(play.take(Effect.Held.class)).isEmpty();
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(play.takeOne(Effect.Held.class).job()).isEqualTo(LATE);
    }

    /** What is worth as much goes as it came in line, also once nothing is added any more. */
    @ParameterizedTest
    @MethodSource("ways")
    void whereWaitingCountsEqualsGoAsTheyCameInLine(Way way) {
        ages(5);
        setAside(way);
        play.on(new Event.Submitted(job("equal", 3), workers(1, 4), null));
        play.on(new Event.Submitted(job("other", 4), workers(1, 3), null));
        play.passHeard(HOUR, 0);
        play.on(way.letIn());
        play.on(new Event.Submitted(job("younger", 5), workers(1, 4), null));
        play.passHeard(HOUR, 0);
        assertThat(startedInTurn()).containsExactly("equal", "other", "late", "younger");
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whereItDoesNotEqualsGoAsTheyWereSubmitted(Way way) {
        setAside(way);
        play.on(new Event.Submitted(job("equal", 3), workers(1, 4), null));
        play.on(way.letIn());
        assertThat(startedInTurn()).containsExactly("late", "equal");
    }

    @ParameterizedTest
    @MethodSource("ways")
    void queueThatTakesTheOldestFirstTakesTheFirstSubmission(Way way) {
        ages(1000);
        fifo();
        setAside(way);
        play.on(new Event.Submitted(job("equal", 3), workers(1, 4), null));
        play.passHeard(Duration.ofMinutes(4), 0);
        play.on(way.letIn());
        assertThat(startedInTurn()).containsExactly("late", "equal");
    }

    @Test
    void orderOfThoseWhoWereLetInFollowsTheSettings() {
        var third = job("third", 3);
        for (var id : List.of(LATE, third)) {
            play.on(new Event.Submitted(id, suspended(workers(1, 4)), null));
        }
        occupy();
        play.on(new Event.ChangeAsked(third, new Change.Resume(), null));
        play.passHeard(HOUR, 0);
        play.on(ask(new Change.Resume()));
        assertThat(positions()).containsExactly(1, 2);
        ages(1000);
        assertThat(positions()).containsExactly(2, 1);
        fifo();
        assertThat(positions()).containsExactly(1, 2);
        play.on(new Event.QueuePut("default", QueueSpecs.QUEUE, null));
        assertThat(positions()).containsExactly(2, 1);
        play.restart();
        assertThat(startedInTurn()).containsExactly("third", "late");
    }

    private List<Integer> positions() {
        return Stream.of(LATE, job("third", 3))
                .map(id -> play.explain(id).orElseThrow().place().position())
                .toList();
    }

    private void ages(int most) {
        play.on(new Event.PoolPut("default", Fixtures.aging(Duration.ofMinutes(1), most), null));
    }

    private void fifo() {
        var order = new QueueSpec.Order(QueueSpec.Kind.FIFO, 0, true, Duration.ofMinutes(5));
        play.on(new Event.QueuePut("default", QueueSpecs.with(QueueSpecs.QUEUE, order), null));
    }

    private void setAside(Way way) {
        occupy();
        play.on(new Event.Submitted(FIRST, workers(9, 1), null));
        play.on(new Event.Submitted(LATE, way.spec(), null));
        way.aside().forEach(play::on);
        play.takeEffects();
    }

    /** The node is used, so that who comes waits. */
    private void occupy() {
        play.on(new Event.Submitted(FILLER, workers(1, 4), null));
        see(FILLER, PodPhase.RUNNING, null);
        play.takeEffects();
    }

    /** One by one, as the node has room for one alone. */
    private List<String> startedInTurn() {
        play.takeEffects();
        var names = new ArrayList<String>();
        see(FILLER, PodPhase.SUCCEEDED, 0);
        for (var next = play.take(Effect.Started.class);
                !next.isEmpty();
                next = play.take(Effect.Started.class)) {
            var id = next.getFirst().job();
            names.add(id.name());
            see(id, PodPhase.SUCCEEDED, 0);
        }
        return names;
    }

    private void see(JobId id, PodPhase phase, @Nullable Integer exitCode) {
        var mark = Fixtures.mark("worker", 0, 1);
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        id,
                        Fixtures.pod(mark, exitCode == null ? 1 : 2, phase, "node-0", exitCode)));
    }

    private static Event ask(Change change) {
        return new Event.ChangeAsked(LATE, change, null);
    }

    private static Event cancel(JobId id) {
        return Fixtures.cancel(id, "", null);
    }
}
