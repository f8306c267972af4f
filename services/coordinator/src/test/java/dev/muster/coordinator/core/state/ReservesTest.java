package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.Named;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Quotas.Claim;
import java.time.Duration;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
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

    /** Whatever is asked first, the time that has passed counts. */
    @Test
    void itIsCountedHowManyHaveWaitedForLongByNow() {
        headsWaitFor(RESERVE_AFTER);
        assertThat(tables.reserves.ripe()).isEqualTo(2);
    }

    @Test
    void itIsKnownWhenTheNextHasWaitedForLong() {
        headsWaitFor(Duration.ZERO);
        assertThat(tables.reserves.nextRipe()).isEqualTo(tables.now().plus(RESERVE_AFTER));
    }

    @Test
    void headIsInFrontOfTheOneForWhomSomethingWasKept() {
        headsWaitFor(RESERVE_AFTER);
        waits("high", "a", 5, 2);
        assertThat(tables.reserves.isInFrontOfOne(queue("a"), lineOf("high"))).isTrue();
    }

    @Test
    void nothingIsKeptForAHeadWhoseQueueMayUseEverything() {
        headsWaitFor(RESERVE_AFTER);
        tables.put(Queue.of("c", QueueSpecs.QUEUE));
        waits("third", "c", 0, 8);
        tables.tick(tables.now().plus(RESERVE_AFTER));
        assertThat(tables.reserves.ripe()).isEqualTo(2);
        tables.put(new NamespaceQuota("ml", cpu(8), new TreeSet<>(), Amounts.NONE, 0, 1));
        assertThat(tables.reserves.ripe()).isEqualTo(3);
    }

    @Test
    void newcomerComesAfterWhatIsKeptOfItsQueue() {
        headsWaitFor(RESERVE_AFTER);
        assertThat(headIn(tables.reserves.inQueueOf(newcomer("b")))).isEqualTo(job("second", 3));
    }

    @Test
    void newcomerComesAfterWhatIsKeptOfItsNamespaceForTheFirst() {
        headsWaitFor(RESERVE_AFTER);
        assertThat(headIn(tables.reserves.inNamespaceOf(newcomer("b")))).isEqualTo(job("first", 2));
    }

    @Test
    void lessIsKeptOnceAfterAHeadThatHadWaitedForLongIsGone() {
        headsWaitFor(RESERVE_AFTER);
        assertThat(tables.reserves.haveShrunk()).isFalse();
        tables.remove(known("first", 2));
        assertThat(tables.reserves.haveShrunk()).isTrue();
        assertThat(tables.reserves.haveShrunk()).isFalse();
    }

    private Queue queue(String name) {
        return requireNonNull(tables.queue(name));
    }

    private Job known(String name, long offset) {
        return requireNonNull(tables.job(job(name, offset)));
    }

    private void waits(String name, String queue, int priority, long cores) {
        var spec = at(priority, spec(queue, role("worker", 1, cores)));
        tables.tick(tables.now());
        var job = Job.submitted(job(name, 9), spec, tables.clock());
        tables.put(job.to(new JobState.Queued(0, new JobState.Gate.Open(), null), job.times()));
    }

    private Line lineOf(String name) {
        return requireNonNull(tables.eligibility.lineOf(known(name, 9)));
    }

    private Claim newcomer(String queue) {
        return new Claim(queue(queue), "ml", new Use(cpu(1), Amounts.NONE), By.WAITING_JOB);
    }

    private static @Nullable JobId headIn(Reserves.@Nullable Reserve reserve) {
        return reserve == null ? null : reserve.job();
    }
}
