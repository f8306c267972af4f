package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.Named;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Two queues whose heads wait for what is used of their limits: for whom something is kept. */
class ReservesTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);

    private final Play play = Play.withNodes(8);
    private final Tables tables = new Tables(new Journal());

    private void headsWaitFor(Duration time) {
        var jobs = new NamedJobs(play);
        jobs.queue("a", limited(4));
        jobs.queue("b", limited(4));
        jobs.submit("s0", 0, spec("a", role("worker", 1, 3)));
        jobs.submit("s1", 1, spec("b", role("worker", 1, 3)));
        jobs.submit("first", 2, spec("a", role("worker", 1, 4)));
        jobs.submit("second", 3, spec("b", role("worker", 1, 4)));
        play.passHeard(time, 0);
        play.allRows().forEach(tables::restore);
        restsNoMore("a");
        restsNoMore("b");
    }

    private void rests(String queue) {
        tables.wakings.at(Alarm.Kind.RESERVE, new Named(queue), tables.now());
    }

    private void restsNoMore(String queue) {
        tables.wakings.none(Alarm.Kind.RESERVE, new Named(queue));
    }

    @Test
    void headIsPassedOverWhileItsQueueRests() {
        headsWaitFor(RESERVE_AFTER);
        assertThat(tables.reserves.firstAwake()).isEqualTo(job("first", 2));
        rests("a");
        assertThat(tables.reserves.firstAwake()).isEqualTo(job("second", 3));
        rests("b");
        assertThat(tables.reserves.firstAwake()).isNull();
        restsNoMore("a");
        assertThat(tables.reserves.firstAwake()).isEqualTo(job("first", 2));
        assertThat(tables.reserves.ripe()).isEqualTo(2);
    }

    @Test
    void headThatHasNotWaitedLongIsNoneThoughItsQueueRestsNoMore() {
        headsWaitFor(Duration.ZERO);
        assertThat(tables.reserves.firstAwake()).isNull();
        rests("a");
        restsNoMore("a");
        assertThat(tables.reserves.firstAwake()).isNull();
        assertThat(tables.reserves.ripe()).isZero();
        assertThat(tables.reserves.nextRipe()).isEqualTo(tables.now().plus(RESERVE_AFTER));
    }

    @Test
    void whatRestsOfAQueueWithoutAHeadIsNothing() {
        headsWaitFor(RESERVE_AFTER);
        rests("other");
        restsNoMore("other");
        assertThat(tables.reserves.firstAwake()).isEqualTo(job("first", 2));
    }
}
