package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.job;
import static dev.muster.coordinator.core.Fixtures.role;
import static dev.muster.coordinator.core.Fixtures.spec;
import static dev.muster.coordinator.core.QueueSpecs.guaranteed;
import static dev.muster.coordinator.core.QueueSpecs.limited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
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
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Effect;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import dev.muster.coordinator.core.state.Quotas;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits, guarantees, what is borrowed and lent, and whose turn it is. */
class PoolSharesTest {
    private static final Request REQUEST = new Request("a", "r-1");
    private final Play play = Play.withNodes(4, 4);

    @Test
    void queueNeverUsesMoreThanItsLimit() {
        queue("a", limited(2));
        for (int i = 0; i < 3; i++) {
            submit("a" + i, i, "a");
        }
        assertThat(started()).containsExactly("a0", "a1");
        assertThat(reason("a").code()).isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(reason("a").scope()).isEqualTo("cpu");
        assertThat(reason("a").shortage()).isEqualTo(new WaitReason.Shortage(1000, 0));
        end("a0", 0);
        assertThat(started()).containsExactly("a2");
    }

    @Test
    void gangAboveTheLimitIsToldThatItCanNeverStart() {
        queue("a", limited(2));
        play.on(submitted("big", 1, spec("a", role("worker", 3, 1))));
        var waits = play.takeOne(Effect.Waits.class).reason();
        assertThat(waits.code()).isEqualTo(Code.EXCEEDS_MAX_QUOTA);
        assertThat(waits.shortage()).isEqualTo(new WaitReason.Shortage(3000, 2000));
        submit("small", 2, "a");
        assertThat(started()).containsExactly("small");
    }

    @Test
    void tenTimesAHundredMilliIsOneCore() {
        queue("a", limited(1));
        var tenth = Amounts.of(Map.of("cpu", 100L, "pods", 1L));
        for (int i = 0; i < 11; i++) {
            play.on(submitted("a" + i, i, spec("a", Fixtures.role("w", 1, tenth, NodeFilter.ANY))));
        }
        assertThat(started()).hasSize(10);
    }

    @Test
    void queueBorrowsWhatOthersLeaveIdleAndTheyGoFirstOnceTheyCome() {
        queue("a", guaranteed(4));
        queue("b", guaranteed(4));
        for (int i = 0; i < 9; i++) {
            submit("a" + i, i, "a");
        }
        assertThat(started()).hasSize(8);
        submit("b0", 20, "b");
        submit("b1", 21, "b");
        play.takeEffects();
        end("a0", 0);
        end("a1", 1);
        assertThat(started()).containsExactly("b0", "b1");
    }

    @Test
    void queueThatMayNotBorrowKeepsToItsGuarantee() {
        queue("a", quota(2, false, null, null));
        submit("a0", 0, "a");
        submit("a1", 1, "a");
        submit("a2", 2, "a");
        assertThat(started()).containsExactly("a0", "a1");
    }

    @Test
    void borrowLimitAndLendLimitAreKept() {
        queue("a", quota(2, true, 1L, null));
        queue("b", quota(6, true, null, 4L));
        for (int i = 0; i < 9; i++) {
            submit("a" + i, i, "a");
        }
        assertThat(started()).hasSize(3);
        queue("a", quota(2, true, null, null));
        assertThat(started()).hasSize(3);
    }

    @Test
    void borrowingStaysWithinAGroup() {
        queue("a", inGroup("x", guaranteed(4)));
        queue("b", inGroup("y", guaranteed(4)));
        for (int i = 0; i < 5; i++) {
            submit("a" + i, i, "a");
        }
        assertThat(started()).hasSize(4);
    }

    /** Each has a remedy of its own. */
    @Test
    void twoQuotasOfOneResourceAreTwoReasons() {
        queue("a", limited(6));
        queue("b", guaranteed(4));
        play.on(submitted("b0", 0, spec("b", role("worker", 4, 1))));
        play.on(submitted("a0", 1, spec("a", role("worker", 3, 1))));
        play.on(submitted("a1", 2, spec("a", role("worker", 4, 1))));
        play.on(submitted("a2", 3, spec("a", role("worker", 2, 1))));
        play.on(new Event.QueuePut("a", limited(6), null));
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
        queue("a", inGroup("x", guaranteed(1)));
        queue("b", inGroup("y", guaranteed(4)));
        for (int i = 0; i < 5; i++) {
            submit("a" + i, i, "a");
        }
        assertThat(started()).hasSize(4);
    }

    @Test
    void queueRunsAtMostSoManyJobs() {
        var doors = new QueueSpec.Doors(false, false, 100, 2, new TreeSet<>());
        queue("a", QueueSpecs.with(QueueSpecs.QUEUE, doors));
        submit("a0", 0, "a");
        submit("a1", 1, "a");
        submit("a2", 2, "a");
        assertThat(started()).containsExactly("a0", "a1");
        assertThat(reason("a").scope()).isEqualTo("maxRunning");
    }

    /** Its room was free before, when its pod was seen to be gone. */
    @Test
    void placeOfAJobThatStoppedIsTheNextOnes() {
        var doors = new QueueSpec.Doors(false, false, 100, 1, new TreeSet<>());
        queue("a", QueueSpecs.with(QueueSpecs.QUEUE, doors));
        var first = new OneJob(play, job("a0", 0));
        first.runs(one("a"));
        submit("a1", 1, "a");
        play.on(Fixtures.cancel(job("a0", 0), "", null));
        first.applied(false);
        first.gone(0);
        first.applied(true);
        assertThat(started()).containsExactly("a1");
    }

    @Test
    void quotaOfANamespaceCountsLikeALimit() {
        queue("a", QueueSpecs.QUEUE);
        play.on(
                new Event.NamespaceQuotaSeen(
                        WATCHER,
                        "ml",
                        Amounts.of(Map.of("requests.cpu", 3000L, "count/pods", 100L)),
                        Amounts.of(Map.of("requests.cpu", 1000L))));
        submit("a0", 0, "a");
        submit("a1", 1, "a");
        submit("a2", 2, "a");
        assertThat(started()).containsExactly("a0", "a1");
        play.on(new Event.NamespaceQuotaGone(WATCHER, "ml"));
        assertThat(started()).containsExactly("a2");
    }

    /** As administrators keep a namespace from GPUs, or from everything. */
    @ParameterizedTest
    @ValueSource(strings = {"requests.cpu", "cpu", "pods", "count/pods"})
    void quotaOfNothingStopsAllThatAskForIt(String name) {
        queue("a", QueueSpecs.QUEUE);
        var none = new TreeSet<>(Set.of(name));
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", Fixtures.cpu(9), none, Amounts.NONE));
        submit("a0", 0, "a");
        assertThat(play.takeOne(Effect.Waits.class).reason().code())
                .isEqualTo(Code.EXCEEDS_MAX_QUOTA);
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", Fixtures.cpu(9), Amounts.NONE));
        assertThat(started()).containsExactly("a0");
    }

    @ParameterizedTest
    @CsvSource({
        "cpu, 2",
        "requests.cpu, 2",
        "limits.cpu, 4",
        "limits.nvidia.com/gpu, 8",
        "pods, 1",
        "count/pods, 1",
        "nvidia.com/gpu, 8",
        "requests.nvidia.com/gpu, 8",
        "services, 0"
    })
    void namesOfAQuotaCountWhatKubernetesCountsUnderThem(String name, long counted) {
        var use =
                new Use(
                        Amounts.of(Map.of("cpu", 2L, "pods", 1L, "nvidia.com/gpu", 8L)),
                        Amounts.of(Map.of("cpu", 2L)));
        assertThat(Quotas.counted(name, use)).isEqualTo(counted);
    }

    /** It is there until it is deleted: the API server counts objects. */
    @Test
    void podThatHasEndedCountsWhereObjectsAreCounted() {
        queue("a", QueueSpecs.QUEUE);
        play.on(ofNamespace("count/pods", 1));
        submit("a0", 0, "a");
        submit("a1", 1, "a");
        assertThat(started()).containsExactly("a0");
        end("a0", 0);
        assertThat(started()).isEmpty();
        play.on(new Event.PodGone(WATCHER, job("a0", 0), Fixtures.mark("worker", 0, 1)));
        assertThat(started()).containsExactly("a1");
    }

    @Test
    void podThatHasEndedUsesNothingElse() {
        queue("a", QueueSpecs.QUEUE);
        play.on(ofNamespace("pods", 1));
        submit("a0", 0, "a");
        submit("a1", 1, "a");
        assertThat(started()).containsExactly("a0");
        end("a0", 0);
        assertThat(started()).containsExactly("a1");
    }

    private static Event ofNamespace(String name, long most) {
        return new Event.NamespaceQuotaSeen(
                WATCHER, "ml", Amounts.of(Map.of(name, most)), Amounts.NONE);
    }

    /** A pod without limits counts what it requests, whatever is beyond those of others. */
    @Test
    void limitsOfANamespaceAreCountedPodByPod() {
        queue("a", QueueSpecs.QUEUE);
        var hard = Amounts.of(Map.of("limits.cpu", 5000L));
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", hard, Amounts.NONE));
        var bursts = Amounts.of(Map.of("cpu", 3000L));
        var spec = Respec.roles(one("a"), role -> Respec.limited(role, bursts, null));
        play.on(submitted("limited", 0, spec));
        play.on(submitted("plain", 1, one("a")));
        play.on(submitted("last", 2, one("a")));
        assertThat(started()).containsExactly("limited", "plain", "last");
        play.on(submitted("more", 3, one("a")));
        assertThat(started()).isEmpty();
    }

    @Test
    void queueTakesOnlyItsNamespaces() {
        var doors = new QueueSpec.Doors(false, false, 100, 100, new TreeSet<>(List.of("other")));
        queue("a", QueueSpecs.with(QueueSpecs.QUEUE, doors));
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

    private void queue(String name, QueueSpec spec) {
        play.on(new Event.QueuePut(name, spec, null));
    }

    private static QueueSpec quota(long guaranteed, boolean borrowing, Long borrow, Long lend) {
        return QueueSpecs.with(
                QueueSpecs.QUEUE,
                new Quota(
                        Amounts.of(Map.of("cpu", guaranteed * 1000)),
                        new TreeMap<>(),
                        borrowing,
                        borrow == null
                                ? new TreeMap<>()
                                : new TreeMap<>(Map.of("cpu", borrow * 1000)),
                        lend == null ? new TreeMap<>() : new TreeMap<>(Map.of("cpu", lend * 1000)),
                        null));
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

    private void submit(String name, long offset, String queue) {
        play.on(submitted(name, offset, one(queue)));
    }

    private static JobSpec one(String queue) {
        return spec(queue, role("worker", 1, 1));
    }

    private static Event submitted(String name, long offset, JobSpec spec) {
        return new Event.Submitted(job(name, offset), spec, null);
    }

    private List<String> started() {
        return play.take(RunPlan.class).stream().map(plan -> plan.job().name()).toList();
    }

    private WaitReason reason(String queue) {
        var row = (Queue) play.rows.get(Row.Table.QUEUE).get(queue);
        return row.reason();
    }

    private void end(String name, long offset) {
        var mark = Fixtures.mark("worker", 0, 1);
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        job(name, offset),
                        Fixtures.pod(mark, 1, PodPhase.SUCCEEDED, "node-0", 0)));
    }
}
