package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.gibi;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.remembering;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Memories;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What becomes of a job that runs out of memory. */
class PoolMemoryTest {
    private static final FailurePolicy.Rule GROW =
            Fixtures.rule(new Action.GrowMemory(1500, gibi(3)));

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    private static JobSpec pair(Otherwise otherwise) {
        return failing(
                policy(otherwise, GROW), spec("default", remembering(2, role("worker", 2, 1))));
    }

    private void madeAnew() {
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        one.gone(0);
        one.gone(1);
        one.applied(false);
        one.applied(true);
        play.passHeard(Duration.ofSeconds(10), 0);
    }

    @Test
    void gangIsMadeAnewWithMoreMemory() {
        one.runs(pair(Otherwise.GANG));
        one.fail(1, 137);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.takeOne(Effect.Moved.class).message())
                .isEqualTo(
                        "worker-1 exited with 137; memory of role worker grows from 2Gi to 3Gi;"
                                + " restart 1");
        madeAnew();
        assertThat(play.takeOne(RunPlan.class).pods())
                .extracting(PlannedPod::memory)
                .containsExactly(gibi(3), gibi(3));
        assertThat(play.job(a).spec().role("worker").demand().get("memory")).isEqualTo(gibi(3));
    }

    @Test
    void onlyThePodThatFailedGetsMoreWherePodsRestart() {
        one.runs(pair(Otherwise.POD));
        one.fail(1, 137);
        play.passHeard(Duration.ofSeconds(20), 0);
        assertThat(play.take(RunPlan.class).getLast().pods())
                .extracting(PlannedPod::memory)
                .containsExactly(0L, gibi(3));
        play.restart();
        assertThat(one.rank(0).making().memory()).isZero();
        assertThat(one.rank(1).making().memory()).isEqualTo(gibi(3));
    }

    @Test
    void initContainerThatRunsOutOfMemoryGrowsNobodys() {
        one.runs(pair(Otherwise.POD));
        var node = one.rank(1).making().node();
        var pod = Fixtures.pod(OneJob.mark(1), 500, Event.PodPhase.FAILED, node);
        var end = new Event.ContainerEnd(137, "OOMKilled", "", "fetch");
        play.on(new Event.PodSeen(Fixtures.WATCHER, a, Memories.ended(pod, end)));
        play.restart();
        play.passHeard(Duration.ofSeconds(20), 0);
        assertThat(one.rank(1).making().incarnation()).isEqualTo(3);
        assertThat(one.rank(1).making().memory()).isZero();
        assertThat(play.job(a).spec().memoryOf("worker")).isZero();
    }

    @Test
    void whereItMayNotGrowTheJobEndsAndSaysWhy() {
        one.runs(pair(Otherwise.POD));
        one.fail(1, 137);
        play.passHeard(Duration.ofSeconds(20), 0);
        one.seeNewest(1, Event.PodPhase.RUNNING, null);
        play.takeEffects();
        one.seeNewest(1, Event.PodPhase.FAILED, 137);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        var end = play.takeOne(Effect.Moved.class);
        assertThat(end.to()).isEqualTo(Phase.FAILED);
        assertThat(end.reason()).isEqualTo("MemoryLimitReached");
        assertThat(end.message())
                .isEqualTo(
                        "worker-1 exited with 137; memory of role worker cannot grow: its rule"
                                + " allows at most 3Gi");
    }

    @Test
    void whatHasGrownIsReservedAndGivenBackWhole() {
        one.runs(pair(Otherwise.POD));
        one.fail(1, 137);
        play.passHeard(Duration.ofSeconds(20), 0);
        // Of two nodes with 4Gi one holds 2Gi now, the other 3Gi.
        var small = spec("default", remembering(2, role("worker", 1, 1)));
        play.on(new Event.Submitted(job("b", 2), small, null));
        play.on(new Event.Submitted(job("c", 3), small, null));
        assertThat(play.job(job("b", 2)).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(job("c", 3)).state()).isInstanceOf(JobState.Queued.class);
        var newest = one.newest(1);
        one.seeNewest(1, Event.PodPhase.RUNNING, null);
        play.on(Fixtures.cancel(a, "", null));
        play.on(new Event.PodGone(Fixtures.WATCHER, a, newest));
        assertThat(play.job(job("c", 3)).state()).isInstanceOf(JobState.Starting.class);
    }

    /** Two of 2Gi each run, and the second is to have 3Gi. */
    private void secondNeedsMore() {
        one.runs(pair(Otherwise.POD));
        one.fail(1, 137);
        play.passHeard(Duration.ofSeconds(20), 0);
    }

    private void waitsFor(String scope) {
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        var why = play.explain(a).orElseThrow().reasons().getFirst();
        assertThat(why.code()).isEqualTo(WaitReason.Code.QUOTA_EXCEEDED);
        assertThat(why.scope()).isEqualTo(scope);
        assertThat(why.shortage()).isEqualTo(new WaitReason.Shortage(gibi(1), 0));
        assertThat(why.message()).startsWith("worker-1 is to be made again: needs ");
    }

    @Test
    void rankDoesNotGrowBeyondTheLimitOfItsQueueAndSaysSo() {
        play.on(new Event.QueuePut("default", memoryLimit(4), null));
        secondNeedsMore();
        waitsFor("memory");
        play.restart();
        play.on(new Event.QueuePut("default", memoryLimit(5), null));
        assertThat(one.rank(1).making().memory()).isEqualTo(gibi(3));
    }

    @Test
    void rankDoesNotGrowBeyondTheQuotaOfItsNamespaceAndSaysSo() {
        var hard = Amounts.of(Map.of("limits.memory", gibi(4)));
        play.on(new Event.NamespaceQuotaSeen(Fixtures.WATCHER, "ml", hard, Amounts.NONE));
        secondNeedsMore();
        waitsFor("namespace ml limits.memory");
        play.on(new Event.NamespaceQuotaGone(Fixtures.WATCHER, "ml"));
        assertThat(one.rank(1).making().memory()).isEqualTo(gibi(3));
    }

    @Test
    void rankThatGoesElsewhereDoesNotGrowBeyondTheLimitOfItsQueue() {
        play.on(new Event.NodeSeen(Fixtures.WATCHER, Fixtures.node("node-2", 4)));
        play.on(new Event.QueuePut("default", memoryLimit(5), null));
        var role = Fixtures.atLeast(1, remembering(2, role("worker", 2, 1)));
        play.on(
                new Event.Submitted(
                        a, failing(policy(Otherwise.POD, GROW), spec("default", role)), null));
        one.see(0, Event.PodPhase.RUNNING, null);
        one.fail(0, 137);
        play.passHeard(Duration.ofSeconds(20), 0);
        assertThat(one.rank(0).making().memory()).isEqualTo(gibi(3));
        var pending = Fixtures.pod(one.newest(1), 500, Event.PodPhase.PENDING, null);
        play.on(new Event.PodSeen(Fixtures.WATCHER, a, pending));
        play.passHeard(Duration.ofSeconds(11), 0);
        assertThat(one.rank(1).making().avoided()).isEmpty();
        assertThat(one.rank(1).making().memory()).isZero();
        play.on(new Event.QueuePut("default", memoryLimit(6), null));
        play.passHeard(Duration.ofSeconds(5), 0);
        assertThat(one.rank(1).making().avoided()).isNotEmpty();
        assertThat(one.rank(1).making().memory()).isEqualTo(gibi(3));
    }

    @Test
    void rankThatNeedsNoMoreComesBackWhateverTheLimitIsNow() {
        one.runs(failing(policy(Otherwise.POD), pair(Otherwise.POD)));
        play.on(new Event.QueuePut("default", memoryLimit(1), null));
        one.fail(1, 137);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        assertThat(one.rank(1).making().incarnation()).isEqualTo(3);
    }

    private static QueueSpec memoryLimit(long gibi) {
        var limit = new TreeMap<>(Map.of("memory", gibi(gibi)));
        var none = new TreeMap<String, Long>();
        return QueueSpecs.with(
                QueueSpecs.QUEUE, new Quota(Amounts.NONE, limit, true, none, none, null));
    }
}
