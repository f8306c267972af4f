package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Queue a is guaranteed all GPUs, e all cores and c nothing; a job of c has all of both. In a the
 * first job needs a core alone, and so borrows it: one behind it keeps to what a is guaranteed.
 */
class PoolGuaranteedTurnsTest {
    private static final String GPU = "nvidia.com/gpu";

    private final Play play = Play.withNodes();
    private final NamedJobs jobs = new NamedJobs(play);

    private void pool(boolean backfill, long cores) {
        node("large", cores, 8);
        queue("a", 1, backfill, Map.of(GPU, 8L));
        queue("e", 1, true, Map.of("cpu", cores * 1000));
        queue("c", 100, true, Map.of());
        jobs.submit("c0", 1, of("c", cores, 8));
        assertThat(play.takeStarted()).containsExactly("c0");
    }

    private void node(String name, long cores, long gpus) {
        var plain = Fixtures.node(name, cores);
        var allocatable = plain.allocatable().with(GPU, gpus);
        var node = new Node(name, 1, plain.labels(), List.of(), false, true, allocatable, 0);
        play.on(new Event.NodeSeen(WATCHER, node));
    }

    private void queue(String name, int weight, boolean backfill, Map<String, Long> guaranteed) {
        jobs.queue(name, guaranteed(weight, backfill, guaranteed));
    }

    private static QueueSpec guaranteed(int weight, boolean backfill, Map<String, Long> amounts) {
        return QueueSpecs.guaranteed(QueueSpecs.queue(weight, false, backfill, 1000), amounts);
    }

    private static JobSpec of(String queue, long cores, long gpus) {
        var demand = Amounts.of(Map.of("cpu", cores * 1000, "pods", 1L, GPU, gpus));
        return spec(queue, role("worker", 1, demand, NodeFilter.ANY));
    }

    /** They wait in this order. */
    private void wait(String first, JobSpec spec, String second, JobSpec other) {
        jobs.submit(first, 2, spec);
        jobs.submit(second, 3, other);
        play.takeEffects();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoKeepsToTheGuaranteeBehindOneThatBorrowsStartsBeforeBorrowersOfOthers(boolean restored) {
        pool(true, 4);
        wait("a1", of("a", 1, 0), "a2", of("a", 1, 8));
        jobs.submit("c3", 4, of("c", 1, 8));
        if (restored) {
            play.restart();
        }
        jobs.end("c0", 1);
        assertThat(play.takeStarted()).containsExactly("a2", "a1");
    }

    /** Whosever turn it would have been. */
    @ParameterizedTest
    @EnumSource
    void thatHoldsByEveryPolicy(QueuePolicy policy) {
        var plain = Fixtures.pool(policy, PoolSpec.Preemption.OFF);
        play.on(new Event.PoolPut("default", plain, null));
        pool(true, 4);
        jobs.submit("c3", 2, of("c", 1, 8));
        jobs.submit("a1", 3, of("a", 1, 0));
        jobs.submit("a2", 4, of("a", 1, 8));
        jobs.end("c0", 1);
        assertThat(play.takeStarted()).containsExactly("a2", "a1");
    }

    @Test
    void nobodyPassesTheFirstOfAQueueWithoutBackfill() {
        pool(false, 4);
        wait("a1", of("a", 1, 0), "a2", of("a", 1, 8));
        jobs.submit("c3", 4, of("c", 1, 8));
        jobs.end("c0", 1);
        assertThat(play.takeStarted()).containsExactly("c3", "a1");
    }

    /** There is nobody before whom it would have to start. */
    @Test
    void queueKeepsItsOrderWhereNoOtherCouldStartAJob() {
        pool(true, 1);
        wait("a1", of("a", 1, 0), "a2", of("a", 1, 8));
        jobs.end("c0", 1);
        assertThat(play.takeStarted()).containsExactly("a1");
    }

    @Test
    void whoWouldUseMoreThanIsGuaranteedPassesNobody() {
        pool(true, 4);
        wait("a1", of("a", 1, 0), "a2", of("a", 1, 9));
        node("second", 0, 9);
        jobs.submit("c3", 4, of("c", 1, 8));
        jobs.end("c0", 1);
        assertThat(play.takeStarted()).containsExactly("c3", "a1");
    }

    /** The first one would use the same GPUs, and one more than is guaranteed. */
    @ParameterizedTest
    @CsvSource({"50, c3, a2", "200, a2, c3"})
    void whoIsOfLowerPriorityPassesNobodyWhoNeedsTheSameOfTheGuarantee(
            int priority, String first, String second) {
        pool(true, 4);
        queue("a", 1, true, Map.of(GPU, 4L));
        waitForHalf(200, priority);
        assertThat(play.takeStarted()).containsExactly(first, second);
    }

    /** The first needs none of the GPUs; the next would use more of them than is guaranteed. */
    @ParameterizedTest
    @CsvSource({"50, c3, a3", "100, a3, c3"})
    void whoIsPassedMayStandAnywhereBefore(int priority, String first, String second) {
        pool(true, 4);
        queue("a", 1, true, Map.of(GPU, 4L));
        wait("a1", at(200, of("a", 1, 0)), "a2", at(100, of("a", 1, 5)));
        jobs.submit("a3", 4, at(priority, of("a", 1, 4)));
        jobs.submit("c3", 5, of("c", 1, 4));
        jobs.end("c0", 1);
        assertThat(play.takeStarted()).startsWith(first).contains(second).contains("a1");
    }

    /** Where age orders a queue, priorities say nothing. */
    @Test
    void priorityKeepsNobodyFromPassingInQueueByAge() {
        pool(true, 4);
        var fifo = new QueueSpec.Order(QueueSpec.Kind.FIFO, 0, true, Duration.ofMinutes(5));
        jobs.queue("a", QueueSpecs.with(guaranteed(1, true, Map.of(GPU, 4L)), fifo));
        waitForHalf(200, 50);
        assertThat(play.takeStarted()).containsExactly("a2", "c3");
    }

    private void waitForHalf(int priority, int behind) {
        wait("a1", at(priority, of("a", 1, 5)), "a2", at(behind, of("a", 1, 4)));
        jobs.submit("c3", 4, of("c", 1, 4));
        jobs.end("c0", 1);
    }

    /** Nobody but jobs behind the first could use what is guaranteed: others shall not have it. */
    @Test
    void whoIsOfLowerPriorityPassesOneThatNeedsNothingOfTheGuarantee() {
        pool(true, 4);
        wait("a1", at(200, of("a", 1, 0)), "a2", at(50, of("a", 1, 8)));
        jobs.submit("c3", 4, of("c", 1, 8));
        jobs.end("c0", 1);
        assertThat(play.takeStarted()).containsExactly("a2", "a1");
    }

    /** The first two GPU jobs fill the guarantee; the third borrows as all others do. */
    @Test
    void orderStaysOnceTheGuaranteeIsUsed() {
        pool(true, 8);
        wait("a1", of("a", 1, 0), "a2", of("a", 1, 4));
        jobs.submit("a3", 4, of("a", 1, 4));
        jobs.submit("a4", 5, of("a", 1, 4));
        jobs.submit("c5", 6, of("c", 1, 0));
        node("second", 0, 4);
        play.takeEffects();
        jobs.end("c0", 1);
        assertThat(play.takeStarted()).containsExactly("a2", "a3", "c5", "a1");
    }

    /** What the first of them took the second has not: the next one is found. */
    @Test
    void nextOneThatKeepsToItIsFoundWhenAnotherQueueTookTheRoom() {
        pool(true, 8);
        queue("b", 100, true, Map.of(GPU, 4L));
        queue("a", 1, true, Map.of(GPU, 4L));
        wait("a1", of("a", 1, 0), "a2", of("a", 6, 4));
        jobs.submit("a3", 4, of("a", 1, 4));
        jobs.submit("b4", 5, of("b", 3, 4));
        jobs.submit("c5", 6, of("c", 1, 0));
        play.takeEffects();
        jobs.end("c0", 1);
        assertThat(play.takeStarted()).containsExactly("b4", "a3", "c5", "a1");
    }
}
