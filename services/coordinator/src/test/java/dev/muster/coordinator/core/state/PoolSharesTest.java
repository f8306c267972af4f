package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.NamedJobs.one;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.guaranteed;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.quota;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits, guarantees, what is borrowed and lent, and whose turn it is. */
class PoolSharesTest {
    private static final Request REQUEST = new Request("a", "r-1");
    private final Play play = Play.withNodes(4, 4);
    private final NamedJobs jobs = new NamedJobs(play);

    @Test
    void queueNeverUsesMoreThanItsLimit() {
        jobs.queue("a", limited(2));
        for (int i = 0; i < 3; i++) {
            jobs.submit("a" + i, i, "a");
        }
        assertThat(play.takeStarted()).containsExactly("a0", "a1");
        assertThat(reason("a").code()).isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(reason("a").scope()).isEqualTo("cpu");
        assertThat(reason("a").shortage()).isEqualTo(new WaitReason.Shortage(1000, 0));
        jobs.end("a0", 0);
        assertThat(play.takeStarted()).containsExactly("a2");
    }

    /** It is what holds for every job of it. */
    @ParameterizedTest
    @MethodSource
    void queueWhoseLastJobWaitsNoMoreHasNoReason(Change change) {
        jobs.queue("a", guaranteed(4));
        jobs.queue("b", QueueSpecs.QUEUE);
        for (int i = 0; i < 8; i++) {
            jobs.submit("a" + i, i, "a");
        }
        jobs.submit("b0", 20, "b");
        assertThat(reason("b").code()).isEqualTo(Code.QUOTA_EXCEEDED);
        play.takeEffects();
        play.on(new Event.ChangeAsked(job("b0", 20), change, null));
        assertThat(reason("b")).isNull();
        assertThat(play.take(Effect.QueueState.class))
                .extracting(state -> state.queue().name())
                .containsExactly("b");
    }

    static List<Change> queueWhoseLastJobWaitsNoMoreHasNoReason() {
        return List.of(
                new Change.Cancel(null, ""), new Change.Suspend(null, ""), new Change.Hold(""));
    }

    @Test
    void gangAboveTheLimitIsToldThatItCanNeverStart() {
        jobs.queue("a", limited(2));
        jobs.submit("big", 1, spec("a", role("worker", 3, 1)));
        var waits = play.takeOne(Effect.Waits.class).reason();
        assertThat(waits.code()).isEqualTo(Code.EXCEEDS_MAX_QUOTA);
        assertThat(waits.shortage()).isEqualTo(new WaitReason.Shortage(3000, 2000));
        jobs.submit("small", 2, "a");
        assertThat(play.takeStarted()).containsExactly("small");
    }

    @Test
    void tenTimesAHundredMilliIsOneCore() {
        jobs.queue("a", limited(1));
        var tenth = Amounts.of(Map.of("cpu", 100L, "pods", 1L));
        for (int i = 0; i < 11; i++) {
            jobs.submit("a" + i, i, spec("a", Fixtures.role("w", 1, tenth, NodeFilter.ANY)));
        }
        assertThat(play.takeStarted()).hasSize(10);
    }

    @Test
    void queueBorrowsWhatOthersLeaveIdleAndTheyGoFirstOnceTheyCome() {
        jobs.queue("a", guaranteed(4));
        jobs.queue("b", guaranteed(4));
        for (int i = 0; i < 9; i++) {
            jobs.submit("a" + i, i, "a");
        }
        assertThat(play.takeStarted()).hasSize(8);
        jobs.submit("b0", 20, "b");
        jobs.submit("b1", 21, "b");
        play.takeEffects();
        jobs.end("a0", 0);
        jobs.end("a1", 1);
        assertThat(play.takeStarted()).containsExactly("b0", "b1");
    }

    @Test
    void queueThatMayNotBorrowKeepsToItsGuarantee() {
        jobs.queue("a", quota(2, false, null, null));
        jobs.submit("a0", 0, "a");
        jobs.submit("a1", 1, "a");
        jobs.submit("a2", 2, "a");
        assertThat(play.takeStarted()).containsExactly("a0", "a1");
    }

    @Test
    void borrowLimitAndLendLimitAreKept() {
        jobs.queue("a", quota(2, true, 1L, null));
        jobs.queue("b", quota(6, true, null, 4L));
        for (int i = 0; i < 9; i++) {
            jobs.submit("a" + i, i, "a");
        }
        assertThat(play.takeStarted()).hasSize(3);
        jobs.queue("a", quota(2, true, null, null));
        assertThat(play.takeStarted()).hasSize(3);
    }

    @Test
    void borrowingStaysWithinAGroup() {
        jobs.queue("a", inGroup("x", guaranteed(4)));
        jobs.queue("b", inGroup("y", guaranteed(4)));
        for (int i = 0; i < 5; i++) {
            jobs.submit("a" + i, i, "a");
        }
        assertThat(play.takeStarted()).hasSize(4);
    }

    /** Each has a remedy of its own; the first was told of the whole queue until the other came. */
    @Test
    void twoQuotasOfOneResourceAreTwoReasons() {
        jobs.queue("a", limited(6));
        jobs.queue("b", guaranteed(4));
        jobs.submit("b0", 0, spec("b", role("worker", 4, 1)));
        jobs.submit("a0", 1, spec("a", role("worker", 3, 1)));
        jobs.submit("a1", 2, spec("a", role("worker", 4, 1)));
        assertThat(reason("a").code()).isEqualTo(Code.QUOTA_EXCEEDED);
        jobs.submit("a2", 3, spec("a", role("worker", 2, 1)));
        assertThat(reason("a")).isNull();
        assertThat(play.take(Effect.Waits.class))
                .extracting(waits -> waits.job().name(), waits -> waits.reason().message())
                .contains(
                        tuple("a1", "needs 4 of cpu, queue a has 3 left of its limit"),
                        tuple(
                                "a2",
                                "needs 2 of cpu, queue a has 1 left of what its group leaves"
                                        + " idle"));
    }

    @Test
    void whatNobodyWasGuaranteedIsForEverybody() {
        jobs.queue("a", inGroup("x", guaranteed(1)));
        jobs.queue("b", inGroup("y", guaranteed(4)));
        for (int i = 0; i < 5; i++) {
            jobs.submit("a" + i, i, "a");
        }
        assertThat(play.takeStarted()).hasSize(4);
    }

    @Test
    void queueRunsAtMostSoManyJobs() {
        jobs.queue("a", running(2, QueueSpecs.QUEUE));
        jobs.submit("a0", 0, "a");
        jobs.submit("a1", 1, "a");
        jobs.submit("a2", 2, "a");
        assertThat(play.takeStarted()).containsExactly("a0", "a1");
        assertThat(reason("a").scope()).isEqualTo("maxRunning");
    }

    /** Its room was free before, when its pod was seen to be gone. */
    @Test
    void placeOfAJobThatStoppedIsTheNextOnes() {
        jobs.queue("a", running(1, QueueSpecs.QUEUE));
        var first = new OneJob(play, job("a0", 0));
        first.runs(one("a"));
        jobs.submit("a1", 1, "a");
        play.on(Fixtures.cancel(job("a0", 0), "", null));
        first.applied(false);
        first.gone(0);
        first.applied(true);
        assertThat(play.takeStarted()).containsExactly("a1");
    }

    @Test
    void queueTakesOnlyItsNamespaces() {
        var doors = new QueueSpec.Doors(false, false, 100, 100, new TreeSet<>(List.of("other")));
        jobs.queue("a", QueueSpecs.with(QueueSpecs.QUEUE, doors));
        play.on(new Event.Submitted(job("a0", 0), one("a"), REQUEST));
        var answer = play.takeOne(Effect.Answer.class);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message()).isEqualTo("queue a is not for namespace ml");
    }

    @Test
    void policyIsChangedWhileJobsWait() {
        var full = Play.withNodes(1);
        full.on(new Event.QueuePut("a", QueueSpecs.queue(100, false, true, 10), null));
        full.on(new Event.QueuePut("b", QueueSpecs.QUEUE, null));
        full.on(submitted("first", 0, one("default")));
        for (int i = 0; i < 4; i++) {
            full.on(submitted("a" + i, 10 + i, one("a")));
            full.on(submitted("b" + i, 20 + i, one("b")));
        }
        full.takeEffects();
        var fifo = Fixtures.pool(QueuePolicy.ROUND_ROBIN, PoolSpec.Preemption.OFF);
        full.on(new Event.PoolPut("default", fifo, null));
        full.on(new Event.NodeSeen(WATCHER, Fixtures.node("more", 4)));
        assertThat(full.take(RunPlan.class))
                .extracting(plan -> plan.job().name())
                .containsExactly("a0", "b0", "a1", "b1");
    }

    @Test
    void oldestJobOfAllGoesFirstWithFifo() {
        var full = Play.withNodes(1);
        var fifo = Fixtures.pool(QueuePolicy.FIFO, PoolSpec.Preemption.OFF);
        full.on(new Event.PoolPut("default", fifo, null));
        full.on(new Event.QueuePut("a", QueueSpecs.queue(1, false, true, 10), null));
        full.on(new Event.QueuePut("b", QueueSpecs.queue(9, false, true, 10), null));
        full.on(submitted("first", 0, one("default")));
        for (var name : List.of("b0", "a0", "a1", "b1")) {
            full.on(submitted(name, 10, one(name.substring(0, 1))));
        }
        full.takeEffects();
        full.on(new Event.NodeSeen(WATCHER, Fixtures.node("more", 4)));
        assertThat(full.take(RunPlan.class))
                .extracting(plan -> plan.job().name())
                .containsExactly("b0", "a0", "a1", "b1");
    }

    @Test
    void queueThatUsesLeastOfWhatItUsesMostGoesFirst() {
        var full = Play.withNodes(1);
        var fair = Fixtures.pool(QueuePolicy.DOMINANT_SHARE, PoolSpec.Preemption.OFF);
        full.on(new Event.PoolPut("default", fair, null));
        full.on(new Event.QueuePut("a", QueueSpecs.queue(1, false, true, 10), null));
        full.on(new Event.QueuePut("b", QueueSpecs.queue(3, false, true, 10), null));
        full.on(submitted("first", 0, one("default")));
        for (int i = 0; i < 8; i++) {
            full.on(submitted("a" + i, 10 + i, one("a")));
            full.on(submitted("b" + i, 30 + i, one("b")));
        }
        full.takeEffects();
        full.on(new Event.NodeSeen(WATCHER, Fixtures.node("more", 8)));
        var names =
                full.take(RunPlan.class).stream()
                        .map(plan -> plan.job().name().substring(0, 1))
                        .toList();
        assertThat(names).filteredOn("a"::equals).hasSize(2);
        assertThat(names).filteredOn("b"::equals).hasSize(6);
    }

    private static QueueSpec inGroup(String group, QueueSpec spec) {
        var quota = spec.quota();
        return QueueSpecs.with(
                spec,
                new Quota(
                        quota.guaranteed(),
                        quota.limit(),
                        quota.borrowing(),
                        quota.borrowLimit(),
                        quota.lendLimit(),
                        group));
    }

    private static Event submitted(String name, long offset, JobSpec spec) {
        return new Event.Submitted(job(name, offset), spec, null);
    }

    private WaitReason reason(String queue) {
        var row = (Queue) play.rows.get(Row.Table.QUEUE).get(queue);
        return row.reason();
    }
}
