package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.mark;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.rule;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobSpec.Success;
import dev.muster.coordinator.core.model.JobState.Ended;
import dev.muster.coordinator.core.model.JobState.Restarting;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Elastic workers end their work together, though not in one moment. */
class PoolEndingTest {
    /** Until a failed pod would be made again: what the verdict waits, and the first delay. */
    private static final Duration AGAIN = Duration.ofSeconds(20);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void podManagerIsHeardOf() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
    }

    @Test
    void workerThatHasNotComeWhenTheFirstIsDoneIsNotAwaited() {
        startsWithTwoOfThree();
        one.seeNewest(2, PodPhase.PENDING, null);
        one.succeed(0);
        assertThat(one.rank(2).isLeaving()).isTrue();
        play.restart();
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(Effect.RunPlan.class).getLast().pods())
                .extracting(pod -> pod.rank().toString())
                .containsExactly("worker-0", "worker-1");
        one.seeNewest(2, PodPhase.FAILED, 1);
        play.passHeard(AGAIN, 0);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        one.succeed(1);
        assertThat(end()).isEqualTo(End.SUCCESS);
    }

    @Test
    void workerThatWasToBeMadeAgainIsNotWhenTheFirstIsDone() {
        one.runs(ElasticJobs.elastic("default", 2, 3, 4));
        one.fail(2, 137);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        one.succeed(0);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        one.succeed(1);
        assertThat(end()).isEqualTo(End.SUCCESS);
    }

    @Test
    void gangStartsAgainForWhoFailsAfterTheFirstIsDoneOnceTheOthersHaveEnded() {
        one.runs(ElasticJobs.elastic("default", 2, 3, 4));
        one.succeed(0);
        one.fail(2, 137);
        play.passHeard(AGAIN.multipliedBy(2), 0);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.explain(a).orElseThrow().reasons().getFirst().message())
                .isEqualTo("worker-2 exited with 137, after others had succeeded");
        play.restart();
        one.succeed(1);
        play.passHeard(Duration.ofSeconds(5), 0);
        assertThat(play.job(a).state())
                .isInstanceOfSatisfying(
                        Restarting.class,
                        restarting ->
                                assertThat(restarting.message())
                                        .isEqualTo(
                                                "worker-2 exited with 137, after others had"
                                                        + " succeeded"));
        assertThat(play.job(a).past().budgets().all()).isEqualTo(1);
    }

    @Test
    void whoRunsOnAfterAnotherFailedThenHasTheTimeOfAGang() {
        one.runs(ElasticJobs.elastic("default", 2, 3, 4));
        one.succeed(0);
        one.fail(2, 137);
        play.passHeard(AGAIN.plusMinutes(5).minusSeconds(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(Restarting.class);
    }

    /** Told once, whatever fails or is started again since. */
    @Test
    void thatTimeIsThatOfWhoFailedFirst() {
        one.runs(ElasticJobs.elastic("default", 2, 4, 4));
        one.succeed(0);
        one.fail(2, 137);
        play.passHeard(AGAIN, 0);
        var told = remedy();
        one.seeAgain(3, 1, 1);
        one.fail(1, 137);
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(remedy()).isEqualTo(told);
        one.seeAgain(3, 2, 1);
        play.passHeard(Duration.ofMinutes(3).minusSeconds(1), 0);
        assertThat(remedy()).isEqualTo(told);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(Restarting.class);
    }

    @Test
    void gangThatStartsAgainForWhoFailedThenWaitsForNobodyElsesDelay() {
        var spec = ElasticJobs.elastic("default", 2, 3, 4);
        startsTwoOf(ElasticJobs.evaluated(Duration.ofMinutes(30), spec));
        one.seeNewest(2, PodPhase.RUNNING, null);
        one.see("eval", PodPhase.RUNNING, null);
        one.see("eval", PodPhase.FAILED, 137);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        one.seeNewest(0, PodPhase.SUCCEEDED, 0);
        one.seeNewest(2, PodPhase.FAILED, 137);
        play.passHeard(AGAIN.plusSeconds(10), 0);
        one.seeNewest(1, PodPhase.SUCCEEDED, 0);
        play.passHeard(Duration.ofSeconds(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(Restarting.class);
        assertThat(play.job(a).past().budgets().until()).isBeforeOrEqualTo(play.now());
    }

    private String remedy() {
        return play.explain(a).orElseThrow().reasons().getFirst().remedy();
    }

    @Test
    void whoIsLostWithItsNodeAfterTheFirstIsDoneHasNoSuccessor() {
        one.runs(ElasticJobs.elastic("default", 2, 6, 8));
        one.succeed(0);
        var node = one.rank(5).making().node();
        assertThat(one.rank(0).making().node()).isNotEqualTo(node);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 4)));
        play.passHeard(Duration.ofMinutes(7), 0);
        assertThat(play.allRows().filter(row -> row instanceof Rank).count()).isEqualTo(6);
        play.passHeard(Duration.ofMinutes(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(Restarting.class);
    }

    @Test
    void whatItsRuleSaysOfAFailureHoldsToTheEnd() {
        one.runs(ElasticJobs.elastic("default", 2, 3, 4));
        one.succeed(0);
        one.fail(2, 1);
        play.passHeard(AGAIN, 0);
        assertThat(end().phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    void roleIsNotMadeAgainForWhoFailsAfterTheFirstIsDone() {
        var policy = policy(Otherwise.POD, rule(new Action.RestartRole()));
        one.runs(failing(policy, ElasticJobs.elastic("default", 2, 3, 4)));
        one.succeed(0);
        one.fail(2, 137);
        play.passHeard(AGAIN.multipliedBy(2), 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.SUCCEEDED);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RUNNING);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        one.succeed(1);
        play.passHeard(Duration.ofSeconds(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(Restarting.class);
    }

    /** The parameter server's node is gone, and room for it is looked for every 5 s. */
    @Test
    void whoFailsAfterTheFirstIsDoneDoesNotComeAloneInRoomThatCame() {
        var ps = role("ps", 1, 4);
        var spec = spec("default", atLeast(2, role("worker", 3, 1)), ps);
        startsTwoOf(ElasticJobs.elastic(2, 4, spec));
        one.seeNewest(2, PodPhase.RUNNING, null);
        one.see("ps", PodPhase.RUNNING, null);
        var making = play.ranks(a).getFirst().making();
        play.on(new Event.NodeReleased(WATCHER, making.node(), false));
        play.on(new Event.PodGone(WATCHER, a, mark("ps", 0, making.incarnation())));
        play.passHeard(AGAIN.plusSeconds(1), 0);
        assertThat(play.ranks(a).getFirst().state()).isEqualTo(RankState.RETURNING);
        one.succeed(0);
        one.fail(1, 137);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        var due = requireNonNull(one.rank(1).sight().due());
        play.passHeard(Duration.between(play.now(), due).plusSeconds(1), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        one.seeNewest(2, PodPhase.SUCCEEDED, 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        play.passHeard(Duration.ofSeconds(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(Restarting.class);
    }

    @Test
    void whatWaitsForTheRoleComesThoughItsMinimumIsNotThereAtItsEnd() {
        var eval = after("worker", Milestone.SUCCEEDED, role("eval", 1, 1));
        var spec = spec("default", atLeast(2, role("worker", 2, 1)), eval);
        startsTwoOf(ElasticJobs.elastic(2, 4, spec));
        one.fail(1, 137);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        one.succeed(0);
        assertThat(one.rank(1).isLeaving()).isTrue();
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        one.see("eval", PodPhase.RUNNING, null);
        one.see("eval", PodPhase.SUCCEEDED, 0);
        assertThat(end()).isEqualTo(End.SUCCESS);
    }

    @Test
    void soItDoesWhereTheRoleWasAtItsEndBeforeAllOfItRan() {
        var eval = after("worker", Milestone.SUCCEEDED, role("eval", 1, 1));
        var spec = spec("default", atLeast(2, role("worker", 2, 1)), eval);
        play.on(new Event.Submitted(a, ElasticJobs.elastic(2, 4, spec), null));
        one.applied(false);
        one.see(0, PodPhase.RUNNING, null);
        one.succeed(0);
        assertThat(one.rank(1).isLeaving()).isTrue();
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        one.see("eval", PodPhase.SUCCEEDED, 0);
        assertThat(end()).isEqualTo(End.SUCCESS);
    }

    @Test
    void whoFailedIsNoSuccessForWhatWaitsForTheRole() {
        var eval = after("worker", Milestone.SUCCEEDED, role("eval", 1, 1));
        var spec = spec("default", atLeast(2, role("worker", 2, 1)), eval);
        var policy = policy(Otherwise.POD, rule(new Action.Ignore()));
        startsTwoOf(failing(policy, ElasticJobs.elastic(2, 4, spec)));
        one.succeed(0);
        one.fail(1, 137);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(end().reason()).isEqualTo("DependencyFailed");
    }

    @Test
    void roleGrowsOnWhereTheJobsSuccessIsThatOfAnother() {
        var spec = spec("default", atLeast(2, role("worker", 2, 1)), role("master", 1, 1));
        var ofMaster = Respec.success(spec, new Success.OfRole("master"));
        startsTwoOf(ElasticJobs.elastic(2, 4, ofMaster));
        one.see("master", PodPhase.RUNNING, null);
        one.succeed(1);
        var command = new ScaleOut("worker", 1, Terms.PLAIN);
        play.on(new Event.ChangeAsked(a, command, new Event.Request("ml/a", "r-1")));
        one.seeNewest(2, PodPhase.RUNNING, null);
        assertThat(play.job(a).past().scaling())
                .isNotNull()
                .returns(Scaling.Stage.SUCCEEDED, Scaling::stage);
    }

    @Test
    void roleGrowsNoMoreWhereWhoDecidesWaitsForItsSuccess() {
        var eval = after("worker", Milestone.SUCCEEDED, role("eval", 1, 1));
        var spec = spec("default", atLeast(2, role("worker", 2, 1)), eval);
        startsTwoOf(ElasticJobs.elastic(2, 4, Respec.success(spec, new Success.OfRole("eval"))));
        one.succeed(1);
        var command = new ScaleOut("worker", 1, Terms.PLAIN);
        play.on(new Event.ChangeAsked(a, command, new Event.Request("ml/a", "r-1")));
        one.succeed(0);
        one.see("eval", PodPhase.RUNNING, null);
        one.see("eval", PodPhase.SUCCEEDED, 0);
        assertThat(end()).isEqualTo(End.SUCCESS);
    }

    private void startsTwoOf(JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        for (int index : List.of(0, 1)) {
            one.see(index, PodPhase.RUNNING, null);
        }
    }

    /** The third has grown and was not seen yet. */
    private void startsWithTwoOfThree() {
        startsTwoOf(ElasticJobs.elastic("default", 2, 3, 4));
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        play.takeEffects();
    }

    private End end() {
        return ((Ended) play.job(a).state()).end();
    }
}
