package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState.Lost;
import dev.muster.coordinator.core.model.JobState.Queued;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A running job that has less than its minimum says so, and does not hold its room for ever. */
class PoolRecoveryTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** Until a failed pod is made again: what the verdict waits, and the first delay. */
    private static final Duration AGAIN = Duration.ofSeconds(20);

    private static final Duration MOMENT = Duration.ofSeconds(5);

    private final JobId a = job("a", 1);

    @Test
    void podThatDoesNotComeUpAgainGoesToAnotherNodeOnceAndThenTheJobGivesItsRoomBack() {
        var play = Play.withNodes(1, 1, 1);
        var one = runs(play, ElasticJobs.elastic("default", 2, 2, 4));
        fails(play, one, 1);
        var first = one.rank(1).making().node();
        one.seeNewest(1, PodPhase.PENDING, null);
        play.passHeard(TIMEOUT.minus(MOMENT), 0);
        assertThat(one.rank(1).making().node()).isEqualTo(first);
        play.passHeard(MOMENT, 0);
        assertThat(one.rank(1).making().node()).isNotEqualTo(first);
        assertThat(one.rank(1).making().avoided()).containsExactly(first);
        one.seeNewest(1, PodPhase.PENDING, null);
        play.restart();
        play.passHeard(TIMEOUT.minus(MOMENT), 0);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        play.passHeard(MOMENT, 0);
        var message =
                "1 of 2 pods of worker ran within 5m; less than its minimum runs: the pod of"
                        + " worker-1 does not run yet on "
                        + one.rank(1).making().node();
        assertThat(((Stopping) play.job(a).state()).then())
                .isEqualTo(new Then.Requeue(1, "GangTimeout", message));
        one.gone(0);
        play.on(new Event.PodGone(WATCHER, a, one.newest(1)));
        one.applied(false);
        one.applied(true);
        assertThat(play.job(a).state()).isInstanceOf(Queued.class);
        assertThat(play.explain(a).orElseThrow().reasons())
                .first()
                .returns(Code.BACKING_OFF, WaitReason::code)
                .returns(message, WaitReason::message);
    }

    /** Nothing more is known of a pod that is made again elsewhere, and so nobody forces it. */
    @Test
    void podOnADeadNodeGoesNowhereElseAndIsWaitedFor() {
        var play = Play.withNodes(1, 1, 1);
        var one = runs(play, ElasticJobs.elastic("default", 2, 2, 4));
        fails(play, one, 1);
        one.seeNewest(1, PodPhase.PENDING, null);
        var node = one.rank(1).making().node();
        play.passHeard(TIMEOUT.minus(MOMENT), 0);
        play.on(Zones.silent(node, "a", 1));
        play.passHeard(MOMENT, 0);
        assertThat(one.rank(1).making().node()).isEqualTo(node);
        assertThat(play.job(a).state()).isInstanceOf(Stopping.class);
        one.gone(0);
        play.passHeard(TIMEOUT, 0);
        assertThat(play.job(a).state()).isInstanceOf(Lost.class);
    }

    /** It was told to go, and its node died before it was gone. */
    @Test
    void podThatIsMadeAgainElsewhereIsForcedFromTheNodeThatDiesMeanwhile() {
        var play = Play.withNodes(1, 1, 1);
        var spec = ElasticJobs.elastic("default", 2, 2, 4);
        var policy = Fixtures.losing(Duration.ofMinutes(1), true, spec.work().failure());
        var one = runs(play, failing(policy, spec));
        var left = movesAndItsNodeDies(play, one);
        play.restart();
        play.passHeard(Duration.ofMinutes(1).plus(AGAIN).plus(MOMENT), 0);
        assertThat(one.rank(1).making().forces()).isTrue();
        assertThat(one.rank(1).making().node()).isNotEqualTo(left);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
    }

    @Test
    void podThatIsMadeAgainElsewhereIsWaitedForOnTheNodeThatDiesMeanwhile() {
        var play = Play.withNodes(1, 1, 1);
        var one = runs(play, failing(policy(Otherwise.POD), workers(2, 1)));
        var left = movesAndItsNodeDies(play, one);
        play.passHeard(TIMEOUT.plus(MOMENT), 0);
        assertThat(play.job(a).state()).isInstanceOf(Stopping.class);
        play.restart();
        one.gone(0);
        assertThat(play.job(a).state()).isInstanceOf(Lost.class);
        assertThat(play.explain(a).orElseThrow().reasons())
                .first()
                .extracting(WaitReason::message)
                .asString()
                .startsWith("pods of it are left on %s, not heard of".formatted(left));
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), new Request("ml/a", "r1")));
        assertThat(play.take(Effect.StopPlan.class).getLast().stop().forced())
                .containsExactly(ForcedPods.of(one.rank(1).id()));
    }

    @Test
    void nodeThatIsDeletedHoldsNothingOfAnEarlierMaking() {
        var play = Play.withNodes(1, 1, 1);
        var one = runs(play, ElasticJobs.elastic("default", 2, 2, 4));
        var left = movesAndItsNodeDies(play, one);
        play.on(new Event.NodeReleased(WATCHER, left));
        play.passHeard(Duration.ofMinutes(4), 0);
        assertThat(one.rank(1).making().former()).isNull();
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
    }

    @Test
    void nothingIsLeftWhereAPodOfAnEarlierMakingWasSeenToBeGone() {
        var play = Play.withNodes(1, 1, 1);
        var one = runs(play, failing(policy(Otherwise.POD), workers(2, 1)));
        fails(play, one, 1);
        one.seeNewest(1, PodPhase.PENDING, null);
        var before = one.newest(1);
        var node = one.rank(1).making().node();
        play.passHeard(TIMEOUT, 0);
        assertThat(one.rank(1).making().former()).isEqualTo(node);
        play.on(new Event.PodGone(WATCHER, a, before));
        assertThat(one.rank(1).making().former()).isNull();
    }

    /** It was silent already when its pod was seen there, and so nobody says that it is. */
    @Test
    void nodeThatDiesBeforeThePodOfTheNewMakingIsSeenIsWaitedFor() {
        var play = Play.withNodes(1, 1, 1);
        var one = runs(play, failing(policy(Otherwise.POD), workers(2, 1)));
        moves(play, one, 1);
        var node = one.rank(1).making().node();
        play.on(Zones.silent(node, "a", 1));
        one.seeNewest(1, PodPhase.PENDING, null);
        assertThat(play.rows.get(Row.Table.ALARM).values())
                .extracting(row -> ((Alarm) row).subject())
                .contains("%s %s worker".formatted(a, node));
    }

    @Test
    void forceDeleteMeansWhatIsLeftAndNotTheNodeToWhichItsRankHasMoved() {
        var play = Play.withNodes(2, 1);
        play.on(new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(1)));
        var one = runs(play, failing(policy(Otherwise.POD), workers(2, 1)));
        int moves = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        fails(play, one, moves);
        play.on(new Event.OthersUse(WATCHER, "node-0", Amounts.NONE));
        one.seeNewest(moves, PodPhase.PENDING, null);
        play.passHeard(TIMEOUT, 0);
        assertThat(one.rank(moves).making().node()).isEqualTo("node-0");
        play.on(Zones.silent("node-1", "a", 1));
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), null));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(one.rank(1 - moves).state()).isEqualTo(RankState.RUNNING);
        assertThat(one.rank(moves).making().forces()).isTrue();
        assertThat(one.rank(moves).givenUp()).isFalse();
    }

    /** Its pods ran on while it was no node of the cluster. */
    @Test
    void whatIsLeftOnANodeThatCameBackIsWaitedForThere() {
        var play = Play.withNodes(1, 1, 1);
        var action = new FailurePolicy.Action.ExcludeNode();
        var rule = new Rule(List.of(new ExitCodes(77, 77)), List.of(), null, action);
        var one = runs(play, failing(policy(Otherwise.POD, rule), workers(2, 1)));
        var node = one.rank(1).making().node();
        play.on(new Event.NodeReleased(WATCHER, node));
        assertThat(one.rank(1).making().nodeGone()).isTrue();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 1)));
        play.restart();
        assertThat(one.rank(1).making().nodeGone()).isFalse();
        one.seeAgain(1, 1, 77);
        play.passHeard(AGAIN, 0);
        assertThat(one.rank(1).making().node()).isNotEqualTo(node);
        assertThat(one.rank(1).making().former()).isEqualTo(node);
        play.on(Zones.silent(node, "a", 1));
        assertThat(play.rows.get(Row.Table.ALARM).values())
                .extracting(row -> ((Alarm) row).subject())
                .contains("%s %s worker".formatted(a, node));
    }

    /** Nobody of this pool hears of it any more. */
    @Test
    void whatIsLeftOnANodeOfAnotherPoolIsForcedByWord() {
        var play = Play.withNodes(1, 1, 1);
        var one = runs(play, failing(policy(Otherwise.POD), workers(2, 1)));
        var node = moves(play, one, 1);
        play.on(new Event.NodeReleased(WATCHER, node, true));
        play.on(Fixtures.cancel(a, "", null));
        one.gone(0);
        assertThat(play.explain(a).orElseThrow().reasons())
                .first()
                .returns(node, WaitReason::scope);
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), null));
        assertThat(play.take(Effect.StopPlan.class).getLast().stop().forced())
                .containsExactly(ForcedPods.of(one.rank(1).id()));
    }

    /** From which it goes. */
    private String movesAndItsNodeDies(Play play, OneJob one) {
        var node = moves(play, one, 1);
        play.on(Zones.silent(node, "a", 1));
        return node;
    }

    /** It fails, and where it comes again it does not run: from where it is made anew elsewhere. */
    private String moves(Play play, OneJob one, int index) {
        fails(play, one, index);
        one.seeNewest(index, PodPhase.PENDING, null);
        var node = one.rank(index).making().node();
        play.passHeard(TIMEOUT, 0);
        assertThat(one.rank(index).making().node()).isNotEqualTo(node);
        return node;
    }

    @Test
    void podThatHasNowhereElseToGoTakesTheJobBackToItsQueue() {
        var play = Play.withNodes(2);
        var one = runs(play, ElasticJobs.elastic("default", 2, 2, 4));
        fails(play, one, 1);
        one.seeNewest(1, PodPhase.PENDING, null);
        play.passHeard(TIMEOUT, 0);
        assertThat(play.job(a).state()).isInstanceOf(Stopping.class);
    }

    @Test
    void podThatNobodyMakesTakesTheJobBackToItsQueue() {
        var play = Play.withNodes(2, 2);
        var one = runs(play, ElasticJobs.elastic("default", 2, 2, 4));
        fails(play, one, 1);
        assertThat(play.explain(a).orElseThrow().reasons())
                .first()
                .returns(Code.NOT_SCHEDULED, WaitReason::code)
                .returns(
                        "less than its minimum runs: the pod of worker-1 is not there yet",
                        WaitReason::message);
        play.passHeard(TIMEOUT, 0);
        assertThat(play.job(a).state()).isInstanceOf(Stopping.class);
    }

    @Test
    void itSaysAtOnceWhatItWaitsForAndNoLongerThanItDoes() {
        var play = Play.withNodes(2);
        var one = runs(play, ElasticJobs.elastic("default", 2, 2, 4));
        fails(play, one, 1);
        play.takeEffects();
        one.seeNewest(1, PodPhase.PENDING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        var word = play.take(Effect.Status.class).getLast().word();
        assertThat(word.reason()).isEqualTo("ContainerWaiting");
        assertThat(word.message())
                .isEqualTo(
                        "less than its minimum runs: the pod of worker-1 does not run yet on"
                                + " node-0");
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::message)
                .contains(word.message());
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(Effect.Status.class).getLast().word().reason()).isEmpty();
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::code)
                .doesNotContain(Code.CONTAINER_WAITING);
        play.passHeard(TIMEOUT.multipliedBy(2), 0);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
    }

    @Test
    void whatIsBeyondTheMinimumMayTakeAnyTime() {
        var play = Play.withNodes(4);
        var one = runs(play, ElasticJobs.elastic("default", 1, 2, 4));
        fails(play, one, 1);
        one.seeNewest(1, PodPhase.PENDING, null);
        play.passHeard(TIMEOUT.multipliedBy(3), 0);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        assertThat(one.rank(1).making().avoided()).isEmpty();
    }

    @Test
    void itsTimeBeginsWhenTheDelayIsOver() {
        var play = Play.withNodes(2);
        var delay = new FailurePolicy.Delay(Duration.ofMinutes(6), Duration.ofMinutes(6));
        var spec = ElasticJobs.elastic("default", 2, 2, 4);
        var policy = spec.work().failure();
        var one =
                runs(
                        play,
                        Fixtures.failing(
                                new FailurePolicy(
                                        policy.otherwise(),
                                        policy.limits(),
                                        delay,
                                        policy.settle(),
                                        policy.nodeLost(),
                                        policy.rules()),
                                spec));
        one.fail(1, 137);
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        play.passHeard(TIMEOUT.minus(MOMENT), 0);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        play.passHeard(MOMENT, 0);
        assertThat(play.job(a).state()).isInstanceOf(Stopping.class);
    }

    @Test
    void itsTimeStandsStillWhileNobodyLooks() {
        var play = Play.withNodes(2);
        var one = runs(play, ElasticJobs.elastic("default", 2, 2, 4));
        fails(play, one, 1);
        play.pass(TIMEOUT.multipliedBy(2));
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
    }

    @Test
    void roomThatIsLostAndDoesNotComeBackTakesTheJobBackToItsQueue() {
        var play = Play.withNodes(1, 1);
        var one = runs(play, ElasticJobs.elastic("default", 2, 2, 4));
        play.on(new Event.NodeReleased(WATCHER, one.rank(1).making().node(), false));
        one.gone(1);
        play.passHeard(AGAIN, 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::message)
                .first()
                .asString()
                .startsWith("worker-1 is to be made again: ");
        play.passHeard(TIMEOUT.minus(MOMENT), 0);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        play.passHeard(MOMENT, 0);
        assertThat(play.job(a).state()).isInstanceOf(Stopping.class);
    }

    private OneJob runs(Play play, JobSpec spec) {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        var one = new OneJob(play, a);
        one.runs(spec);
        return one;
    }

    /** It is made again, and nothing was seen of that. */
    private void fails(Play play, OneJob one, int index) {
        one.fail(index, 137);
        play.passHeard(AGAIN, 0);
        assertThat(one.rank(index).state()).isEqualTo(RankState.ORDERED);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
    }
}
