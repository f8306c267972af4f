package dev.muster.coordinator.core.scaling;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.measured;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.TrainedJob.digest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.TrainedJob;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.CheckpointPolicy;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Scaling.Stage;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.Throughput.Code;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs whose size follows how fast they train. */
class PoolAutoscaleTest {
    private static final Duration COOLDOWN = Duration.ofMinutes(2);
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private final TrainedJob trained = new TrainedJob(play, a);

    @Test
    void jobGrowsWhileItPaysAndGoesBackWhenItDoesNot() {
        one.runs(measured(COOLDOWN, elastic("default", 2, 2, 8)));
        train(COOLDOWN, 200);
        assertThat(scaling().to()).isEqualTo(3);
        var first = scaling().id();
        assertThat(first).isEqualTo("autoscaler-" + scaling().number());
        assertThat(scaling().message())
                .isEqualTo("worker goes from 2 to 3; 2 do 200.00/s, and more were not tried");
        one.seeNewest(2, PodPhase.RUNNING, null);
        assertThat(scaling().stage()).isEqualTo(Stage.SUCCEEDED);
        train(COOLDOWN, 210);
        assertThat(scaling().to()).isEqualTo(2);
        assertThat(scaling().message()).contains("worker-2 leaves; 2 do 200.00/s, 3 do 210.00/s");
        assertThat(scaling().id()).startsWith(Autoscaling.ACTOR).isNotEqualTo(first);
        play.on(new Event.PodGone(Fixtures.WATCHER, a, one.newest(2)));
        train(COOLDOWN.multipliedBy(3), 200);
        assertThat(verdict().code()).isEqualTo(Code.BEST_SIZE);
        assertThat(size()).isEqualTo(2);
    }

    @Test
    void whatItDecidesIsToldInStatusAndWhenSomebodyAsks() {
        one.runs(measured(COOLDOWN, elastic("default", 2, 2, 8)));
        trained.say(null, 100);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(Effect.Status.class).getLast().autoscaling())
                .isEqualTo(
                        new Throughput.Verdict(Code.MEASURING, "it has come to 2", Fixtures.NOON));
        train(Duration.ofSeconds(50), 100);
        assertThat(play.explain(a).orElseThrow().autoscaling().message())
                .isEqualTo(
                        "it has had 2 since 2026-01-01T12:00:00Z, and goes to 3 at"
                                + " 2026-01-01T12:02:00Z at the earliest");
    }

    @Test
    void noSizeIsGivenBeforeTheCooldownHasPassed() {
        one.runs(measured(Duration.ofMinutes(10), elastic("default", 2, 2, 8)));
        train(Duration.ofMinutes(9), 100);
        assertThat(verdict().code()).isEqualTo(Code.COOLING_DOWN);
        assertThat(size()).isEqualTo(2);
        train(Duration.ofMinutes(2), 100);
        assertThat(size()).isEqualTo(3);
    }

    @Test
    void growthForWhichThereIsNoRoomIsNotAskedForAgainBeforeTheCooldownHasPassed() {
        play.on(new Event.Submitted(job("b", 2), Fixtures.workers(6, 1), null));
        one.runs(measured(Duration.ofMinutes(10), elastic("default", 2, 2, 8)));
        train(Duration.ofMinutes(10), 100);
        var first = scaling().number();
        assertThat(scaling().to()).isEqualTo(3);
        train(Duration.ofMinutes(6), 100);
        assertThat(scaling().stage()).isEqualTo(Stage.FAILED);
        train(Duration.ofMinutes(2), 100);
        assertThat(scaling().number()).isEqualTo(first);
        assertThat(verdict().code()).isEqualTo(Code.COOLING_DOWN);
        train(Duration.ofMinutes(8), 100);
        assertThat(scaling().number()).isGreaterThan(first);
    }

    @Test
    void digestOfAnotherRunCountsForNothing() {
        one.runs(measured(COOLDOWN, elastic("default", 2, 2, 8)));
        int attempt = play.job(a).fences().attempt();
        for (int i = 0; i < 30; i++) {
            play.pass(Duration.ofSeconds(10));
            play.on(new Event.Trained(a, digest(attempt + 1, null, null, 100)));
            play.on(new Event.Trained(a, digest(null, 77, null, 100)));
            play.on(new Event.Trained(job("b", 2), digest(null, null, null, 100)));
        }
        assertThat(play.rows.get(Row.Table.THROUGHPUT)).isNull();
    }

    @Test
    void whatWasMeasuredWithOthersThanThereAreDoesNotCount() {
        one.runs(measured(COOLDOWN, elastic("default", 2, 2, 8)));
        for (int i = 0; i < 30; i++) {
            play.pass(Duration.ofSeconds(10));
            play.on(new Event.Trained(a, digest(1, null, 3, 100)));
        }
        assertThat(verdict().message())
                .isEqualTo("0 of 3 measurements with 2; the last was of 3 pods, and 2 train now");
    }

    /** The master counts, too: what runs and has not joined yet is not taken for having. */
    @Test
    void sizeIsThatOfAllThatTrainTogetherAndNotOfTheElasticRoleAlone() {
        runsWithAMaster();
        say(3, COOLDOWN, 200);
        assertThat(scaling().to()).isEqualTo(3);
        one.seeNewest(2, PodPhase.RUNNING, null);
        say(3, COOLDOWN, 200);
        assertThat(verdict().message())
                .isEqualTo("0 of 3 measurements with 3; the last was of 3 pods, and 4 train now");
        assertThat(scaling().to()).isEqualTo(3);
        say(4, COOLDOWN, 300);
        assertThat(scaling().to()).isEqualTo(4);
    }

    private void runsWithAMaster() {
        var spec =
                ElasticJobs.elastic(
                        2,
                        8,
                        Fixtures.spec(
                                "default",
                                Fixtures.role("master", 1, 1),
                                Fixtures.atLeast(2, Fixtures.role("worker", 2, 1))));
        play.on(new Event.Submitted(a, measured(COOLDOWN, spec), null));
        one.applied(false);
        one.see("master", PodPhase.RUNNING, null);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
    }

    @Test
    void launcherLeadsAndDoesNotTrain() {
        var spec = measured(COOLDOWN, ElasticJobs.launched("default", 2, 2, 6));
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        one.see("launcher", PodPhase.RUNNING, null);
        say(3, COOLDOWN, 200);
        assertThat(verdict().message())
                .isEqualTo("0 of 3 measurements with 2; the last was of 3 pods, and 2 train now");
        say(2, COOLDOWN, 200);
        assertThat(scaling().to()).isEqualTo(3);
    }

    private void say(int workers, Duration time, long speed) {
        trained.train(time, workers, speed);
    }

    @Test
    void jobThatDidNotAskForItKeepsItsSize() {
        one.runs(elastic("default", 2, 2, 8));
        train(Duration.ofHours(1), 100);
        assertThat(size()).isEqualTo(2);
        assertThat(play.rows.get(Row.Table.THROUGHPUT)).isNull();
    }

    @Test
    void nobodyGrowsWhereAJobOfTheSamePriorityWaitsForRoom() {
        one.runs(measured(COOLDOWN, elastic("default", 2, 2, 8)));
        play.on(new Event.Submitted(job("b", 2), Fixtures.workers(8, 1), null));
        train(COOLDOWN, 100);
        assertThat(verdict().code()).isEqualTo(Code.ROOM_WANTED);
        assertThat(verdict().message())
                .isEqualTo("ml/b waits for room, so that it does not grow to 3");
        assertThat(size()).isEqualTo(2);
        play.on(Fixtures.cancel(job("b", 2), "", null));
        train(Duration.ofSeconds(20), 100);
        assertThat(size()).isEqualTo(3);
    }

    @Test
    void jobOfLowerPriorityThatWaitsIsNoHindrance() {
        one.runs(measured(COOLDOWN, Fixtures.at(5, elastic("default", 2, 2, 8))));
        play.on(new Event.Submitted(job("b", 2), Fixtures.workers(8, 1), null));
        train(COOLDOWN, 100);
        assertThat(size()).isEqualTo(3);
    }

    @Test
    void commandOfAUserComesFirstAndItsSizeIsMeasured() {
        one.runs(measured(COOLDOWN, elastic("default", 2, 2, 8)));
        train(Duration.ofMinutes(1), 200);
        play.on(new Event.ChangeAsked(a, new SetReplicas("worker", 4, Terms.PLAIN), null));
        train(COOLDOWN, 200);
        assertThat(scaling().id()).isEmpty();
        assertThat(scaling().stage()).isEqualTo(Stage.SCALING);
        one.seeNewest(2, PodPhase.RUNNING, null);
        one.seeNewest(3, PodPhase.RUNNING, null);
        train(COOLDOWN, 400);
        assertThat(scaling().from()).isEqualTo(4);
        assertThat(scaling().to()).isEqualTo(6);
    }

    @Test
    void podsThatDoNotComeInTimeAreGivenUp() {
        one.runs(measured(COOLDOWN, elastic("default", 2, 2, 8)));
        train(COOLDOWN, 100);
        assertThat(scaling().stage()).isEqualTo(Stage.SCALING);
        play.passHeard(Autoscaling.GROWTH_TIMEOUT.plusSeconds(1), 0);
        assertThat(scaling().stage()).isEqualTo(Stage.FAILED);
        assertThat(size()).isEqualTo(2);
    }

    @Test
    void timeInWhichTheJobSavesIsNotThatOfThePods() {
        var slow = new CheckpointPolicy(true, Autoscaling.GROWTH_TIMEOUT.multipliedBy(2));
        var spec = elastic("default", 2, 2, 8);
        one.runs(CheckpointJobs.asked(slow, measured(COOLDOWN, spec)));
        train(COOLDOWN, 100);
        play.passHeard(Autoscaling.GROWTH_TIMEOUT.plusSeconds(60), 0);
        assertThat(scaling().stage()).isEqualTo(Stage.WAITING);
        new Asking(play, a).answer(true);
        play.passHeard(Autoscaling.GROWTH_TIMEOUT.minusSeconds(60), 0);
        one.seeNewest(2, PodPhase.RUNNING, null);
        assertThat(scaling().stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(size()).isEqualTo(3);
    }

    @Test
    void podsThatDoNotComeInTimeAfterTheJobHasSavedAreGivenUp() {
        one.runs(CheckpointJobs.byFile(measured(COOLDOWN, elastic("default", 2, 2, 8))));
        train(COOLDOWN, 100);
        new Asking(play, a).answer(true);
        play.passHeard(Autoscaling.GROWTH_TIMEOUT.plus(CheckpointJobs.TIMEOUT).plusSeconds(1), 0);
        assertThat(scaling().stage()).isEqualTo(Stage.FAILED);
        assertThat(size()).isEqualTo(2);
    }

    @Test
    void sizeNeverLeavesItsRange() {
        one.runs(measured(COOLDOWN, elastic("default", 2, 2, 3)));
        train(COOLDOWN, 100);
        one.seeNewest(2, PodPhase.RUNNING, null);
        train(COOLDOWN, 150);
        assertThat(verdict().code()).isEqualTo(Code.AT_MAXIMUM);
        assertThat(size()).isEqualTo(3);
    }

    /** Half of its size more would pass them. */
    @Test
    void jobGrowsAsFarAsItsLimitsAllow() {
        var limits = Amounts.of(Map.of("cpu", 5000L));
        one.runs(measured(COOLDOWN, Fixtures.limited(limits, elastic("default", 2, 4, 16))));
        train(COOLDOWN, 400);
        assertThat(size()).isEqualTo(5);
        one.seeNewest(4, PodPhase.RUNNING, null);
        train(COOLDOWN, 500);
        assertThat(verdict().code()).isEqualTo(Code.AT_MAXIMUM);
        assertThat(verdict().message()).isEqualTo("5 is the most that resourceLimits allow");
        assertThat(size()).isEqualTo(5);
    }

    @Test
    void nothingIsRememberedOfAJobThatIsForgotten() {
        one.runs(measured(COOLDOWN, elastic("default", 2, 2, 3)));
        train(COOLDOWN, 100);
        play.on(Fixtures.cancel(a, "", null));
        one.gone(0);
        one.gone(1);
        one.gone(2);
        one.applied(false);
        one.applied(true);
        play.pass(Duration.ofDays(2));
        assertThat(play.rows.get(Row.Table.THROUGHPUT)).isEmpty();
    }

    /** Its pod is there until the node is, and counts for nothing. */
    @Test
    void whoIsLeftOnALostNodeDoesNotKeepTheOthersFromGrowing() {
        var wide = Play.withNodes(2, 2, 4);
        var lost = new OneJob(wide, a);
        lost.runs(measured(COOLDOWN, elastic("default", 2, 4, 8)));
        var node = lost.rank(3).making().node();
        wide.on(new Event.NodeSeen(Fixtures.WATCHER, Chance.unready(node, 2)));
        wide.passHeard(FailurePolicy.PLAIN.nodeLost().after().plus(COOLDOWN), 0);
        for (var rank : wide.ranks(a)) {
            if (rank.state() == RankState.ORDERED) {
                lost.seeNewest(rank.id().index(), PodPhase.RUNNING, null);
            }
        }
        assertThat(wide.ranks(a)).anyMatch(Rank::isLeaving);
        for (int i = 0; i < 20; i++) {
            wide.passHeard(Duration.ofSeconds(10), 0);
            wide.on(new Event.Trained(a, digest(1, null, null, 100)));
        }
        assertThat(wide.job(a).past().scaling().to()).isEqualTo(6);
    }

    /** It trains no more, counts as one that does in the size, and is the first to leave. */
    @Test
    void whoseFailureIsIgnoredDoesNotKeepTheOthersFromGrowing() {
        var ignoring =
                Fixtures.policy(
                        FailurePolicy.Otherwise.POD,
                        Fixtures.rule(new FailurePolicy.Action.Ignore()));
        one.runs(Fixtures.failing(ignoring, measured(COOLDOWN, elastic("default", 2, 4, 8))));
        one.fail(3, 1);
        play.passHeard(COOLDOWN, 0);
        assertThat(one.rank(3).state()).isEqualTo(RankState.IGNORED);
        trained.train(COOLDOWN, 3, 300);
        assertThat(scaling().message())
                .isEqualTo("worker goes from 4 to 5; 3 do 300.00/s, and more were not tried");
        one.seeNewest(4, PodPhase.RUNNING, null);
        trained.train(COOLDOWN, 4, 310);
        assertThat(scaling().message())
                .startsWith("worker goes from 5 to 3: worker-3, worker-4 leave; 3 do 300.00/s");
        one.gone(3);
        one.gone(4);
        trained.train(COOLDOWN, 3, 300);
        assertThat(verdict().code()).isEqualTo(Code.BEST_SIZE);
        assertThat(size()).isEqualTo(3);
    }

    /** It counts in the most that there may be until it has left. */
    @Test
    void whoseFailureIsIgnoredLeavesNoPlaceBeyondTheMost() {
        var ignoring =
                Fixtures.policy(
                        FailurePolicy.Otherwise.POD,
                        Fixtures.rule(new FailurePolicy.Action.Ignore()));
        one.runs(Fixtures.failing(ignoring, measured(COOLDOWN, elastic("default", 2, 4, 4))));
        one.fail(3, 1);
        play.passHeard(COOLDOWN, 0);
        trained.train(COOLDOWN, 3, 300);
        assertThat(verdict().code()).isEqualTo(Code.AT_MAXIMUM);
        assertThat(verdict().message()).isEqualTo("3 is the most it may have");
        assertThat(size()).isEqualTo(4);
    }

    private void train(Duration time, long speed) {
        trained.train(time, speed);
    }

    private Throughput.Verdict verdict() {
        return trained.verdict();
    }

    private Scaling scaling() {
        return play.job(a).past().scaling();
    }

    private int size() {
        return play.job(a).spec().role("worker").replicas();
    }
}
