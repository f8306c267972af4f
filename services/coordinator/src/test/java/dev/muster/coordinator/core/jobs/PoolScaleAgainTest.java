package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Scaling.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that ask for what is wished already, or name somebody twice, and starts after one. */
class PoolScaleAgainTest {
    private static final Terms IN_A_MINUTE =
            new Terms(Duration.ofMinutes(1), true, Duration.ZERO, false);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);
    private final OneJob one = new OneJob(play, a);
    private long requests;

    @ParameterizedTest
    @ValueSource(ints = {6, 8})
    void sizeThatIsWishedAndDoesNotRunHasNotSucceededBeforeItDoes(int size) {
        fourOfEightRun();
        ask(new SetReplicas("worker", size, Terms.PLAIN));
        assertThat(stage()).isEqualTo(Stage.WAITING);
        play.on(Fixtures.cancel(b, "", null));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), false, List.of()));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), true, List.of()));
        assertThat(stage()).isEqualTo(Stage.SCALING);
        for (int i = 4; i < size - 1; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        assertThat(stage()).isEqualTo(Stage.SCALING);
        one.seeNewest(size - 1, PodPhase.RUNNING, null);
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
    }

    @Test
    void sizeThatWasWishedBeforeIsWishedOnAfterTheCommandsTime() {
        fourOfEightRun();
        ask(new SetReplicas("worker", 6, IN_A_MINUTE));
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(stage()).isEqualTo(Stage.FAILED);
        assertThat(scaling().message()).isEqualTo("4 of 6 ran in time");
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(8);
        assertThat(members()).isEqualTo(4);
    }

    /** Of which its pods are told, however large it was submitted. */
    @Test
    void gangThatStartsAgainHasPlansOfTheSizeThatIsWishedNow() {
        one.runs(failing(policy(Otherwise.GANG), elastic("default", 2, 2, 6)));
        ask(new ScaleOut("worker", 4, Terms.PLAIN));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(RunPlan.class).getLast().sizes()).isEqualTo(Map.of("worker", 6));
        for (int i = 2; i < 6; i++) {
            one.see(i, PodPhase.RUNNING, null);
        }
        one.fail(0, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        for (int i = 0; i < 6; i++) {
            one.gone(i);
        }
        one.applied(false);
        one.applied(true);
        play.passHeard(FailurePolicy.PLAIN.delay().initial(), 0);
        var plan = play.take(RunPlan.class).getLast();
        assertThat(plan.attempt()).isEqualTo(2);
        assertThat(plan.sizes()).isEqualTo(Map.of("worker", 6));
    }

    @Test
    void repeatOfAGrowthTakesItsPlaceAndGivesBackWhatThatBrought() {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 2, Terms.PLAIN));
        ask(new SetReplicas("worker", 5, IN_A_MINUTE));
        assertThat(stage()).isEqualTo(Stage.SCALING);
        one.seeNewest(3, PodPhase.RUNNING, null);
        one.seeNewest(4, PodPhase.FAILED, 42);
        assertThat(stage()).isEqualTo(Stage.FAILED);
        assertThat(members()).isEqualTo(3);
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(3);
        assertThat(play.job(a).past().budgets()).isEqualTo(Budgets.UNTOUCHED);
    }

    @Test
    void rankThatIsNamedByBothItsNamesLeavesOnce() {
        one.runs(elastic("default", 2, 4, 6));
        var names = new TreeSet<>(List.of("worker-3", "a-worker-3"));
        ask(new ScaleIn("worker", 0, names, Terms.PLAIN));
        one.gone(3);
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(3);
        assertThat(members()).isEqualTo(3);
    }

    @Test
    void growthThatIsLateGivesNobodyBackWhoKeepsItsJobAtItsMinimum() {
        growsWhileAnotherLeaves(false);
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(stage()).isEqualTo(Stage.FAILED);
        assertThat(members()).isEqualTo(2);
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(2);
    }

    @Test
    void growthOfWhichAPodFailsGivesNobodyBackWhoKeepsItsJobAtItsMinimum() {
        growsWhileAnotherLeaves(false);
        one.seeNewest(2, PodPhase.FAILED, 42);
        one.seeNewest(3, PodPhase.FAILED, 42);
        assertThat(members()).isEqualTo(2);
        play.passHeard(Duration.ofSeconds(30), 0);
        assertThat(members()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void growthAtOnceOrNotAtAllGivesNobodyBackWhoKeepsItsJobAtItsMinimum() {
        growsWhileAnotherLeaves(true);
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(stage()).isEqualTo(Stage.FAILED);
        assertThat(members()).isEqualTo(2);
    }

    /** Of two two more are to come, and then one of the two has to leave its node. */
    private void growsWhileAnotherLeaves(boolean atomic) {
        play.on(new Event.NodeSeen(Fixtures.WATCHER, Nodes.cordoned("node-1", 4)));
        play.on(new Event.OthersUse(Fixtures.WATCHER, "node-0", Fixtures.cpu(2)));
        one.runs(elastic("default", 2, 2, 6));
        play.on(new Event.NodeSeen(Fixtures.WATCHER, Fixtures.node("node-1", 4)));
        play.on(new Event.OthersUse(Fixtures.WATCHER, "node-1", Fixtures.cpu(2)));
        ask(
                new SetReplicas(
                        "worker",
                        4,
                        new Terms(Duration.ofMinutes(1), atomic, Duration.ZERO, false)));
        assertThat(members()).isEqualTo(4);
        play.on(new Event.NodeSeen(Fixtures.WATCHER, Nodes.cordoned("node-0", 4)));
        assertThat(members()).isEqualTo(3);
    }

    private void fourOfEightRun() {
        play.on(new Event.Submitted(b, workers(4, 1), null));
        play.on(new Event.Submitted(a, elastic("default", 2, 8, 8), null));
        one.applied(false);
        for (int i = 0; i < 4; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        assertThat(members()).isEqualTo(4);
    }

    private void ask(Change.Scale scale) {
        play.on(new Event.ChangeAsked(a, scale, new Event.Request("ml/a", "r-" + requests++)));
    }

    private Scaling scaling() {
        return play.job(a).past().scaling();
    }

    private Stage stage() {
        return scaling().stage();
    }

    private long members() {
        return play.allRows()
                .filter(row -> row instanceof Rank rank && rank.job().equals(a))
                .map(Rank.class::cast)
                .filter(rank -> !rank.isLeaving())
                .count();
    }
}
