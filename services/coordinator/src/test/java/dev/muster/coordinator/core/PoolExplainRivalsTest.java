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
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With whom a waiting job contends: those ahead of it, and the heads of other queues. */
class PoolExplainRivalsTest {
    private static final JobId ASKED = job("asked", 1);
    private static final JobId SECOND = job("second", 2);
    private static final JobId THIRD = job("third", 3);

    private final Play play = Play.withNodes(4);

    @Test
    void headsOfOtherQueuesStandInTheOrderOfTheirCredits() {
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
        var rivals = rivals();
        assertThat(rivals).extracting(Rival::queue).containsExactly("z", "x", "y");
        assertThat(rivals)
                .extracting(Rival::credit)
                .isSortedAccordingTo(Comparator.reverseOrder())
                .doesNotHaveDuplicates();
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
