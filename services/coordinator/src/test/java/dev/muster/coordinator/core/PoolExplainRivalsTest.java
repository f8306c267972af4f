package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.core.Standing.Rival;
import dev.muster.coordinator.core.fixtures.BackedPools;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With whom a waiting job contends: those ahead of it, and the heads of other queues. */
class PoolExplainRivalsTest {
    private static final JobId ASKED = job("asked", 1);
    private static final JobId SECOND = job("second", 2);
    private static final JobId THIRD = job("third", 3);

    private final Play play = Play.withNodes(4);

    /** What they earn by their weights counts, too: x and z would have as much, and y less. */
    @Test
    void headsOfOtherQueuesStandInTheOrderOfTheirCreditsAndWeights() {
        play.on(new Event.QueuePut("x", queue(3, false, true, 50), null));
        play.on(new Event.QueuePut("y", queue(2, false, true, 50), null));
        play.on(new Event.QueuePut("z", queue(1, false, true, 50), null));
        submit(ASKED, workers(1, 9));
        for (var name : List.of("x", "y", "z")) {
            for (int i = 0; i < 5; i++) {
                submit(job(name + i, 10 + i), of(name, 5));
            }
        }
        play.on(new Event.NodeSeen(Fixtures.WATCHER, Fixtures.node("node-1", 8)));
        play.on(new Event.NodeSeen(Fixtures.WATCHER, Fixtures.node("node-2", 8)));
        assertThat(rivals())
                .extracting(Rival::queue, Rival::weight, Rival::credit)
                .containsExactly(tuple("x", 3, 0L), tuple("z", 1, 2L), tuple("y", 2, -2L));
        play.takeEffects();
        play.on(new Event.NodeSeen(Fixtures.WATCHER, Fixtures.node("node-3", 5)));
        assertThat(play.takeStarted()).containsExactly("x1");
    }

    /** There are more of them than are named. */
    @ParameterizedTest
    @EnumSource
    void rivalsAreThoseThatStartNextByThePoolsPolicy(QueuePolicy policy) {
        var pool = Fixtures.pool(policy, PoolSpec.Preemption.OFF);
        play.on(new Event.PoolPut("default", pool, null));
        play.on(new Event.NodeSeen(Fixtures.WATCHER, Fixtures.node("node-1", 28)));
        submit(SECOND, workers(1, 4));
        for (int queue : List.of(3, 0, 6, 2, 5, 1, 4)) {
            play.on(new Event.QueuePut("q" + queue, QueueSpecs.QUEUE, null));
            submit(job("runs" + queue, 10 + queue), of("q" + queue, queue * 3 % 7 + 1));
        }
        assertThat(play.takeStarted()).hasSize(8);
        for (int queue : List.of(4, 5, 0, 1, 6, 2, 3)) {
            submit(job("q" + queue, 20 + queue), of("q" + queue, 5));
        }
        submit(ASKED, workers(1, 9));
        var rivals = rivals().stream().map(Rival::queue).toList();
        for (int i = 0; i < 5; i++) {
            play.on(new Event.NodeSeen(Fixtures.WATCHER, Fixtures.node("more-" + i, 5)));
        }
        assertThat(rivals).hasSize(5).isEqualTo(play.takeStarted());
    }

    /** Nobody makes their pods yet: once somebody does, the smaller one starts. */
    @Test
    void firstForWhomThereIsRoomStandsForItsQueue() {
        play.on(BackedPools.pool(BackedPools.OBSERVED));
        play.on(new Event.QueuePut("x", QueueSpecs.QUEUE, null));
        submit(SECOND, of("x", 5));
        submit(THIRD, of("x", 1));
        submit(ASKED, workers(1, 5));
        assertThat(rivals()).extracting(Rival::job).containsExactly(THIRD);
    }

    /** Whatever fits behind it. */
    @Test
    void headThatNobodyMayPassStandsForItsQueue() {
        play.on(new Event.QueuePut("x", queue(1, false, false, 50), null));
        submit(SECOND, of("x", 5));
        submit(job("runs", 4), workers(1, 1));
        submit(THIRD, of("x", 4));
        submit(job("small", 5), of("x", 1));
        submit(ASKED, workers(1, 5));
        assertThat(rivals())
                .extracting(Rival::job, rival -> rival.reason().code())
                .containsExactly(tuple(THIRD, Code.INSUFFICIENT_CAPACITY));
    }

    /** Queue x is guaranteed two of the cores, and its first job needs more; y has more weight. */
    @ParameterizedTest
    @EnumSource
    void whoKeepsToTheGuaranteeStandsForItsQueueAndGoesBeforeBorrowers(QueuePolicy policy) {
        play.on(new Event.PoolPut("default", Fixtures.pool(policy, PoolSpec.Preemption.OFF), null));
        var cores = Map.of("cpu", 2000L);
        play.on(new Event.QueuePut("x", QueueSpecs.guaranteed(QueueSpecs.QUEUE, cores), null));
        play.on(new Event.QueuePut("z", QueueSpecs.guaranteed(QueueSpecs.QUEUE, cores), null));
        play.on(new Event.QueuePut("y", queue(100, false, true, 50), null));
        submit(job("runs", 9), workers(1, 4));
        submit(job("y", 10), of("y", 1));
        submit(SECOND, of("x", 3));
        submit(THIRD, of("x", 2));
        submit(ASKED, workers(1, 4));
        assertThat(rivals()).extracting(Rival::job).containsExactly(THIRD, job("y", 10));
        play.takeEffects();
        new NamedJobs(play).end("runs", 9);
        assertThat(play.takeStarted()).startsWith("third");
    }

    /** What is held for it is not in its own way, and it starts whoever's turn it is. */
    @Test
    void whomRoomIsKeptForStandsForItsQueueAndIsFirst() {
        play.on(
                new Event.QueuePut(
                        "x", QueueSpecs.guaranteed(QueueSpecs.QUEUE, Map.of("cpu", 4000L)), null));
        play.on(new Event.QueuePut("y", queue(100, false, true, 50), null));
        submit(job("runs", 9), workers(1, 4));
        submit(SECOND, of("x", 4));
        play.passHeard(Duration.ofMinutes(6), 0);
        submit(job("y", 10), of("y", 1));
        submit(THIRD, of("x", 1));
        submit(ASKED, workers(1, 4));
        assertThat(play.explain(ASKED).orElseThrow().outlook().holder()).isEqualTo(SECOND);
        assertThat(rivals()).extracting(Rival::job).containsExactly(SECOND, job("y", 10));
    }

    /** Nobody passes its first, whoever keeps to the guarantee behind it. */
    @Test
    void firstOfAQueueWithoutBackfillStandsForItThoughItBorrows() {
        var spec = QueueSpecs.guaranteed(queue(1, false, false, 50), Map.of("cpu", 2000L));
        play.on(new Event.QueuePut("x", spec, null));
        submit(job("runs", 9), workers(1, 4));
        submit(SECOND, of("x", 3));
        submit(THIRD, of("x", 2));
        submit(ASKED, workers(1, 4));
        assertThat(rivals()).extracting(Rival::job).containsExactly(SECOND);
    }

    /** Its quota is in the way of the first: room alone lets the second start. */
    @Test
    void firstThatLacksRoomAloneStandsForItsQueue() {
        play.on(new Event.QueuePut("x", QueueSpecs.limited(2), null));
        submit(job("runs", 9), workers(1, 4));
        submit(SECOND, of("x", 3));
        submit(THIRD, of("x", 2));
        submit(ASKED, workers(1, 4));
        assertThat(rivals())
                .extracting(Rival::job, rival -> rival.reason().code())
                .containsExactly(tuple(THIRD, Code.INSUFFICIENT_CAPACITY));
    }

    /** Nobody of it could start: the first is named with what is in the way of all. */
    @Test
    void firstOfAPausedQueueStandsForIt() {
        play.on(new Event.QueuePut("x", queue(1, true, true, 50), null));
        submit(SECOND, of("x", 5));
        submit(THIRD, of("x", 1));
        submit(ASKED, workers(1, 5));
        assertThat(rivals())
                .extracting(Rival::job, rival -> rival.reason().code())
                .containsExactly(tuple(SECOND, Code.QUEUE_PAUSED));
    }

    @Test
    void priorityOfARivalHasWhatItsWaitingAdds() {
        play.on(new Event.PoolPut("default", Fixtures.aging(Duration.ofMinutes(1), 1000), null));
        submit(SECOND, at(3, workers(1, 5)));
        play.passHeard(Duration.ofMinutes(10), 0);
        submit(THIRD, at(11, workers(1, 5)));
        submit(ASKED, workers(1, 5));
        assertThat(play.explain(ASKED).orElseThrow().ahead())
                .extracting(Rival::job, Rival::priority)
                .containsExactly(tuple(SECOND, 13L), tuple(THIRD, 11L));
    }

    /** Where the first submission is first, waiting adds nothing. */
    @Test
    void priorityOfARivalInAFifoQueueIsItsOwn() {
        play.on(new Event.PoolPut("default", Fixtures.aging(Duration.ofMinutes(1), 1000), null));
        var order = new QueueSpec.Order(QueueSpec.Kind.FIFO, 0, true, Duration.ofHours(9));
        for (var queue : List.of("default", "x")) {
            play.on(new Event.QueuePut(queue, QueueSpecs.with(QueueSpecs.QUEUE, order), null));
        }
        submit(SECOND, workers(1, 5));
        submit(THIRD, at(3, of("x", 5)));
        play.passHeard(Duration.ofHours(2), 0);
        submit(ASKED, workers(1, 5));
        var standing = play.explain(ASKED).orElseThrow();
        assertThat(standing.ahead())
                .extracting(Rival::job, Rival::priority)
                .containsExactly(tuple(SECOND, 0L));
        assertThat(standing.rivals())
                .extracting(Rival::job, Rival::priority)
                .containsExactly(tuple(THIRD, 3L));
    }

    @Test
    void roomThatIsKeptForAnotherIsNotNamedWhereItWouldNotSuffice() {
        submit(SECOND, workers(1, 2));
        submit(THIRD, workers(1, 3));
        play.pass(Duration.ofMinutes(6));
        submit(ASKED, workers(1, 4));
        var standing = play.explain(ASKED).orElseThrow();
        assertThat(standing.outlook().holder()).isEqualTo(THIRD);
        assertThat(standing.reasons())
                .singleElement()
                .satisfies(reason -> assertThat(reason.message()).doesNotContain("kept for"));
    }

    private List<Rival> rivals() {
        return play.explain(ASKED).orElseThrow().rivals();
    }

    private void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }

    private static JobSpec of(String queue, long cores) {
        return Fixtures.spec(queue, Fixtures.role("worker", 1, cores));
    }
}
