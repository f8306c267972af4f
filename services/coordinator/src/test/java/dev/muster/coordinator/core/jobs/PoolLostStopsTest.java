package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.within;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.simulation.Chance;
import dev.muster.coordinator.core.simulation.QuotaPromises;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that stop for another reason than a failure while a dead node holds a pod of theirs. */
class PoolLostStopsTest {
    private static final Duration AFTER = FailurePolicy.PLAIN.nodeLost().after();
    private static final Duration TIMEOUT = workers(1, 1).gang().timeout();

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);
    private final JobId c = job("c", 3);
    private final OneJob one = new OneJob(play, a);
    private int lost;

    /** Of a queue in which one job runs at a time. */
    private void startsOnANodeThatDies(JobSpec spec) {
        var doors = new QueueSpec.Doors(false, false, 1000, 1, new TreeSet<>());
        play.on(new Event.QueuePut("default", QueueSpecs.with(QueueSpecs.QUEUE, doors), null));
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        one.see(1 - lost, PodPhase.RUNNING, null);
        one.see(lost, PodPhase.PENDING, null);
        play.passHeard(Duration.ofSeconds(50), 0);
        silence();
        play.takeEffects();
    }

    /** Its own time is over before that of the node is. */
    private void isTakenBack() {
        play.passHeard(TIMEOUT.minusSeconds(50), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.STOPPING);
        one.gone(1 - lost);
        one.applied(false);
    }

    @Test
    void gangThatDidNotRunInTimeWaitsInItsQueueForTheNode() {
        startsOnANodeThatDies(workers(2, 4));
        isTakenBack();
        play.on(new Event.Submitted(b, workers(1, 4), null));
        assertThat(play.take(RunPlan.class)).isEmpty();
        play.passHeard(Duration.ofSeconds(50), 0);
        play.restart();
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.QUEUED);
        assertThat(effects).anyMatch(any -> any instanceof RunPlan plan && plan.job().equals(b));
        var status = status(effects, a);
        assertThat(status.word().reason()).isEqualTo("NodeLost");
        assertThat(status.word().message())
                .startsWith("pods of it are left on node-1, not heard of; 1 of 2 pods ran within");
        assertThat(reasons()).containsExactly(Code.NODE_LOST);
    }

    @Test
    void itBacksOffOnceNothingIsLeftOfIt() {
        startsOnANodeThatDies(workers(2, 4));
        isTakenBack();
        play.passHeard(Duration.ofSeconds(50), 0);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        one.gone(lost);
        one.applied(false);
        one.applied(true);
        var queued = (JobState.Queued) play.job(a).state();
        assertThat(queued.takenBack()).isEqualTo(1);
        assertThat(queued.gate()).isInstanceOf(JobState.Gate.Later.class);
    }

    @Test
    void itsTimeInTheQueuePassesMeanwhile() {
        var hour = new JobSpec.Deadlines(Duration.ofHours(1), Duration.ZERO, Duration.ZERO);
        startsOnANodeThatDies(within(hour, workers(2, 4)));
        isTakenBack();
        play.passHeard(Duration.ofHours(2), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.QUEUED, Phase.FAILED);
    }

    @Test
    void itsTimeInTheQueueGoesOnOnceItIsSeenThatNothingIsLeft() {
        var hour = new JobSpec.Deadlines(Duration.ofHours(1), Duration.ZERO, Duration.ZERO);
        startsOnANodeThatDies(within(hour, workers(2, 4)));
        isTakenBack();
        play.passHeard(Duration.ofHours(1), 0);
        isSeenGone();
        play.restart();
        one.applied(true);
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(play.takePhases(a))
                .containsExactly(Phase.QUEUED, Phase.STOPPING, Phase.QUEUED, Phase.FAILED);
    }

    /** Its place among those that run was given away when it was lost. */
    @Test
    void whoeverIsNextNeedNotWaitUntilItIsConfirmedThatNothingIsLeft() {
        startsOnANodeThatDies(workers(2, 4));
        isTakenBack();
        play.on(new Event.Submitted(b, workers(1, 4), null));
        play.passHeard(Duration.ofSeconds(50), 0);
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(b);
        isSeenGone();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        play.restart();
        play.on(new Event.Submitted(c, workers(1, 4), null));
        new OneJob(play, b).succeed(0);
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(c);
        QuotaPromises.areKept(play);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void norUntilItIsCancelledOrSuspended(boolean isCancelled) {
        startsOnANodeThatDies(workers(2, 4));
        isTakenBack();
        play.passHeard(Duration.ofSeconds(50), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Lost.class);
        var change = isCancelled ? new Change.Cancel(null, "no") : new Change.Suspend(null, "no");
        play.on(new Event.ChangeAsked(a, change, null));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        play.restart();
        play.takeEffects();
        play.on(new Event.Submitted(b, workers(1, 4), null));
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(b);
        QuotaPromises.areKept(play);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void timeInWhichItIsSuspendedMeanwhileIsNoneInTheQueue(boolean isStillLost) {
        runsAndIsLost();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        play.passHeard(Duration.ofHours(2), 0);
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        play.restart();
        if (!isStillLost) {
            isSeenGone();
            one.applied(true);
        }
        play.passHeard(Duration.ofMinutes(59), 0);
        assertThat(play.job(a).state().phase()).isNotEqualTo(Phase.FAILED);
        if (isStillLost) {
            play.passHeard(Duration.ofMinutes(1), 0);
            assertThat(play.job(a).state().phase()).isEqualTo(Phase.FAILED);
        }
    }

    @Test
    void whoWasSuspendedMeanwhileAndIsResumedHasWaitedSinceThen() {
        runsAndIsLost();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        isSeenGone();
        one.applied(true);
        play.pass(Duration.ofMinutes(1));
        assertThat(play.job(a).state().phase()).isNotEqualTo(Phase.FAILED);
    }

    private void runsAndIsLost() {
        var hour = new JobSpec.Deadlines(Duration.ofHours(1), Duration.ZERO, Duration.ZERO);
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        one.runs(within(hour, workers(2, 4)));
        lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        play.passHeard(Duration.ofHours(2), 0);
        silence();
        play.passHeard(AFTER, 0);
        one.gone(1 - lost);
        one.applied(false);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Lost.class);
    }

    private void isSeenGone() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        one.gone(lost);
        one.applied(false);
    }

    /** It was lost before, and was to be made again: no pod is left to say anything new. */
    @Test
    void jobOfWhichOnlyTheLostRankIsLeftWaitsAsSoonAsItStops() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        one.runs(ElasticJobs.elastic("default", 1, 1, 1));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(0).making().node(), 4)));
        play.passHeard(AFTER, 0);
        play.takeEffects();
        play.passHeard(TIMEOUT.plusSeconds(20), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.STOPPING, Phase.QUEUED);
        assertThat(reasons()).containsExactly(Code.NODE_LOST);
    }

    @Test
    void resumedJobThatADeadNodeHoldsWaitsInItsQueue() {
        one.runs(workers(2, 4));
        lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        silence();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        one.gone(1 - lost);
        play.passHeard(AFTER, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Lost.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jobThatIsToGoForGoodSaysWhatHoldsIt(boolean isCancelled) {
        one.runs(workers(2, 4));
        lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        silence();
        var change = isCancelled ? new Change.Cancel(null, "no") : new Change.Suspend(null, "no");
        play.on(new Event.ChangeAsked(a, change, null));
        assertThat(reasons()).isEmpty();
        one.gone(1 - lost);
        one.applied(false);
        assertThat(reasons()).containsExactly(Code.NODE_LOST);
        play.passHeard(AFTER.plusSeconds(1), 0);
        var word = status(play.takeEffects(), a).word();
        assertThat(word.reason()).isEqualTo(isCancelled ? "Cancelled" : "Suspended");
        assertThat(word.waits())
                .extracting(WaitReason::code, WaitReason::scope)
                .containsExactly(Code.NODE_LOST, "node-1");
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        play.pass(Duration.ofSeconds(1));
        assertThat(status(play.takeEffects(), a).word().waits()).isNull();
    }

    /** Its pod is held there by a finalizer. */
    @Test
    void jobThatWaitsForAPodOnANodeThatIsHeardOfAgainSaysSo() {
        startsOnANodeThatDies(workers(2, 4));
        isTakenBack();
        play.passHeard(Duration.ofSeconds(50), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Lost.class);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        var patience = play.job(a).spec().grace().plus(JobAlarms.TO_GO);
        play.passHeard(patience.minusSeconds(1), 0);
        assertThat(reasons()).containsExactly(Code.NODE_LOST);
        play.takeEffects();
        play.restart();
        play.passHeard(Duration.ofSeconds(2), 0);
        var word = status(play.takeEffects(), a).word();
        assertThat(word.reason()).isEqualTo("EarlierPods");
        assertThat(word.message())
                .isEqualTo(
                        "the pod of worker-%d was told to go and is still there, on node-1"
                                .formatted(lost));
        assertThat(reasons()).containsExactly(Code.EARLIER_PODS);
        silence();
        play.pass(Duration.ofSeconds(1));
        assertThat(status(play.takeEffects(), a).word().reason()).isEqualTo("NodeLost");
        assertThat(reasons()).containsExactly(Code.NODE_LOST);
        isSeenGone();
        one.applied(true);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Queued.class);
    }

    private Iterable<Code> reasons() {
        return play.explain(a).orElseThrow().reasons().stream().map(WaitReason::code).toList();
    }

    private static Effect.Status status(Iterable<Effect> effects, JobId job) {
        Effect.Status newest = null;
        for (var effect : effects) {
            newest =
                    effect instanceof Effect.Status status && status.job().id().equals(job)
                            ? status
                            : newest;
        }
        assertThat(newest).isNotNull();
        return newest;
    }

    private void silence() {
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 4)));
    }
}
