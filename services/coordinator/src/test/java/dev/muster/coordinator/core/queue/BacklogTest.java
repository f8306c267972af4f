package dev.muster.coordinator.core.queue;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Gangs;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.coordinator.core.queue.Lines.Order;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who waits in a queue, as those see it who look only at the first lines of each. */
class BacklogTest {
    private static final String QUEUE = "default";
    private static final GangRequirements SMALL = Gangs.requirements(workers(1, 1).work());
    private static final GangRequirements LARGE = Gangs.requirements(workers(1, 8).work());
    private static final Order BY_PRIORITY =
            new Order(false, PoolSpec.Priorities.PLAIN, Instant.EPOCH);

    private final Marks marks = new Marks();
    private final Backlog backlog = new Backlog(marks);

    @Test
    void lineStandsWhereItsNewHeadStands() {
        backlog.add(waiting(5, 0), SMALL);
        backlog.add(waiting(4, 0), LARGE);
        assertThat(tickets(lines())).containsExactly(4L, 5L);
        backlog.add(waiting(3, 0), SMALL);
        assertThat(tickets(lines())).containsExactly(3L, 4L);
        leaves(waiting(3, 0), SMALL);
        assertThat(tickets(lines())).containsExactly(4L, 5L);
    }

    @Test
    void queueIsDeepWhileItHasMoreLinesThanEveryRoundLooksAt() {
        waitInLines(Backlog.DEPTH);
        assertThat(backlog.deep()).isEmpty();
        backlog.add(waiting(Backlog.DEPTH, -1), SMALL);
        assertThat(backlog.deep()).containsExactly(QUEUE);
        backlog.add(waiting(Backlog.DEPTH + 1, -2), SMALL);
        leaves(waiting(Backlog.DEPTH + 1, -2), SMALL);
        assertThat(backlog.deep()).containsExactly(QUEUE);
        leaves(waiting(Backlog.DEPTH, -1), SMALL);
        assertThat(backlog.deep()).isEmpty();
    }

    @Test
    void whoeverHasLeftNeedsNothing() {
        backlog.add(waiting(0, 0), SMALL);
        backlog.add(waiting(1, 0), LARGE);
        leaves(waiting(1, 0), LARGE);
        assertThat(backlog.needs.above("cpu", 1000)).isNull();
        var needs = backlog.needs(QUEUE);
        assertThat(needs).isNotNull();
        assertThat(needs.above("cpu", 1000)).isNull();
        assertThat(needs.within("cpu", 1000)).isEqualTo(1000L);
    }

    @Test
    void queueIsFoundByAShapeAndANamespaceUntilTheLastLineOfThatHasLeft() {
        backlog.add(waiting(0, 0), SMALL);
        backlog.add(waiting(1, 1), SMALL);
        backlog.add(waiting(2, 0, "etl"), LARGE);
        lines();
        leaves(waiting(0, 0), SMALL);
        assertThat(backlog.queues(SMALL.start())).containsExactly(QUEUE);
        assertThat(backlog.queuesOf("ml")).containsExactly(QUEUE);
        leaves(waiting(1, 1), SMALL);
        assertThat(backlog.queues(SMALL.start())).isEmpty();
        assertThat(backlog.queuesOf("ml")).isEmpty();
        assertThat(backlog.queues(LARGE.start())).containsExactly(QUEUE);
        assertThat(backlog.queuesOf("etl")).containsExactly(QUEUE);
    }

    /** Its shape is not asked about any more when nodes change. */
    @Test
    void lineThatOthersPushBackIsNoneOfTheFirstOnes() {
        waitInLines(Backlog.DEPTH - 1);
        var last = waiting(Backlog.DEPTH, -1);
        backlog.add(last, LARGE);
        assertThat(lines().getLast().isFirst()).isTrue();
        assertThat(backlog.queues(LARGE.start())).containsExactly(QUEUE);
        backlog.add(waiting(Backlog.DEPTH + 1, 0), SMALL);
        assertThat(lines()).hasSize(Backlog.DEPTH).allMatch(Line::isFirst);
        assertThat(backlog.queues(LARGE.start())).isEmpty();
        assertThat(further(null, 5)).containsExactly(backlog.lineOf(last, LARGE));
    }

    @Test
    void behindTheFirstLinesTheNextOnesAreLookedAtInOrder() {
        waitInLines(Backlog.DEPTH + 4);
        lines();
        long next = Backlog.DEPTH;
        assertThat(tickets(further(null, 3))).containsExactly(next, next + 1, next + 2);
        var last = further(null, 3).getLast();
        assertThat(tickets(further(last, 3))).containsExactly(next + 3);
        assertThat(further(null, 0)).isEmpty();
        assertThat(backlog.further("none", BY_PRIORITY, null, 3)).isEmpty();
    }

    private List<Line> further(@Nullable Line after, int most) {
        var place = after == null ? null : BY_PRIORITY.of(after);
        return backlog.further(QUEUE, BY_PRIORITY, place, most);
    }

    private List<Line> lines() {
        return backlog.lines(QUEUE, BY_PRIORITY);
    }

    private static Stream<Long> tickets(List<Line> lines) {
        return lines.stream().map(Line::ticket);
    }

    /** Each of a priority of its own, the first of the highest. */
    private void waitInLines(int count) {
        for (int i = 0; i < count; i++) {
            backlog.add(waiting(i, Backlog.DEPTH + 10 - i), SMALL);
        }
    }

    private void leaves(Job job, GangRequirements makeup) {
        backlog.remove(job, makeup, _ -> NOON);
    }

    private static Job waiting(long ticket, int priority) {
        return waiting(ticket, priority, "ml");
    }

    private static Job waiting(long ticket, int priority, String namespace) {
        return Job.submitted(
                new JobId(namespace, "j" + ticket, new Uid(0, ticket)),
                at(priority, workers(1, 1)),
                new Clock(NOON, ticket, null));
    }
}
