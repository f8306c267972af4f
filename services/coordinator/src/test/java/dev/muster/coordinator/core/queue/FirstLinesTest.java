package dev.muster.coordinator.core.queue;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.queue.Line.Likeness;
import dev.muster.coordinator.core.queue.Lines.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The first lines of a queue are found anew when they may be others, and only then. */
class FirstLinesTest {
    private static final Duration STEP = Duration.ofMinutes(1);
    private static final Order BY_PRIORITY =
            new Order(false, PoolSpec.Priorities.PLAIN, Instant.EPOCH);
    private static final Shape SHAPE = Fixtures.shape(workers(1, 1));

    private final Lines lines = new Lines();

    static Stream<Order> orders() {
        return Stream.of(BY_PRIORITY, waitedUntil(40));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void theyAreTheSameListWhileNothingChanges(Order order) {
        enters(1, 0, 0);
        enters(0, 1, 0);
        assertThat(lines.first(order)).isSameAs(lines.first(order));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void whoComesBehindAsManyAsAreLookedAtLeavesThemAsTheyAre(Order order) {
        areFull();
        var first = lines.first(order);
        enters(0, Backlog.DEPTH, 31);
        assertThat(lines.first(order)).isSameAs(first);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void whoComesBeforeTheLastOfThemTakesItsPlace(Order order) {
        areFull();
        var before = List.copyOf(lines.first(order));
        var line = enters(2, Backlog.DEPTH, 31);
        assertThat(lines.first(order))
                .hasSize(Backlog.DEPTH)
                .startsWith(before.getFirst(), line)
                .endsWith(before.get(Backlog.DEPTH - 2));
    }

    /** Its priority grows at 12:01:00, that of all others at 12:01:30. */
    @Test
    void whoComesBehindThemIsOneOfThemAsSoonAsItHasWaitedLongEnough() {
        areFull();
        lines.first(waitedUntil(40));
        var oldest = enters(0, Backlog.DEPTH, 0);
        assertThat(lines.first(waitedUntil(59))).doesNotContain(oldest);
        assertThat(lines.firstUntil()).isEqualTo(NOON.plusSeconds(60));
        assertThat(lines.first(waitedUntil(60)).get(1)).isEqualTo(oldest);
    }

    @Test
    void whatWaitingAddsCountsAtOnceWhenAnOperatorChangesIt() {
        var young = enters(1, 0, 600);
        var old = enters(0, 1, 0);
        var now = NOON.plusSeconds(660);
        assertThat(lines.first(new Order(false, aging(STEP, 10), now))).containsExactly(old, young);
        assertThat(lines.first(new Order(false, aging(STEP, 0), now))).containsExactly(young, old);
        assertThat(lines.first(new Order(false, aging(STEP, 10), now))).containsExactly(old, young);
        var slow = aging(Duration.ofHours(1), 10);
        assertThat(lines.first(new Order(false, slow, now))).containsExactly(young, old);
    }

    @Test
    void asOfAnEarlierTimeTheyAreThoseOfThatTime() {
        var high = enters(1, 0, 30);
        var old = enters(0, 1, 0);
        assertThat(lines.first(waitedUntil(60))).containsExactly(old, high);
        assertThat(lines.first(waitedUntil(59))).containsExactly(high, old);
    }

    /** The second of the line was let in before the first. */
    @Test
    void headIsWhoWasSubmittedFirstOrWhereWaitingCountsWhoWaitsForLongest() {
        var line = lines.make(new Likeness(SHAPE, Use.NONE, 0, "ml", true));
        line.add(letIn(1, 60));
        line.add(letIn(2, 30));
        lines.enter(line);
        assertThat(heads(BY_PRIORITY)).containsExactly(1L);
        assertThat(heads(waitedUntil(90))).containsExactly(2L);
        assertThat(heads(BY_PRIORITY)).containsExactly(1L);
    }

    private Stream<Long> heads(Order order) {
        return lines.first(order).stream().map(Line::ticket);
    }

    /** All of one priority but one, which is before them. */
    private void areFull() {
        enters(5, 0, 30);
        for (int i = 1; i < Backlog.DEPTH; i++) {
            enters(1, i, 30);
        }
    }

    /** A line of one job, which nobody else is like. */
    private Line enters(int priority, long ticket, int second) {
        var line = lines.make(new Likeness(SHAPE, Use.NONE, priority, "ml" + ticket, false));
        line.add(waiting(ticket, priority, second));
        lines.enter(line);
        return line;
    }

    private static Job waiting(long ticket, int priority, int second) {
        return Job.submitted(
                Fixtures.job("j" + ticket, ticket),
                Fixtures.at(priority, workers(1, 1)),
                new Clock(NOON.plusSeconds(second), ticket, null));
    }

    private static Job letIn(long ticket, int second) {
        var job = waiting(ticket, 0, 0);
        return job.with(job.past().lettingIn(NOON.plusSeconds(second)));
    }

    private static Order waitedUntil(int second) {
        return new Order(false, aging(STEP, 10), NOON.plusSeconds(second));
    }

    private static PoolSpec.Priorities aging(Duration step, int most) {
        return new PoolSpec.Priorities(new TreeMap<>(), step, most);
    }
}
