package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.OneJob.hindered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.jobs.Hindrances;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What keeps pods of a started job from running is said, and does not last for ever. */
class PoolObstaclesTest {
    private static final Duration TWO_MINUTES = Duration.ofMinutes(2);
    private static final Duration LATER = Duration.ofSeconds(15);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void podManagerIsHeardOf() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
    }

    @Test
    void imageThatCannotBePulledIsToldWhileTheGangStarts() {
        submit(workers(2, 1));
        cannotPull(1);
        play.pass(Jobs.PUBLISH_DELAY);
        var status = play.takeOne(Effect.Status.class);
        assertThat(status.job().state().phase()).isEqualTo(Phase.STARTING);
        assertThat(status.word().reason()).isEqualTo("ErrImagePull");
        assertThat(status.word().message()).isEqualTo("worker-1: no such image");
        assertThat(play.explain(a).orElseThrow().reasons())
                .singleElement()
                .returns(Code.CONTAINER_WAITING, WaitReason::code)
                .returns("worker-1: ErrImagePull: no such image", WaitReason::message);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.takeOne(Effect.Status.class).word().reason()).isEmpty();
        assertThat(play.explain(a).orElseThrow().reasons()).isEmpty();
    }

    @Test
    void imageThatCannotBePulledFailsTheJobThoughItsAttemptsAreShort() {
        submit(within(TWO_MINUTES));
        cannotPull(0);
        play.passHeard(TWO_MINUTES, 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.STOPPING);
        comesAgain();
        cannotPull(0);
        play.restart();
        play.passHeard(TWO_MINUTES, 0);
        comesAgain();
        cannotPull(0);
        play.passHeard(Duration.ofMinutes(1).minusSeconds(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        play.passHeard(Duration.ofSeconds(5), 0);
        var moved = play.take(Effect.Moved.class).getLast();
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.reason()).isEqualTo("ErrImagePull");
        assertThat(moved.message()).isEqualTo("worker-0: no such image");
    }

    @Test
    void laterAttemptHasItsOwnTimeToPull() {
        submit(within(TWO_MINUTES));
        cannotPull(0);
        play.passHeard(TWO_MINUTES, 0);
        comesAgain();
        play.passHeard(Duration.ofSeconds(110), 0);
        cannotPull(0);
        play.passHeard(Duration.ofSeconds(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void shortAttemptsAreNoWayAroundIt() {
        submit(within(Duration.ofSeconds(75)));
        for (int i = 0; i < 4; i++) {
            assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
            cannotPull(0);
            play.passHeard(Duration.ofSeconds(75), 0);
            comesAgain();
        }
        assertThat(play.take(Effect.Moved.class).getLast().reason()).isEqualTo("ErrImagePull");
    }

    @Test
    void timeInTheQueueIsNoneInWhichAnImageCannotBePulled() {
        submit(within(Duration.ofSeconds(20)));
        cannotPull(0);
        play.passHeard(Duration.ofSeconds(20), 0);
        play.on(new Event.QueuePut("default", QueueSpecs.limited(0), null));
        play.on(new Event.PodGone(WATCHER, a, one.newest(0)));
        one.applied(false);
        one.applied(true);
        play.passHeard(Duration.ofMinutes(30), 0);
        play.on(new Event.QueuePut("default", QueueSpecs.QUEUE, null));
        one.applied(false);
        cannotPull(0);
        play.passHeard(Duration.ofSeconds(20), 0);
        assertThat(((JobState.Stopping) play.job(a).state()).then())
                .isInstanceOf(Then.Requeue.class);
    }

    /** A registry that is asked too often keeps each of many for a moment. */
    @Test
    void podsThatCannotPullOneAfterTheOtherAreNotOneThatCannotForLong() {
        submit(Fixtures.patient(Duration.ofHours(1), workers(2, 1)));
        cannotPull(0);
        for (int i = 0; i < 8; i++) {
            play.passHeard(Duration.ofMinutes(1), 0);
            cannotPull((i + 1) % 2);
            one.seeNewest(i % 2, PodPhase.PENDING, null);
        }
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        play.restart();
        play.passHeard(Hindrances.LIMIT, 0);
        assertThat(play.take(Effect.Moved.class).getLast().reason()).isEqualTo("ErrImagePull");
    }

    @Test
    void imageThatCameInALaterAttemptMayFailAsLongAgain() {
        submit(within(TWO_MINUTES));
        cannotPull(0);
        play.passHeard(TWO_MINUTES, 0);
        comesAgain();
        one.seeNewest(0, PodPhase.RUNNING, null);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).times().hinderedFor()).isZero();
    }

    @Test
    void podsOfAnEarlierSubmissionAreNamedByTheOneThatWaitsForThem() {
        one.runs(Fixtures.failing(Fixtures.policy(Otherwise.POD), workers(2, 4)));
        int lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        one.fail(1 - lost, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.FAILED);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 4)));
        var again = job("a", 2);
        play.takeEffects();
        play.on(new Event.Submitted(again, workers(1, 1), null));
        assertThat(play.job(again).state()).isInstanceOf(JobState.Starting.class);
        var status = play.take(Effect.Status.class).getLast();
        assertThat(status.job().id()).isEqualTo(again);
        assertThat(status.word().reason()).isEqualTo("EarlierPods");
        assertThat(status.word().message())
                .isEqualTo(
                        "worker-%d of the submission before, 0-1, is still there on node-1, which is not heard of"
                                .formatted(lost));
        assertThat(play.explain(again).orElseThrow().reasons().getFirst().remedy())
                .isEqualTo("its node comes back or is deleted, or force-delete with --uid 0-1");
        one.gone(0);
        one.gone(1);
        assertThat(play.explain(again).orElseThrow().reasons()).isEmpty();
    }

    /** Where the kubelet restarts, the pod of a container that waits for its image again runs. */
    @Test
    void containerThatRanAndCannotStartAgainIsToldAndFailsTheJob() {
        one.runs(workers(2, 1));
        one.seeAgain(1, 1, 1);
        play.passHeard(TWO_MINUTES, 0);
        cannotPullAgain();
        play.pass(Jobs.PUBLISH_DELAY);
        var status = play.take(Effect.Status.class).getLast();
        assertThat(status.job().state()).isInstanceOf(JobState.Running.class);
        assertThat(status.word().reason()).isEqualTo("ErrImagePull");
        assertThat(play.explain(a).orElseThrow().reasons())
                .singleElement()
                .returns(Code.CONTAINER_WAITING, WaitReason::code);
        play.restart();
        cannotPullAgain();
        play.passHeard(Hindrances.LIMIT.minusSeconds(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.passHeard(Duration.ofSeconds(5), 0);
        var moved = play.take(Effect.Moved.class).getLast();
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.reason()).isEqualTo("ErrImagePull");
        assertThat(moved.message()).isEqualTo("worker-1: no such image");
    }

    @Test
    void containerThatStartsAgainAfterAllIsHinderedNoMore() {
        one.runs(workers(2, 1));
        cannotPullAgain();
        play.passHeard(TWO_MINUTES, 0);
        one.seeAgain(1, 1, 1);
        play.passHeard(Hindrances.LIMIT, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.explain(a).orElseThrow().reasons()).isEmpty();
    }

    @Test
    void gangWhosePodIsToBeMadeElsewhereIsTakenBackWhereThereIsNoRoom() {
        cannotPullUntilItsTimeIsOver();
        var policy = policy();
        play.passHeard(policy.settle().plus(policy.delay().after(0)), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(a).past().exclusions().nodes()).hasSize(1);
        play.restart();
        play.passHeard(timeout(), 0);
        assertThat(((JobState.Stopping) play.job(a).state()).then())
                .isInstanceOf(Then.Requeue.class);
    }

    @Test
    void timeThatItHasOnceMoreIsWholeWhateverItsBackendSaysMeanwhile() {
        cannotPullUntilItsTimeIsOver();
        play.passHeard(TWO_MINUTES, 0);
        play.on(
                new Event.GroupSeen(
                        WATCHER, a, 1, "a-a1", true, "NotEnoughResources", "0/2 nodes"));
        play.restart();
        var again = policy().settle().plus(policy().delay().after(0));
        play.passHeard(again.plus(timeout()).minus(TWO_MINUTES).minusSeconds(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        play.passHeard(Duration.ofSeconds(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    @Test
    void timeThatItHasOnceMoreStandsStillWhileNobodyLooks() {
        cannotPullUntilItsTimeIsOver();
        for (int i = 0; i < 24; i++) {
            play.pass(Duration.ofSeconds(5));
            play.on(new Event.WatcherAlive(WATCHER));
        }
        play.passHeard(timeout().minusSeconds(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    @Test
    void podThatIsJudgedAtItsGangsTimeoutIsTheOneThatWaitedLongest() {
        submit(workers(2, 4));
        play.passHeard(LATER, 0);
        cannotPull(1);
        var moment = Duration.ofSeconds(5);
        play.passHeard(timeout().minus(LATER).minus(moment), 0);
        cannotPull(0);
        play.passHeard(moment, 0);
        assertThat(play.take(Effect.Moved.class).getLast().message())
                .isEqualTo("worker-1: no such image");
    }

    /** Its pod would have had as long from when it could not be pulled. */
    @Test
    void podThatItsGangsTimeoutHasJudgedIsNotChargedOnceMore() {
        submit(Fixtures.failing(policy(), workers(2, 4)));
        one.see(1, PodPhase.RUNNING, null);
        play.passHeard(LATER, 0);
        cannotPull(0);
        play.passHeard(timeout().minus(LATER).plus(policy().settle()), 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        var budgets = play.job(a).past().budgets();
        play.restart();
        play.passHeard(LATER.plus(policy().settle()), 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).past().budgets()).isEqualTo(budgets);
    }

    /** Its only node is avoided, so that it is nowhere to be made again. */
    private void cannotPullUntilItsTimeIsOver() {
        submit(Fixtures.failing(policy(), workers(2, 4)));
        one.see(1, PodPhase.RUNNING, null);
        cannotPull(0);
        play.passHeard(timeout(), 0);
    }

    private Duration timeout() {
        return play.job(a).spec().gang().timeout();
    }

    /** Its pod, which waits for room and is left there, is not charged once more. */
    @Test
    void sameOfARunningGangWhoseMinimumDoesNotRun() {
        one.runs(Fixtures.failing(policy(), workers(2, 4)));
        one.fail(0, 137);
        play.passHeard(Duration.ofSeconds(25), 0);
        one.applied(false);
        cannotPull(0);
        var timeout = timeout();
        play.passHeard(timeout.plusMinutes(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().exclusions().nodes()).hasSize(1);
        var budgets = play.job(a).past().budgets();
        play.passHeard(timeout, 0);
        assertThat(play.job(a).past().budgets()).isEqualTo(budgets);
        assertThat(((JobState.Stopping) play.job(a).state()).then())
                .isInstanceOf(Then.Requeue.class);
    }

    private static FailurePolicy policy() {
        var rule =
                new FailurePolicy.Rule(
                        List.of(),
                        List.of("ErrImagePull"),
                        null,
                        new FailurePolicy.Action.ExcludeNode());
        return Fixtures.policy(Otherwise.POD, rule);
    }

    private void cannotPullAgain() {
        var node = one.rank(1).making().node();
        var pod = Fixtures.pod(one.newest(1), one.nextVersion(), PodPhase.RUNNING, node);
        play.on(new Event.PodSeen(WATCHER, a, hindered(Fixtures.unready(pod))));
    }

    private void submit(JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        play.takeEffects();
    }

    private static JobSpec within(Duration timeout) {
        var spec = workers(1, 1);
        var work = spec.work();
        var gang = new JobSpec.Gang(0, timeout, work.gang().topology());
        return Fixtures.with(
                spec, gang, work.failure(), work.deadlines(), work.limits(), work.elastic());
    }

    private void cannotPull(int index) {
        var node = one.rank(index).making().node();
        var pod = Fixtures.pod(one.newest(index), one.nextVersion(), PodPhase.PENDING, node);
        play.on(new Event.PodSeen(WATCHER, a, hindered(pod)));
    }

    /** Nothing of its attempt is left, and the next one starts, if there is one. */
    private void comesAgain() {
        if (play.job(a).state() instanceof JobState.Stopping) {
            play.on(new Event.PodGone(WATCHER, a, one.newest(0)));
            one.applied(false);
            one.applied(true);
            while (play.job(a).state() instanceof JobState.Queued) {
                play.passHeard(Duration.ofSeconds(5), 0);
            }
            one.applied(false);
        }
    }
}
