package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.Started;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.queue.Backlog;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that stand behind more lines of their queue than every round looks at. */
class PoolSweepTest {
    private static final int SOME = Backlog.DEPTH + 50;

    /** So many that more than one step is needed to look at them. */
    private static final int MANY = Backlog.DEPTH + 3 * Sweeps.AT_ONCE * Sweeps.WINDOW - 1;

    /** On one node there is much room, and others use all of it; on the other there is none. */
    private final Play play = Play.withNodes(10_000, 0);

    private static final QueueSpec QUEUE = QueueSpecs.queue(1, false, true, 10_000);

    private int names;

    PoolSweepTest() {
        play.on(new Event.QueuePut("default", QUEUE, null));
        play.on(new Event.QueuePut("other", QUEUE, null));
        use(10_000);
    }

    private void use(long cores) {
        play.on(new Event.OthersUse(WATCHER, "node-0", cpu(cores)));
    }

    /** Each of another size, which no node has. */
    private void submitTooLarge(int kinds) {
        submitTooLarge("default", kinds);
    }

    private void submitTooLarge(String queue, int kinds) {
        for (int i = 0; i < kinds; i++) {
            submit(queue, 20_000 + i);
        }
    }

    private JobId submit(String queue, long cores) {
        return submit(spec(queue, role("worker", 1, cores)));
    }

    private JobId submit(JobSpec spec) {
        var id = job("j" + names, ++names);
        play.on(new Event.Submitted(id, spec, null));
        return id;
    }

    private List<JobId> started() {
        return play.take(Started.class).stream().map(Started::job).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {300, Backlog.DEPTH - 1, Backlog.DEPTH, SOME, MANY})
    void jobStartsHoweverManyKindsBeforeItDoNotFit(int kinds) {
        submitTooLarge(kinds);
        var small = submit("default", 1);
        play.takeEffects();
        use(9_999);
        assertThat(started()).containsExactly(small);
    }

    @Test
    void jobThatFitsWhenItComesStartsAtOnce() {
        submitTooLarge(SOME);
        use(9_999);
        var step = play.onStep(new Event.Submitted(job("small", 9000), workers(1, 1), null));
        assertThat(step.effects()).anyMatch(Started.class::isInstance);
        assertThat(step.more()).isFalse();
    }

    /** Who stands behind the others is noted, and that says nothing of why its queue waits. */
    @Test
    void whatIsSaidOfAQueueIsKeptWhenSomebodyBehindTheFirstIsNotedAndToldWhy() {
        play.on(new Event.QueuePut("default", with(QUEUE, QueueSpecs.limited(10).quota()), null));
        use(9_991);
        submit("default", 9);
        for (int i = 0; i < Backlog.DEPTH; i++) {
            submit(at(1 + i, workers(1, 2)));
        }
        play.takeEffects();
        var said = (Queue) play.rows(Row.Table.QUEUE).get("default");
        assertThat(said.reason()).isNotNull().returns(Code.QUOTA_EXCEEDED, WaitReason::code);
        var noted = submit("default", 1);
        assertThat(play.takeOne(Effect.Waits.class))
                .returns(noted, Effect.Waits::job)
                .returns(Code.INSUFFICIENT_CAPACITY, waits -> waits.reason().code());
        assertThat(play.rows(Row.Table.QUEUE).get("default")).isEqualTo(said.noting(noted));
    }

    /** Nobody would ever tell it that this is no more so: sweeps come to no such queue. */
    @Test
    void whoIsNotedBehindTheFirstWhereNothingPassesTheHeadIsToldNothing() {
        var blocked = QueueSpecs.queue(1, false, false, 10_000);
        play.on(new Event.QueuePut("default", with(blocked, QueueSpecs.limited(10).quota()), null));
        use(9_991);
        submit("default", 9);
        for (int i = 0; i < Backlog.DEPTH; i++) {
            submit(at(1 + i, workers(1, 2)));
        }
        play.takeEffects();
        submit("default", 1);
        assertThat(play.take(Effect.Waits.class)).isEmpty();
    }

    @Test
    void whoComesFirstInItsQueueStartsFirst() {
        submitTooLarge(SOME);
        var second = submit(at(-2, workers(1, 2)));
        var third = submit(at(-3, workers(1, 3)));
        var first = submit(at(-1, workers(1, 1)));
        play.takeEffects();
        use(9_999);
        use(9_997);
        use(9_994);
        assertThat(started()).containsExactly(first, second, third);
    }

    @Test
    void whoWasSubmittedFirstStartsFirstWherePrioritiesDoNotCount() {
        var fifo = new QueueSpec.Order(QueueSpec.Kind.FIFO, 0, true, Duration.ofMinutes(5));
        play.on(new Event.QueuePut("default", with(QUEUE, fifo), null));
        submitTooLarge(SOME);
        var first = submit(at(-1, workers(1, 1)));
        var second = submit(at(2, workers(1, 1)));
        play.takeEffects();
        use(9_999);
        use(9_998);
        assertThat(started()).containsExactly(first, second);
    }

    @Test
    void whoAgedMoreStartsFirst() {
        play.on(new Event.PoolPut("default", Fixtures.aging(Duration.ofMinutes(1), 1000), null));
        submitTooLarge(SOME);
        var first = submit(at(-10, workers(1, 1)));
        play.passHeard(Duration.ofMinutes(6), 0);
        var second = submit(at(-5, workers(1, 2)));
        play.takeEffects();
        use(9_997);
        assertThat(started()).containsExactly(first, second);
    }

    @Test
    void nothingPassesAHeadWithoutBackfillHoweverFarItStands() {
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, false, false, 10_000), null));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("large", 15_000)));
        var user = submit("default", 15_000);
        assertThat(started()).containsExactly(user);
        submitTooLarge(SOME);
        var large = submit("default", 12_000);
        var small = submit("default", 1);
        use(9_999);
        assertThat(started()).isEmpty();
        play.on(Fixtures.cancel(large, "", null));
        assertThat(started()).containsExactly(small);
    }

    @Test
    void everyQueueGetsItsTurnWhatStandsFarBehindIncluded() {
        submitTooLarge("default", SOME);
        submitTooLarge("other", SOME + 2 * Sweeps.WINDOW);
        for (int i = 0; i < 3; i++) {
            submit("default", 1);
            submit("other", 1);
        }
        play.takeEffects();
        for (int i = 1; i <= 4; i++) {
            use(10_000 - i);
        }
        assertThat(play.take(Started.class))
                .extracting(Started::queue)
                .containsExactly("default", "other", "default", "other");
    }

    @Test
    void eventsDoNotWaitUntilAllWasLookedAt() {
        submitTooLarge(MANY);
        play.takeEffects();
        assertThat(play.onStep(new Event.OthersUse(WATCHER, "node-0", cpu(9_999))).more()).isTrue();
        var request = new Event.Request("ml/late", "r-1");
        var step = play.onStep(new Event.Submitted(job("late", 9999), workers(1, 9_000), request));
        assertThat(step.effects()).anyMatch(Effect.Answer.class::isInstance);
        assertThat(step.more()).isTrue();
    }

    @Test
    void whatWasLeftToBeLookedAtIsOverAtSomeTime() {
        submitTooLarge(MANY);
        play.onStep(new Event.OthersUse(WATCHER, "node-0", cpu(9_999)));
        int steps = 1;
        while (play.onStep().more()) {
            steps++;
        }
        assertThat(steps).isEqualTo(2);
        assertThat(play.onStep().changes()).extracting(Step.Change::key).hasSize(1);
    }

    @Test
    void restoredPoolGoesOnWhereItWas() {
        submitTooLarge(MANY);
        var small = submit("default", 1);
        play.takeEffects();
        play.onStep(new Event.OthersUse(WATCHER, "node-0", cpu(9_999)));
        assertThat(started()).isEmpty();
        play.restart();
        assertThat(play.onStep().more()).isTrue();
        play.restart();
        play.on(new Event.TimePassed(play.now()));
        assertThat(started()).containsExactly(small);
    }

    @Test
    void roomThatComesMeanwhileIsAlsoForThoseThatWereLookedAt() {
        submitTooLarge(Backlog.DEPTH);
        var passed = submit("default", 5);
        submitTooLarge("default", 1);
        for (int i = 0; i < MANY; i++) {
            submit("default", 30_000 + i);
        }
        play.takeEffects();
        play.onStep(new Event.OthersUse(WATCHER, "node-0", cpu(9_999)));
        play.onStep(new Event.OthersUse(WATCHER, "node-0", cpu(9_990)));
        play.restart();
        play.on(new Event.TimePassed(play.now()));
        assertThat(started()).containsExactly(passed);
    }

    @Test
    void jobsFarBehindAreToldWhyTheyWait() {
        submitTooLarge(SOME);
        var last = submit("default", 11_000);
        var reason = reason(last);
        assertThat(reason.code()).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        play.takeEffects();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 0)));
        play.on(new Event.NodeReleased(WATCHER, "node-1"));
        play.on(new Event.NodeSeen(WATCHER, cordoned("node-0")));
        assertThat(reason(last).code()).isEqualTo(Code.NO_MATCHING_NODE);
    }

    private WaitReason reason(JobId id) {
        return ((JobState.Queued) play.job(id).state()).reason();
    }

    private static Node cordoned(String name) {
        var node = Fixtures.node(name, 0);
        return new Node(name, 2, node.labels(), node.taints(), true, true, node.allocatable(), 0);
    }

    @Test
    void firstThatOnlyLacksRoomHoldsHoweverFarItStands() {
        use(0);
        var runs = submit("default", 9_000);
        submitTooLarge(SOME);
        var far = submit("default", 5_000);
        submit("default", 6_000);
        play.passHeard(Duration.ofMinutes(2), 0);
        submit("other", 7_000);
        assertThat(started()).containsExactly(runs);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(holder()).isEqualTo(far);
    }

    private @Nullable JobId holder() {
        return play.rows.getOrDefault(Row.Table.HOLD, new TreeMap<>()).values().stream()
                .map(row -> ((Hold) row).job())
                .findFirst()
                .orElse(null);
    }
}
