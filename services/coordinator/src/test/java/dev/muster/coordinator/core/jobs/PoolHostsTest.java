package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Planned.hosts;
import static dev.muster.coordinator.core.fixtures.Planned.pods;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The host list of a job whose launcher starts the processes of the others. */
class PoolHostsTest {
    private static final RankId LAUNCHER = new RankId("launcher", 0);
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private int requests;

    @BeforeEach
    void workersRun() {
        play.on(new Event.Submitted(a, ElasticJobs.launched("default", 2, 3, 6), null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Jobs.PUBLISH_DELAY);
    }

    private void launcherRuns() {
        var making = play.rows.get(Row.Table.RANK).get(Rank.id(a, LAUNCHER));
        var rank = (Rank) making;
        var mark = new Event.PodMark(LAUNCHER, 1, rank.making().incarnation(), 1, "launcher-0");
        play.on(
                new Event.PodSeen(
                        Fixtures.WATCHER,
                        a,
                        Fixtures.pod(
                                mark, one.nextVersion(), PodPhase.RUNNING, rank.making().node())));
        play.pass(Jobs.PUBLISH_DELAY);
        play.takeEffects();
    }

    private RunPlan lastPlan() {
        return play.take(RunPlan.class).getLast();
    }

    private void ask(Change change) {
        play.on(new Event.ChangeAsked(a, change, new Request("ml/a", "r" + ++requests)));
    }

    private static Change.Terms draining(Duration drain) {
        return new Change.Terms(Duration.ZERO, true, drain, false);
    }

    @Test
    void launcherComesWithTheListOfWhoIsReadyAndIsNotInIt() {
        var plan = lastPlan();
        assertThat(pods(plan)).contains("launcher-0");
        assertThat(hosts(plan)).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(plan.hosts()).isEqualTo(plan.version());
    }

    @Test
    void versionIsThatOfThePlanWhichChangedTheList() {
        var version = lastPlan().hosts();
        launcherRuns();
        one.applied(false);
        play.on(new Event.PodSeen(Fixtures.WATCHER, a, late()));
        play.pass(MINUTE);
        var repaired = lastPlan();
        assertThat(repaired.version()).isGreaterThan(version);
        assertThat(repaired.hosts()).isEqualTo(version);
    }

    /** A pod that nobody ordered: the plan is published once more. */
    private Event.Pod late() {
        var mark = Fixtures.mark("worker", 1, 99);
        return Fixtures.pod(mark, one.nextVersion(), PodPhase.RUNNING, "node-0");
    }

    @Test
    void whoFailsIsOutUntilItIsReadyAgainAndThenTheListIsAnother() {
        launcherRuns();
        var before = play.job(a).hosts();
        one.seeNewest(1, PodPhase.FAILED, 137);
        play.pass(Jobs.PUBLISH_DELAY);
        var without = lastPlan();
        assertThat(hosts(without)).containsExactly("worker-0", "worker-2");
        assertThat(without.hosts()).isGreaterThan(before.version());
        one.gone(1);
        play.passHeard(MINUTE, 0);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        var again = lastPlan();
        assertThat(hosts(again)).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(again.hosts()).isGreaterThan(without.hosts());
        assertThat(play.job(a).hosts().digest()).isNotEqualTo(before.digest());
    }

    /** It was evicted, or deleted by hand: it has its grace period, and its launcher knows. */
    @Test
    void whomSomebodyElseDeletesIsOutAtOnceAndComesBackAsAnother() {
        launcherRuns();
        var node = one.rank(1).making().node();
        var pod = Fixtures.pod(one.newest(1), one.nextVersion(), PodPhase.RUNNING, node, null);
        play.on(new Event.PodSeen(Fixtures.WATCHER, a, Fixtures.deleting(pod)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).containsExactly("worker-0", "worker-2");
        play.restart();
        one.seeNewest(1, PodPhase.FAILED, 143);
        one.gone(1);
        play.passHeard(MINUTE, 0);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).containsExactly("worker-0", "worker-1", "worker-2");
    }

    @Test
    void whoLeavesIsOutAtOnceAndHasItsTimeBeforeItsPodGoes() {
        launcherRuns();
        ask(new Change.ScaleIn("worker", 0, new TreeSet<>(Set.of("worker-1")), draining(MINUTE)));
        var plan = lastPlan();
        assertThat(hosts(plan)).containsExactly("worker-0", "worker-2");
        assertThat(plan.pods().stream().filter(pod -> pod.part().drain() != null))
                .singleElement()
                .satisfies(pod -> {
                    assertThat(pod.rank()).isEqualTo(new RankId("worker", 1));
                    assertThat(pod.part().drain()).isEqualTo(MINUTE);
                });
        play.pass(MINUTE);
        assertThat(pods(lastPlan())).doesNotContain("worker-1");
    }

    @Test
    void whatAnAtomicCommandBringsIsListedTogetherWhenAllOfItIsReady() {
        launcherRuns();
        ask(new Change.ScaleOut("worker", 2, draining(Duration.ZERO)));
        play.pass(Jobs.PUBLISH_DELAY);
        one.seeNewest(3, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).containsExactly("worker-0", "worker-1", "worker-2");
        one.seeNewest(4, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).hasSize(5);
    }

    /** Agents answer some seconds after their pods run. */
    @Test
    void commandWaitsUntilAllThatCameIsReadyAndNotOnlyRuns() {
        launcherRuns();
        ask(new Change.ScaleOut("worker", 2, draining(Duration.ZERO)));
        play.pass(Jobs.PUBLISH_DELAY);
        one.seeUnready(3);
        one.seeUnready(4);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(stage()).isEqualTo(Scaling.Stage.SCALING);
        assertThat(hosts(lastPlan())).containsExactly("worker-0", "worker-1", "worker-2");
        one.seeNewest(3, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(RunPlan.class)).isEmpty();
        one.seeNewest(4, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).hasSize(5);
        assertThat(stage()).isEqualTo(Scaling.Stage.SCALING);
        play.restart();
        one.applied(false);
        assertThat(stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
        play.pass(MINUTE);
        assertThat(play.take(RunPlan.class)).isEmpty();
    }

    /** One more that runs is listed at once, and yet not written down. */
    @Test
    void commandByBestEffortWaitsForItsListToo() {
        launcherRuns();
        ask(new Change.ScaleOut("worker", 1, new Change.Terms(SOON, false, Duration.ZERO, false)));
        one.seeNewest(3, PodPhase.RUNNING, null);
        assertThat(stage()).isEqualTo(Scaling.Stage.SCALING);
        one.applied(false);
        assertThat(stage()).isEqualTo(Scaling.Stage.SCALING);
        play.pass(Jobs.PUBLISH_DELAY);
        one.applied(false);
        assertThat(stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
    }

    @Test
    void commandIsNotLateOfWhichAllIsReady() {
        launcherRuns();
        ask(new Change.ScaleOut("worker", 1, new Change.Terms(SOON, true, Duration.ZERO, false)));
        one.seeNewest(3, PodPhase.RUNNING, null);
        play.passHeard(SOON, 0);
        assertThat(stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
        assertThat(hosts(lastPlan())).hasSize(4);
    }

    @Test
    void whoWasListedByACommandStaysListedWhenAnotherTakesItsPlace() {
        launcherRuns();
        ask(new Change.ScaleOut("worker", 3, draining(Duration.ZERO)));
        for (int i = 3; i < 6; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).hasSize(6);
        ask(new Change.SetReplicas("worker", 5, draining(MINUTE)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).hasSize(5);
    }

    /** The rest of them comes as it did before, one by one. */
    @Test
    void whoCameAloneStaysListedWhenAnAtomicCommandTakesThePlaceOfHis() {
        launcherRuns();
        ask(
                new Change.ScaleOut(
                        "worker", 2, new Change.Terms(MINUTE, false, Duration.ZERO, false)));
        one.seeNewest(3, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).hasSize(4);
        ask(new Change.SetReplicas("worker", 6, draining(MINUTE)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).hasSize(4);
        one.seeNewest(4, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).hasSize(5);
        one.seeNewest(5, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).hasSize(6);
    }

    /** Nobody of them was listed yet, so nobody would be taken out again. */
    @Test
    void whatCameTogetherStillDoesWhenAnotherAtomicCommandTakesItsPlace() {
        launcherRuns();
        ask(new Change.ScaleOut("worker", 2, draining(Duration.ZERO)));
        play.pass(Jobs.PUBLISH_DELAY);
        one.seeNewest(3, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).hasSize(3);
        ask(new Change.SetReplicas("worker", 5, draining(MINUTE)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(RunPlan.class)).allMatch(plan -> hosts(plan).size() == 3);
        one.seeNewest(4, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(lastPlan())).hasSize(5);
    }

    private Scaling.Stage stage() {
        return play.job(a).past().scaling().stage();
    }

    @Test
    void workersThatDoNotBecomeReadyInTimeAreGivenBack() {
        launcherRuns();
        ask(new Change.ScaleOut("worker", 2, new Change.Terms(SOON, true, Duration.ZERO, false)));
        play.pass(Jobs.PUBLISH_DELAY);
        one.seeNewest(3, PodPhase.RUNNING, null);
        one.seeUnready(4);
        play.passHeard(SOON, 0);
        var scaling = play.job(a).past().scaling();
        assertThat(scaling.stage()).isEqualTo(Scaling.Stage.FAILED);
        assertThat(scaling.message()).contains("4 of 5 were ready in time");
        assertThat(pods(lastPlan())).doesNotContain("worker-3", "worker-4");
    }

    /** Of those that may stay the ones stay that are ready. */
    @Test
    void bestEffortKeepsThoseThatAreReady() {
        launcherRuns();
        ask(new Change.ScaleOut("worker", 2, new Change.Terms(SOON, false, Duration.ZERO, false)));
        play.pass(Jobs.PUBLISH_DELAY);
        one.seeUnready(3);
        one.seeNewest(4, PodPhase.RUNNING, null);
        play.passHeard(SOON, 0);
        assertThat(pods(lastPlan())).contains("worker-4").doesNotContain("worker-3");
    }

    @Test
    void firstWorkerNeverLeavesAndTheLauncherNeither() {
        launcherRuns();
        ask(new Change.ScaleIn("worker", 0, new TreeSet<>(Set.of("worker-0")), draining(MINUTE)));
        assertThat(play.takeOne(Effect.Answer.class).message())
                .isEqualTo("worker-0 is rank 0, which cannot leave");
        var names = new TreeSet<>(Set.of("launcher-0", "worker-1"));
        ask(new Change.ScaleIn("worker", 0, names, draining(MINUTE)));
        assertThat(play.takeOne(Effect.Answer.class).message())
                .isEqualTo("launcher-0 cannot leave: worker is what shrinks");
        ask(new Change.ScaleIn("launcher", 1, new TreeSet<>(), draining(MINUTE)));
        assertThat(play.takeOne(Effect.Answer.class).message())
                .isEqualTo("the size of launcher is fixed; its elastic role is worker");
    }

    @Test
    void poolThatIsMadeAnewFromItsRowsKnowsWhichListItPublished() {
        launcherRuns();
        var known = play.job(a).hosts();
        play.restart();
        play.pass(MINUTE);
        assertThat(play.job(a).hosts()).isEqualTo(known);
    }

    @Test
    void jobWithoutALauncherHasNoList() {
        var b = job("b", 2);
        play.on(new Event.Submitted(b, Fixtures.workers(1, 1), null));
        var plan = play.take(RunPlan.class).getLast();
        assertThat(plan.hosts()).isZero();
        assertThat(hosts(plan)).isEmpty();
    }
}
