package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.PodSight;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Each rank that is made again has its own delay, and nobody waits for another's. */
class PoolOwnDelaysTest {
    private static final FailurePolicy PODS = policy(Otherwise.POD);

    private final JobId a = job("a", 1);

    @Test
    void whoFailsLaterIsMadeAgainLater() {
        var play = Play.withNodes(4, 4);
        var one = runs(play, workers(3, 1));
        one.fail(1, 137);
        at(play, 10);
        one.fail(2, 137);
        at(play, 20);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        play.restart();
        assertThat(play.explain(a).orElseThrow().reasons())
                .first()
                .returns("worker-2", WaitReason::scope)
                .returns("it is made again at " + NOON.plusSeconds(40), WaitReason::remedy);
        at(play, 39);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        at(play, 40);
        assertThat(one.rank(2).state()).isEqualTo(RankState.ORDERED);
        assertThat(play.job(a).past().budgets().all()).isEqualTo(2);
    }

    @Test
    void whoFindsNoRoomIsTriedAgainWhileAnotherIsDelayed() {
        var play = Play.withNodes(1, 1, 1);
        var one = runs(play, workers(3, 1));
        play.on(new Event.NodeReleased(WATCHER, one.rank(1).making().node(), false));
        one.gone(1);
        at(play, 20);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        one.fail(2, 137);
        at(play, 31);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.explain(a).orElseThrow().reasons())
                .first()
                .extracting(WaitReason::message)
                .asString()
                .startsWith("worker-1 is to be made again: ");
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-9", 1)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        play.restart();
        at(play, 50);
        assertThat(one.rank(2).state()).isEqualTo(RankState.ORDERED);
    }

    @Test
    void whoWaitedForOthersIsMadeAgainWithThemWhileAnotherIsDelayed() {
        var play = Play.withNodes(1, 1, 1, 1);
        var one = new OneJob(play, a);
        play.on(new Event.Submitted(a, ElasticJobs.launched("default", 2, 3, 3), null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Jobs.PUBLISH_DELAY);
        one.see("launcher", PodPhase.RUNNING, null);
        long start = Duration.between(NOON, play.now()).toSeconds();
        one.seeNewest(0, PodPhase.FAILED, 137);
        one.seeNewest(1, PodPhase.FAILED, 137);
        one.see("launcher", PodPhase.FAILED, 137);
        at(play, start + 20);
        one.seeNewest(2, PodPhase.FAILED, 137);
        at(play, start + 32);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        assertThat(launcher(play).state()).isEqualTo(RankState.RETURNING);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(launcher(play).state()).isEqualTo(RankState.ORDERED);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        at(play, start + 52);
        assertThat(one.rank(2).state()).isEqualTo(RankState.ORDERED);
    }

    @Test
    void delayOfAnEndedPodGoesOnWhenItsNodeIsLost() {
        var play = Play.withNodes(1, 1, 1, 1);
        var one = new OneJob(play, a);
        one.runs(failing(slow(), workers(3, 1)));
        one.fail(1, 137);
        at(play, 10);
        silence(play, one.rank(1));
        at(play, 60);
        assertThat(one.rank(1).sight().due()).isEqualTo(NOON.plusSeconds(90));
        assertThat(play.explain(a).orElseThrow().reasons())
                .first()
                .extracting(WaitReason::message)
                .isEqualTo("worker-1 is to be made again: worker-1 exited with 137");
        play.restart();
        at(play, 89);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        at(play, 90);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        assertThat(play.job(a).past().budgets().all()).isEqualTo(1);
    }

    @Test
    void delayOfAPodThatGoesIsKeptWhenItsNodeIsLost() {
        var play = Play.withNodes(1, 1, 1, 1);
        var one = new OneJob(play, a);
        one.runs(failing(slow(Fixtures.rule(new Action.RestartRole())), workers(3, 1)));
        one.fail(1, 137);
        at(play, 10);
        silence(play, one.rank(2));
        at(play, 60);
        assertThat(one.rank(2).sight())
                .returns(RankState.RETURNING, PodSight::state)
                .returns(NOON.plusSeconds(90), PodSight::due)
                .extracting(sight -> sight.failure().reason())
                .isEqualTo("NodeLost");
    }

    /** The first delay is 80 s, and a node is lost after 30. */
    private static FailurePolicy slow(FailurePolicy.Rule... rules) {
        var plain = policy(Otherwise.POD, rules);
        return new FailurePolicy(
                plain.otherwise(),
                plain.limits(),
                new FailurePolicy.Delay(Duration.ofSeconds(80), Duration.ofMinutes(6)),
                plain.settle(),
                new FailurePolicy.NodeLost(Duration.ofSeconds(30), false),
                plain.rules());
    }

    private static void silence(Play play, Rank rank) {
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(rank.making().node(), 1)));
    }

    private Rank launcher(Play play) {
        var key = Rank.id(a, new RankId("launcher", 0));
        return (Rank) play.rows.get(Row.Table.RANK).get(key);
    }

    private OneJob runs(Play play, JobSpec spec) {
        var one = new OneJob(play, a);
        one.runs(failing(PODS, spec));
        return one;
    }

    private static void at(Play play, long second) {
        play.passHeard(Duration.between(play.now(), NOON.plusSeconds(second)), 0);
    }
}
