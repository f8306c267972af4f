package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Scaling.Stage;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Commands that change the size of a job. */
class PoolScaleTest {
    private static final Terms BEST_EFFORT = new Terms(Duration.ZERO, false, Duration.ZERO, false);
    private static final Terms IN_TIME =
            new Terms(Duration.ofMinutes(1), true, Duration.ZERO, false);
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private final List<RunPlan> plans = new ArrayList<>();
    private int requests;

    @Test
    void scaleOutPlacesWhatItAsksForAndSucceedsOnceThatRuns() {
        one.runs(elastic("default", 2, 3, 6));
        assertThat(ask(new ScaleOut("worker", 2, Terms.PLAIN)).message())
                .isEqualTo("worker goes from 3 to 5");
        assertThat(stage()).isEqualTo(Stage.SCALING);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(ranks(play.takeOne(RunPlan.class)))
                .containsExactly("worker-0", "worker-1", "worker-2", "worker-3", "worker-4");
        one.seeNewest(3, PodPhase.RUNNING, null);
        assertThat(stage()).isEqualTo(Stage.SCALING);
        one.seeNewest(4, PodPhase.RUNNING, null);
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void scaleOutWaitsForRoomAndIsPlacedWholeOrNotAtAll() {
        var b = job("b", 2);
        play.on(new Event.Submitted(b, Fixtures.workers(4, 1), null));
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 2, Terms.PLAIN));
        assertThat(stage()).isEqualTo(Stage.WAITING);
        assertThat(members()).hasSize(3);
        play.pass(Duration.ofHours(5));
        assertThat(stage()).isEqualTo(Stage.WAITING);
        play.on(Fixtures.cancel(b, "", null));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), false, List.of()));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), true, List.of()));
        assertThat(members()).hasSize(5);
        assertThat(stage()).isEqualTo(Stage.SCALING);
    }

    @Test
    void scaleInByCountTakesTheHighestIndicesAndSucceedsOnceTheyAreGone() {
        one.runs(elastic("default", 2, 5, 6));
        assertThat(ask(new ScaleIn("worker", 2, none(), Terms.PLAIN)).message())
                .isEqualTo("worker goes from 5 to 3: worker-4, worker-3 leave");
        assertThat(ranks(plans.getLast())).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(stage()).isEqualTo(Stage.SCALING);
        one.see(4, PodPhase.FAILED, 143);
        one.gone(4);
        assertThat(stage()).isEqualTo(Stage.SCALING);
        one.gone(3);
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(members()).containsExactly("worker-0", "worker-1", "worker-2");
    }

    @Test
    void whoLeavesIsNobodysFailureAndIsNotMadeAgain() {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleIn("worker", 1, none(), Terms.PLAIN));
        one.see(2, PodPhase.FAILED, 137);
        assertThat(play.take(Effect.RankEnded.class))
                .extracting(Effect.RankEnded::reason)
                .containsExactly("ScaledIn");
        one.gone(2);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(members()).containsExactly("worker-0", "worker-1");
        assertThat(play.job(a).past().budgets()).isEqualTo(Budgets.UNTOUCHED);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void scaleInByNameTakesThatOneAndItsIndexComesBackAsANewIncarnation() {
        one.runs(elastic("default", 2, 4, 6));
        ask(new ScaleIn("worker", 0, names("worker-1"), Terms.PLAIN));
        int before = one.rank(1).making().incarnation();
        one.gone(1);
        assertThat(members()).containsExactly("worker-0", "worker-2", "worker-3");
        play.pass(Duration.ofMinutes(1));
        assertThat(members()).hasSize(3);
        ask(new SetReplicas("worker", 4, Terms.PLAIN));
        assertThat(members()).contains("worker-1");
        assertThat(one.rank(1).making().incarnation()).isGreaterThan(before);
    }

    @Test
    void nameOfThePodIsAsGoodAsThatOfTheRank() {
        one.runs(elastic("default", 1, 3, 6));
        ask(new ScaleIn("worker", 0, names("a-worker-2"), Terms.PLAIN));
        assertThat(members()).containsExactly("worker-0", "worker-1");
    }

    @Test
    void whatCannotBeIsRefusedWithAReason() {
        one.runs(elastic("default", 2, 3, 6));
        assertThat(refusal(new ScaleOut("worker", 4, Terms.PLAIN)))
                .isEqualTo("worker would have 7 pods, and elastic allows 2 to 6");
        assertThat(refusal(new ScaleIn("worker", 2, none(), Terms.PLAIN)))
                .isEqualTo("worker would have 1 pods, and elastic allows 2 to 6");
        assertThat(refusal(new SetReplicas("worker", 7, Terms.PLAIN))).contains("allows 2 to 6");
        assertThat(refusal(new ScaleOut("worker", 0, Terms.PLAIN))).contains("1 or more");
        assertThat(refusal(new ScaleIn("worker", 0, none(), Terms.PLAIN))).contains("1 or more");
        assertThat(refusal(new ScaleIn("worker", 0, names("worker-7"), Terms.PLAIN)))
                .isEqualTo("it has no worker-7");
        assertThat(refusal(new ScaleIn("worker", 0, names("worker-0"), Terms.PLAIN)))
                .isEqualTo("worker-0 is rank 0, which cannot leave");
        assertThat(refusal(new SetReplicas("ps", 3, Terms.PLAIN))).isEqualTo("it has no role ps");
        assertThat(play.job(a).past().scaling()).isNull();
        assertThat(members()).hasSize(3);
    }

    @Test
    void jobWithoutARangeHasAFixedSize() {
        one.runs(Fixtures.workers(3, 1));
        assertThat(refusal(new ScaleIn("worker", 1, none(), Terms.PLAIN)))
                .contains("its size is fixed");
    }

    @Test
    void jobThatHasEndedIsNotScaled() {
        one.runs(elastic("default", 1, 2, 4));
        one.succeed(0);
        one.succeed(1);
        play.takeEffects();
        assertThat(ask(new ScaleOut("worker", 1, Terms.PLAIN)).outcome()).isEqualTo(Outcome.ENDED);
    }

    @Test
    void dryRunSaysWhatWouldBeAndDoesNothing() {
        one.runs(elastic("default", 2, 3, 6));
        var rows = play.allRows().filter(row -> row instanceof Rank).toList();
        var dry = new Terms(Duration.ZERO, true, Duration.ZERO, true);
        assertThat(ask(new ScaleIn("worker", 1, none(), dry)).message())
                .isEqualTo("dry run: worker goes from 3 to 2: worker-2 leaves");
        assertThat(play.allRows().filter(row -> row instanceof Rank)).isEqualTo(rows);
        assertThat(play.job(a).past().scaling()).isNull();
    }

    @Test
    void sameSizeSucceedsAndTouchesNothing() {
        one.runs(elastic("default", 2, 3, 6));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(ask(new SetReplicas("worker", 3, Terms.PLAIN)).outcome())
                .isEqualTo(Outcome.ACCEPTED);
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
        play.pass(Duration.ofSeconds(5));
        assertThat(play.take(RunPlan.class)).isEmpty();
    }

    @Test
    void atomicScaleOutIsGivenBackAsAWholeWhenOneOfItFails() {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 2, Terms.PLAIN));
        one.seeNewest(3, PodPhase.RUNNING, null);
        one.seeNewest(4, PodPhase.FAILED, 42);
        assertThat(stage()).isEqualTo(Stage.FAILED);
        assertThat(scaling().reason()).isEqualTo("Error");
        assertThat(members()).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(3);
        assertThat(play.job(a).past().budgets()).isEqualTo(Budgets.UNTOUCHED);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void bestEffortScaleOutKeepsWhatRuns() {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 2, BEST_EFFORT));
        one.seeNewest(4, PodPhase.FAILED, 42);
        assertThat(stage()).isEqualTo(Stage.SCALING);
        one.seeNewest(3, PodPhase.RUNNING, null);
        assertThat(stage()).isEqualTo(Stage.FAILED);
        assertThat(scaling().message()).startsWith("worker has 4 instead of 5");
        assertThat(members()).containsExactly("worker-0", "worker-1", "worker-2", "worker-3");
    }

    @Test
    void atomicScaleOutThatIsLateIsGivenBack() {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 2, IN_TIME));
        one.seeNewest(3, PodPhase.RUNNING, null);
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(stage()).isEqualTo(Stage.FAILED);
        assertThat(scaling().reason()).isEqualTo("Timeout");
        assertThat(members()).containsExactly("worker-0", "worker-1", "worker-2");
    }

    @Test
    void bestEffortScaleOutThatIsLateKeepsWhatRuns() {
        one.runs(elastic("default", 2, 3, 6));
        var terms = new Terms(Duration.ofMinutes(1), false, Duration.ZERO, false);
        ask(new ScaleOut("worker", 2, terms));
        one.seeNewest(4, PodPhase.RUNNING, null);
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(scaling().message()).isEqualTo("4 of 5 ran in time, which are kept");
        assertThat(members()).containsExactly("worker-0", "worker-1", "worker-2", "worker-4");
    }

    @Test
    void laterCommandSupersedesOneUnderWay() {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 2, Terms.PLAIN));
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new SetReplicas("worker", 4, Terms.PLAIN), request()));
        assertThat(play.take(Effect.Scaled.class))
                .extracting(scaled -> scaled.scaling().stage())
                .containsExactly(Stage.SUPERSEDED, Stage.WAITING, Stage.SCALING);
        assertThat(members()).hasSize(4);
    }

    @Test
    void endOfTheJobCancelsWhatIsUnderWay() {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 2, Terms.PLAIN));
        play.on(Fixtures.cancel(a, "", null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.gone(i);
        }
        one.applied(true);
        assertThat(play.take(Effect.Scaled.class))
                .extracting(scaled -> scaled.scaling().stage())
                .containsExactly(Stage.WAITING, Stage.CANCELLED);
    }

    @Test
    void rankThatDrainsKeepsItsPodUntilItHasEndedOrItsTimeIsOver() {
        one.runs(elastic("default", 1, 4, 6));
        var drain = new Terms(Duration.ZERO, true, Duration.ofSeconds(30), false);
        ask(new ScaleIn("worker", 2, none(), drain));
        assertThat(ranks(plans.getLast())).hasSize(4);
        one.see(3, PodPhase.SUCCEEDED, 0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(ranks(play.takeOne(RunPlan.class)))
                .containsExactly("worker-0", "worker-1", "worker-2");
        play.restart();
        play.pass(Duration.ofSeconds(30));
        assertThat(ranks(play.takeOne(RunPlan.class))).containsExactly("worker-0", "worker-1");
        one.gone(2);
        one.gone(3);
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
    }

    @Test
    void unhealthyNodesAreLeftFirst() {
        one.runs(elastic("default", 1, 6, 6));
        var node = one.rank(1).making().node();
        play.on(new Event.NodeSeen(Fixtures.WATCHER, Chance.unready(node, 4)));
        var leaving = ask(new ScaleIn("worker", 1, none(), Terms.PLAIN)).message();
        var chosen = leaving.replaceAll(".*: worker-(\\d+) leaves", "$1");
        assertThat(one.rank(Integer.parseInt(chosen)).making().node()).isEqualTo(node);
    }

    @Test
    void jobThatWaitsIsGivenItsSizeAtItsStart() {
        play.on(new Event.Submitted(job("b", 2), Fixtures.workers(8, 1), null));
        play.on(new Event.Submitted(a, elastic("default", 2, 3, 6), null));
        ask(new SetReplicas("worker", 5, Terms.PLAIN));
        assertThat(stage()).isEqualTo(Stage.WAITING);
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(5);
        ask(new ScaleIn("worker", 2, none(), Terms.PLAIN));
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(3);
    }

    @Test
    void podsThatTheApiServerRefusesEndTheCommandAndNotTheJob() {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 2, Terms.PLAIN));
        play.pass(Jobs.PUBLISH_DELAY);
        long plan = play.job(a).fences().plan();
        play.on(new Event.PlanRefused(a, plan, "Forbidden", "no more pods"));
        assertThat(stage()).isEqualTo(Stage.FAILED);
        assertThat(scaling().reason()).isEqualTo("Forbidden");
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        one.applied(false);
        assertThat(members()).containsExactly("worker-0", "worker-1", "worker-2");
    }

    @Test
    void repeatedCommandGetsTheFirstAnswerAndIsNotCarriedOutTwice() {
        one.runs(elastic("default", 2, 3, 6));
        var request = request();
        for (int i = 0; i < 2; i++) {
            play.on(new Event.ChangeAsked(a, new ScaleOut("worker", 1, Terms.PLAIN), request));
        }
        assertThat(members()).hasSize(4);
        assertThat(play.take(Effect.Answer.class))
                .extracting(Effect.Answer::message)
                .containsOnly("worker goes from 3 to 4");
    }

    @Test
    void elasticJobHasSucceededWhenAllHaveThatItCameToHave() {
        play.on(new Event.Submitted(job("b", 2), Fixtures.workers(5, 1), null));
        play.on(new Event.Submitted(a, elastic("default", 2, 6, 6), null));
        one.applied(false);
        assertThat(members()).hasSize(3);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.SUCCEEDED, 0);
        }
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUCCEEDED);
    }

    private Effect.Answer ask(Change.Scale scale) {
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, scale, request()));
        var effects = play.takeEffects();
        plans.addAll(
                effects.stream()
                        .filter(RunPlan.class::isInstance)
                        .map(RunPlan.class::cast)
                        .toList());
        return effects.stream()
                .filter(Effect.Answer.class::isInstance)
                .map(Effect.Answer.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private String refusal(Change.Scale scale) {
        var answer = ask(scale);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        return answer.message();
    }

    private Request request() {
        return new Request("ml/a", "r-" + requests++);
    }

    private Scaling scaling() {
        return play.job(a).past().scaling();
    }

    private Stage stage() {
        return scaling().stage();
    }

    private List<String> members() {
        return play.allRows()
                .filter(row -> row instanceof Rank rank && rank.job().equals(a))
                .map(Rank.class::cast)
                .filter(rank -> !rank.isLeaving())
                .map(rank -> rank.id().toString())
                .sorted()
                .toList();
    }

    private static List<String> ranks(RunPlan plan) {
        return plan.pods().stream().map(pod -> pod.rank().toString()).toList();
    }

    private static TreeSet<String> names(String... names) {
        return new TreeSet<>(Set.of(names));
    }

    private static TreeSet<String> none() {
        return new TreeSet<>();
    }
}
