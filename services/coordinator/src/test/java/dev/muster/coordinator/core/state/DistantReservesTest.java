package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.queue.Backlog;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A queue whose first lines are all of jobs that could never start: something may be kept for the
 * one behind them that was noted.
 */
class DistantReservesTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);
    private static final Queue QUEUE = Queue.of("a", limited(8));

    private final Tables tables = new Tables(new Journal());
    private final Job distant = waiting(Backlog.DEPTH, "a", 0, 8);

    @BeforeEach
    void linesAreFull() {
        tables.restore(node("node-0", 8));
        tables.restore(QUEUE);
        for (int i = 0; i < Backlog.DEPTH; i++) {
            tables.restore(waiting(i, "a", Backlog.DEPTH - i, 9));
        }
        tables.restore(distant);
        tables.tick(NOON.plus(RESERVE_AFTER));
    }

    /** Of another priority than all others: a line of its own. */
    private static Job waiting(int number, String queue, int priority, long cores) {
        var spec = at(priority, spec(queue, role("worker", 1, cores)));
        var job = Job.submitted(job("j" + number, number), spec, new Clock(NOON, number, null));
        return job.to(new JobState.Queued(0, new JobState.Gate.Open(), null), job.times());
    }

    /** As those who look through the lines behind the first ones do. */
    private void isNoted() {
        tables.put(QUEUE.noting(distant.id()));
        tables.marks.forReserves.add("a");
    }

    @Test
    void itIsKeptForTheOneThatWasNoted() {
        assertThat(tables.reserves.firstAwake()).isNull();
        isNoted();
        assertThat(tables.reserves.firstAwake()).isEqualTo(distant.id());
    }

    @Test
    void nothingIsKeptForOneThatWentToAnotherQueue() {
        tables.put(waiting(Backlog.DEPTH + 1, "a", 0, 9)); // Who stands behind the first in turn.
        isNoted();
        tables.put(waiting(Backlog.DEPTH, "b", 0, 8));
        assertThat(tables.reserves.firstAwake()).isNull();
    }

    @Test
    void nothingIsKeptForOneThatWasForgotten() {
        isNoted();
        tables.remove(distant);
        assertThat(tables.reserves.firstAwake()).isNull();
    }

    /** What stands behind the first lines is looked at again with every change of nodes. */
    @Test
    void nothingIsKeptWhileNoNodeCouldTakeIt() {
        isNoted();
        assertThat(tables.reserves.firstAwake()).isEqualTo(distant.id());
        tables.put(node("node-0", 7));
        assertThat(tables.reserves.firstAwake()).isNull();
        tables.put(node("node-1", 8));
        assertThat(tables.reserves.firstAwake()).isEqualTo(distant.id());
    }
}
