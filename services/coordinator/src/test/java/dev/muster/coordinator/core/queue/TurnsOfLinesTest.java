package dev.muster.coordinator.core.queue;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Gangs;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.queue.Lines.Order;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A queue is looked at again when waiting alone may have put its lines into another order: whoever
 * has waited for a minute is worth one more.
 */
class TurnsOfLinesTest {
    private static final String QUEUE = "default";
    private static final GangRequirements MAKEUP = Gangs.requirements(workers(1, 1).work());

    private final Marks marks = new Marks();
    private final Backlog backlog = new Backlog(marks);

    @Test
    void itIsLookedAtWhenWaitingAddsToOneOfThemAndOnceOnly() {
        waits(0, 1, 0);
        waits(1, 0, 0);
        isLookedAt(10);
        assertThat(isMarkedBy(59)).isFalse();
        assertThat(isMarkedBy(60)).isTrue();
        assertThat(isMarkedBy(61)).isFalse();
    }

    @Test
    void whoLooksBeforeItIsMarkedHasTheOthersLookToo() {
        waits(0, 1, 0);
        waits(1, 0, 0);
        isLookedAt(10);
        assertThat(isMarkedAfterALook(60)).isTrue();
        assertThat(isMarkedBy(119)).isFalse();
        assertThat(isMarkedBy(120)).isTrue();
    }

    @Test
    void whoComesMayBringTheTimeForward() {
        waits(0, 1, 0);
        waits(1, 0, 0);
        isLookedAt(10);
        waits(2, 2, -30);
        marked();
        assertThat(isMarkedAfterALook(11)).isFalse();
        assertThat(isMarkedBy(29)).isFalse();
        assertThat(isMarkedBy(30)).isTrue();
        assertThat(isMarkedBy(60)).isFalse();
    }

    /** What comes behind the first lines may be others any time. */
    @Test
    void deepQueueIsLookedAtWheneverTimeHasPassed() {
        isDeep();
        isLookedAt(10);
        assertThat(isMarkedBy(10)).isFalse();
        assertThat(isMarkedBy(11)).isTrue();
    }

    @Test
    void deepQueueWhereWaitingAddsNothingIsNotLookedAtForThat() {
        isDeep();
        backlog.lines(QUEUE, new Order(false, PoolSpec.Priorities.PLAIN, NOON));
        marked();
        assertThat(isMarkedBy(1_000_000)).isFalse();
    }

    /** Each line is of another priority. */
    private void isDeep() {
        for (int i = 0; i <= Backlog.DEPTH; i++) {
            waits(i, i, 0);
        }
    }

    private void waits(long ticket, int priority, int second) {
        var spec = at(priority, workers(1, 1));
        var clock = new Clock(NOON.plusSeconds(second), ticket, null);
        backlog.add(Job.submitted(Fixtures.job("j" + ticket, ticket), spec, clock), MAKEUP);
    }

    private void isLookedAt(int second) {
        isMarkedAfterALook(second);
    }

    private boolean isMarkedAfterALook(int second) {
        var aging = new PoolSpec.Priorities(new TreeMap<>(), Duration.ofMinutes(1), 10);
        backlog.lines(QUEUE, new Order(false, aging, NOON.plusSeconds(second)));
        return marked();
    }

    private boolean isMarkedBy(int second) {
        backlog.markTurned(NOON.plusSeconds(second));
        return marked();
    }

    /** It is not from now on. */
    private boolean marked() {
        return marks.forTurns.take(List.of()).contains(QUEUE);
    }
}
