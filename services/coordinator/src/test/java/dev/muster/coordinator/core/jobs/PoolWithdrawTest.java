package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.HookedJob;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Change.Withdraw;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Scaling.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands of scale that are taken back before they have come to an end. */
class PoolWithdrawTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private int requests;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWaitsForRoomIsWishedNoMore(boolean atomic) {
        var b = job("b", 2);
        play.on(new Event.Submitted(b, Fixtures.workers(4, 1), null));
        one.runs(elastic("default", 2, 4, 8));
        ask(new ScaleOut("worker", 4, terms(atomic, null)));
        assertThat(stage()).isEqualTo(Stage.WAITING);
        assertThat(withdraw().message()).isEqualTo("command r1 is withdrawn; worker is to have 4");
        assertThat(scaling().stage()).isEqualTo(Stage.CANCELLED);
        assertThat(scaling().reason()).isEqualTo("Withdrawn");
        assertThat(scaling().message()).isEqualTo("it was withdrawn; worker is to have 4");
        play.on(Fixtures.cancel(b, "", null));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), false, List.of()));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), true, List.of()));
        play.pass(MINUTE);
        assertThat(members()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"true, 3", "false, 4"})
    void whatCameGoesAgainAndWithBestEffortOnlyWhatDoesNotRun(boolean atomic, int size) {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 2, terms(atomic, null)));
        play.pass(Jobs.PUBLISH_DELAY);
        one.seeNewest(4, PodPhase.RUNNING, null);
        play.takeEffects();
        withdraw();
        assertThat(members()).isEqualTo(size);
        assertThat(wished()).isEqualTo(size);
        assertThat(one.rank(3).isLeaving()).isTrue();
        assertThat(one.rank(4).isLeaving()).isEqualTo(atomic);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(lastPlan().pods()).hasSize(size);
        play.pass(MINUTE);
        assertThat(members()).isEqualTo(size);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().budgets()).isEqualTo(Budgets.UNTOUCHED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoStillDrainsStays(boolean atomic) {
        one.runs(elastic("default", 2, 5, 6));
        ask(new ScaleIn("worker", 2, new TreeSet<>(), terms(atomic, MINUTE)));
        assertThat(members()).isEqualTo(3);
        assertThat(withdraw().message()).isEqualTo("command r1 is withdrawn; worker is to have 5");
        assertThat(members()).isEqualTo(5);
        play.takeEffects();
        play.pass(MINUTE.multipliedBy(2));
        assertThat(members()).isEqualTo(5);
        assertThat(play.take(RunPlan.class)).allSatisfy(plan -> assertThat(plan.pods()).hasSize(5));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @ParameterizedTest
    @CsvSource({"true, 5", "false, 4"})
    void whoHasEndedIsMadeAnewWhereTheCommandIsAtomic(boolean atomic, int size) {
        one.runs(elastic("default", 2, 5, 6));
        ask(new ScaleIn("worker", 2, new TreeSet<>(), terms(atomic, MINUTE)));
        one.see(4, PodPhase.FAILED, 143);
        withdraw();
        assertThat(wished()).isEqualTo(size);
        one.gone(4);
        play.pass(MINUTE);
        assertThat(members()).isEqualTo(size);
        assertThat(play.job(a).past().budgets()).isEqualTo(Budgets.UNTOUCHED);
    }

    /** Its pod may be ending already, and takes no more work. */
    @Test
    void workerOfALauncherThatWasToldToGoGoesAndAnotherComes() {
        play.on(new Event.Submitted(a, ElasticJobs.launched("default", 2, 3, 6), null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Jobs.PUBLISH_DELAY);
        ask(new ScaleIn("worker", 1, new TreeSet<>(), terms(true, MINUTE)));
        withdraw();
        assertThat(one.rank(2).isLeaving()).isTrue();
        assertThat(one.rank(3).isLeaving()).isFalse();
        assertThat(wished()).isEqualTo(3);
    }

    @Test
    void whoWaitsForAHookStaysAndTheHookIsNotRun() {
        one.runs(elastic("default", 2, 4, 6));
        ask(
                new ScaleIn(
                        "worker",
                        1,
                        new TreeSet<>(),
                        new Terms(Duration.ZERO, true, MINUTE, false, HookedJob.TELL)));
        assertThat(play.rows.get(Row.Table.HOOK)).isNotEmpty();
        withdraw();
        assertThat(play.rows.get(Row.Table.HOOK)).isEmpty();
        assertThat(one.rank(3).isLeaving()).isFalse();
        play.pass(MINUTE);
        assertThat(lastPlan().hook()).isNull();
        assertThat(members()).isEqualTo(4);
    }

    @Test
    void whoWaitsForAnAnswerStaysAndTheJobOwesNone() {
        one.runs(CheckpointJobs.byFile(elastic("default", 2, 4, 6)));
        ask(new ScaleIn("worker", 1, new TreeSet<>(), terms(true, MINUTE)));
        assertThat(play.job(a).asked()).isNotNull();
        withdraw();
        assertThat(play.job(a).asked()).isNull();
        assertThat(Objects.requireNonNull(play.job(a).past().checkpoint()).stage())
                .isEqualTo(Checkpoint.Stage.WITHDRAWN);
        assertThat(one.rank(3).isLeaving()).isFalse();
        play.pass(Duration.ofHours(1));
        assertThat(members()).isEqualTo(4);
    }

    @Test
    void wishOfAJobThatWaitsInItsQueueIsWhatItWas() {
        play.on(new Event.Submitted(job("b", 2), Fixtures.workers(8, 1), null));
        play.on(new Event.Submitted(a, elastic("default", 2, 3, 6), null));
        ask(new SetReplicas("worker", 5, Terms.PLAIN));
        withdraw();
        assertThat(wished()).isEqualTo(3);
        assertThat(stage()).isEqualTo(Stage.CANCELLED);
    }

    @Test
    void nothingIsWithdrawnWhereNoCommandIsUnderWay() {
        one.runs(elastic("default", 2, 3, 6));
        refused("no command of scale is under way");
        ask(new SetReplicas("worker", 3, Terms.PLAIN));
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
        refused("no command of scale is under way");
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
    }

    /** So nobody takes back a later command of somebody else. */
    @Test
    void commandThatIsNamedIsTakenBackWhileItIsUnderWayAlone() {
        one.runs(elastic("default", 2, 3, 6));
        refused(new Withdraw("r1"), "no command of scale is under way");
        var first = id(ask(new ScaleOut("worker", 1, Terms.PLAIN)));
        var second = id(ask(new ScaleOut("worker", 2, Terms.PLAIN)));
        var words = "command %s is not under way, %s is".formatted(first, second);
        refused(new Withdraw(first), words);
        assertThat(stage()).isEqualTo(Stage.SCALING);
        assertThat(wished()).isEqualTo(6);
        assertThat(ask(new Withdraw(second)).outcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(stage()).isEqualTo(Stage.CANCELLED);
        refused(new Withdraw(second), "command %s is cancelled".formatted(second));
        refused(new Withdraw(first), "command %s is not under way, none is".formatted(first));
    }

    private static String id(Effect.Answer answer) {
        return Objects.requireNonNull(answer.request()).id();
    }

    @Test
    void repeatedWithdrawalGetsTheFirstAnswerAndLeavesTheNextCommandAlone() {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 1, Terms.PLAIN));
        var first = withdraw();
        ask(new ScaleOut("worker", 2, Terms.PLAIN));
        var request = Objects.requireNonNull(first.request());
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, Withdraw.ANY, request));
        assertThat(play.takeOne(Effect.Answer.class).message()).isEqualTo(first.message());
        assertThat(stage()).isEqualTo(Stage.SCALING);
        assertThat(wished()).isEqualTo(5);
    }

    @Test
    void commandComesToThatEndOnce() {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 2, new Terms(MINUTE, true, null, false)));
        play.pass(Jobs.PUBLISH_DELAY);
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, Withdraw.ANY, null));
        play.passHeard(MINUTE.multipliedBy(2), 0);
        assertThat(play.take(Effect.Scaled.class))
                .extracting(scaled -> scaled.scaling().stage())
                .containsExactly(Stage.CANCELLED);
    }

    private static Terms terms(boolean atomic, @Nullable Duration drain) {
        return new Terms(Duration.ZERO, atomic, drain, false);
    }

    private Effect.Answer withdraw() {
        return ask(Withdraw.ANY);
    }

    private void refused(String message) {
        refused(Withdraw.ANY, message);
    }

    private void refused(Withdraw withdrawal, String message) {
        var answer = ask(withdrawal);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message()).isEqualTo(message);
    }

    private Effect.Answer ask(Change change) {
        play.on(new Event.ChangeAsked(a, change, new Request("ml/a", "r" + ++requests)));
        return play.take(Effect.Answer.class).getLast();
    }

    private Scaling scaling() {
        return Objects.requireNonNull(play.job(a).past().scaling());
    }

    private Stage stage() {
        return scaling().stage();
    }

    private int wished() {
        return play.job(a).spec().role("worker").replicas();
    }

    private RunPlan lastPlan() {
        return play.take(RunPlan.class).getLast();
    }

    private long members() {
        return play.ranks(a).stream()
                .filter(rank -> !rank.isLeaving() && rank.id().role().equals("worker"))
                .count();
    }
}
