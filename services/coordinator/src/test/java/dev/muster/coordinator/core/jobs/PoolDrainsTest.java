package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Planned.hosts;
import static dev.muster.coordinator.core.fixtures.Planned.pods;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.AnotherPod;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.HookedJob;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PodSpec;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.state.DrainTimes;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How long workers have to end by themselves that leave, where nobody has said it. */
class PoolDrainsTest {
    private static final Duration GRACE = Duration.ofMinutes(2);
    private static final String NOTICE = "aws-node-termination-handler/spot-itn";
    private static final TreeSet<String> LAST = new TreeSet<>(Set.of("worker-3"));

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private int requests;

    @Test
    void workerOfALauncherHasAsLongAsKubernetesGivesPodsThatSayNothing() {
        runs(launched(null));
        take(null);
        var plan = lastPlan();
        assertThat(hosts(plan)).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(drain(plan)).isEqualTo(DrainTimes.DEFAULT);
        assertThat(one.rank(3).tenure().leaves()).isEqualTo(play.now().plus(DrainTimes.DEFAULT));
        play.takeEffects();
        play.pass(DrainTimes.DEFAULT.minusSeconds(1));
        assertThat(play.take(RunPlan.class)).isEmpty();
        play.pass(Duration.ofSeconds(1));
        assertThat(pods(lastPlan())).doesNotContain("worker-3");
    }

    @Test
    void workerHasWhatItsTemplateGivesIt() {
        runs(launched(GRACE));
        take(null);
        assertThat(drain()).isEqualTo(GRACE);
    }

    @Test
    void commandThatSaysNoTimeGivesNone() {
        runs(launched(GRACE));
        take(Duration.ZERO);
        assertThat(pods(lastPlan())).doesNotContain("worker-3");
    }

    @Test
    void workerThatDoesNotRunHasNothingToEnd() {
        var spec = launched(GRACE);
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Jobs.PUBLISH_DELAY);
        take(null);
        assertThat(pods(lastPlan())).doesNotContain("worker-3");
    }

    @Test
    void whoStandsInNoListLeavesAtOnce() {
        runs(ElasticJobs.elastic("default", 2, 4, 4));
        take(null);
        assertThat(pods(lastPlan())).doesNotContain("worker-3");
    }

    @Test
    void workerThatHasDrainedGoesBeforeItsTime() {
        runs(launched(GRACE));
        take(null);
        play.takeEffects();
        play.on(new Event.Drained(a, null, null, new RankId("worker", 3)));
        assertThat(pods(lastPlan())).doesNotContain("worker-3");
    }

    @Test
    void workerThatHasEndedGoesBeforeItsTime() {
        runs(launched(GRACE));
        take(null);
        play.takeEffects();
        one.seeNewest(3, PodPhase.SUCCEEDED, 0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(pods(lastPlan())).doesNotContain("worker-3");
    }

    @Test
    void whoIsGivenBackHasTheSameTime() {
        runs(launched(GRACE));
        var wide = Fixtures.spec("default", Fixtures.role("worker", 1, 4));
        play.on(new Event.Submitted(job("head", 2), wide, null));
        for (int i = 0; i < 100 && !one.rank(3).isLeaving(); i++) {
            play.passHeard(Duration.ofSeconds(10), 0);
        }
        assertThat(drain()).isEqualTo(GRACE);
    }

    @Test
    void whoLeavesACordonedNodeHasTheSameTime() {
        runs(launched(GRACE));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(nodeOfTheLast(), 4)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(drain()).isEqualTo(GRACE);
    }

    /** Who ends by itself has all of its time, as it is told at once; others are told soon. */
    @Test
    void whoLeavesANodeThatHasAnEndIsToldBeforeItsEnd() {
        runs(launched(GRACE));
        play.on(new Event.NodeSeen(WATCHER, Nodes.tainted(nodeOfTheLast(), 4, NOTICE)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(drain()).isEqualTo(GRACE);
        play.pass(DrainTimes.BEFORE_NODE_GOES);
        assertThat(pods(lastPlan())).doesNotContain("worker-3");
    }

    @Test
    void whatAFailedCommandBroughtGoesAtOnce() {
        runs(launched(GRACE));
        var soon = new Change.Terms(Duration.ofMinutes(1), true, null, false);
        ask(new Change.ScaleOut("worker", 2, soon));
        play.pass(Jobs.PUBLISH_DELAY);
        one.seeNewest(4, PodPhase.RUNNING, null);
        play.takeEffects();
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(pods(lastPlan())).doesNotContain("worker-4", "worker-5");
    }

    @Test
    void whoWaitsForAHookHasItsTimeFromThen() {
        runs(launched(GRACE));
        var terms = new Change.Terms(Duration.ZERO, true, null, false, HookedJob.TELL);
        ask(new Change.ScaleIn("worker", 0, LAST, terms));
        assertThat(one.rank(3).isUntold()).isTrue();
        var hook = play.rows.get(Row.Table.HOOK).values().iterator().next();
        var making = Objects.requireNonNull(((HookRun) hook).making());
        var mark =
                new Event.PodMark(
                        new RankId(Hook.ROLE, 0), making.attempt(), making.incarnation(), 1, "h");
        play.on(
                new Event.PodSeen(
                        WATCHER, a, Fixtures.pod(mark, 1, PodPhase.SUCCEEDED, making.node(), 0)));
        assertThat(one.rank(3).tenure().leaves()).isEqualTo(play.now().plus(GRACE));
    }

    /** It has no next making for which its room would be kept. */
    @Test
    void workerThatIsGoneWhileItsGangRestartsLeavesItsRoomToOthers() {
        var spec = ElasticJobs.elastic("default", 2, 4, 6);
        var work = spec.work();
        var whole = Fixtures.policy(FailurePolicy.Otherwise.GANG);
        one.runs(
                Fixtures.with(
                        spec, work.gang(), whole, work.deadlines(), work.limits(), work.elastic()));
        take(GRACE);
        var b = job("b", 2);
        play.on(new Event.Submitted(b, Fixtures.workers(5, 1), null));
        one.fail(0, 137);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        one.gone(1);
        play.pass(Duration.ofSeconds(1));
        assertThat(play.job(b).state()).isInstanceOf(JobState.Queued.class);
        one.gone(3);
        play.pass(Duration.ofSeconds(1));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        assertThat(play.job(b).state()).isInstanceOf(JobState.Starting.class);
    }

    private static JobSpec launched(@Nullable Duration grace) {
        var spec = ElasticJobs.launched("default", 2, 4, 6);
        return Respec.roles(spec, role -> role.with(with(role.pod(), grace)));
    }

    private static PodSpec with(PodSpec pod, @Nullable Duration grace) {
        return AnotherPod.of(pod, other -> other.grace = grace);
    }

    private void runs(JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        for (int i = 0; i < 4; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Jobs.PUBLISH_DELAY);
        play.takeEffects();
    }

    private void take(@Nullable Duration drain) {
        ask(
                new Change.ScaleIn(
                        "worker", 0, LAST, new Change.Terms(Duration.ZERO, true, drain, false)));
    }

    private void ask(Change change) {
        play.on(new Event.ChangeAsked(a, change, new Request("ml/a", "r" + ++requests)));
    }

    private String nodeOfTheLast() {
        return one.rank(3).making().node();
    }

    private RunPlan lastPlan() {
        return play.take(RunPlan.class).getLast();
    }

    /** Of the last worker, as the newest plan has it. */
    private Duration drain() {
        return drain(lastPlan());
    }

    private static Duration drain(RunPlan plan) {
        return plan.pods().stream()
                .filter(pod -> pod.rank().equals(new RankId("worker", 3)))
                .map(pod -> Objects.requireNonNull(pod.part().drain()))
                .findFirst()
                .orElseThrow();
    }
}
