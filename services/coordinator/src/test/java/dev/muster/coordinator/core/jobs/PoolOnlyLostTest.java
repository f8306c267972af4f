package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.caring;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.AnotherWork;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All that is left of a job is on one silent node: nothing that is seen tells of it any more. */
class PoolOnlyLostTest {
    private static final Duration AFTER = Duration.ofMinutes(1);

    /** In which a verdict has settled, and its delay is over. */
    private static final Duration JUDGED = Duration.ofMinutes(1);

    /** In which nobody is heard of any more. */
    private static final Duration BLIND = Duration.ofMinutes(2);

    private static final ForcedPods FIRST = ForcedPods.of(new RankId("worker", 0));
    private static final ForcedPods SECOND = ForcedPods.of(new RankId("worker", 1));

    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void podManagerLives() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
    }

    @ParameterizedTest
    @MethodSource
    void whatWasLostBeforeIsForcedAsTheJobStops(Change change) {
        one.runs(failing(losing(true, policy(Otherwise.POD)), workers(2, 2)));
        silence();
        play.passHeard(AFTER.plus(JUDGED), 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, change, null));
        play.restart();
        assertThat(forced()).containsExactly(FIRST, SECOND);
    }

    static Stream<Change> whatWasLostBeforeIsForcedAsTheJobStops() {
        return Stream.of(new Change.Cancel(null, ""), new Change.Suspend(null, ""));
    }

    @Test
    void whatWasLostBeforeIsForcedOnceAnEndedJobIsNotKept() {
        endsWithOneLost(JobSpec.Cleanup.NONE, Duration.ZERO);
        one.gone(0);
        one.applied(false);
        play.passHeard(Duration.ofMinutes(59), 0);
        assertThat(play.take(StopPlan.class)).allMatch(plan -> plan.stop().forced().isEmpty());
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(forced()).containsExactly(SECOND);
    }

    /** It was told to go as the job ended, and nothing more would be heard of it. */
    @Test
    void orAtOnceWhereWhatHadNotEndedIsToGo() {
        endsWithOneLost(JobSpec.Cleanup.RUNNING, Duration.ZERO);
        play.restart();
        play.passHeard(Alarm.RETRY_INTERVAL, 0);
        assertThat(forced()).containsExactly(SECOND);
    }

    @Test
    void thatIsPutOffUntilSomebodyWatches() {
        endsWithOneLost(JobSpec.Cleanup.RUNNING, BLIND);
        play.restart();
        play.pass(BLIND);
        assertThat(play.take(StopPlan.class)).allMatch(plan -> plan.stop().forced().isEmpty());
        play.passHeard(Alarm.RETRY_INTERVAL.multipliedBy(2), 0);
        assertThat(forced()).containsExactly(SECOND);
    }

    /**
     * One rank has succeeded, and the other was lost before with its node.
     *
     * @param blind for how long nobody was heard of by then
     */
    private void endsWithOneLost(JobSpec.Cleanup cleanup, Duration blind) {
        var ignore = new Rule(List.of(), List.of("NodeLost"), null, new Action.Ignore());
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        one.runs(
                AnotherWork.of(
                        failing(losing(true, policy(Otherwise.POD, ignore)), workers(2, 4)),
                        work -> {
                            work.ttl = Duration.ofHours(1);
                            work.cleanup = cleanup;
                        }));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(1).whereabouts(), 4)));
        play.passHeard(AFTER.plus(JUDGED), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.IGNORED);
        play.pass(blind);
        play.takeEffects();
        one.succeed(0);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUCCEEDED);
    }

    /** News of the other pod comes, and pod-manager is not heard of. */
    @Test
    void whatIsLeftAloneIsNotForcedUntilAllWatch() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        one.runs(failing(losing(true, policy(Otherwise.POD)), workers(2, 4)));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(1).whereabouts(), 4)));
        play.passHeard(AFTER.plus(JUDGED), 0);
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        play.pass(BLIND);
        play.takeEffects();
        one.gone(0);
        play.restart();
        play.pass(BLIND);
        assertThat(play.take(StopPlan.class)).allMatch(plan -> plan.stop().forced().isEmpty());
        play.passHeard(Alarm.RETRY_INTERVAL.multipliedBy(2), 0);
        assertThat(forced()).containsExactly(SECOND);
    }

    @Test
    void ofRolesOfWhichOneWaitsTheOtherIsForced() {
        var waits = new JobSpec.Care(losing(false, policy(Otherwise.POD)), new TreeSet<>());
        var ps = caring(waits, role("ps", 1, 2));
        var spec = Fixtures.spec("default", role("worker", 1, 2), ps);
        play.on(new Event.Submitted(a, failing(losing(true, policy(Otherwise.POD)), spec), null));
        one.applied(false);
        one.see(0, PodPhase.RUNNING, null);
        one.see("ps", PodPhase.RUNNING, null);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        silence();
        play.passHeard(AFTER.plus(JUDGED), 0);
        play.takeEffects();
        play.on(Fixtures.cancel(a, "", null));
        assertThat(forced()).containsExactly(FIRST);
    }

    /** The job is made to stop by the first of them, before the second is known to be lost. */
    @Test
    void ranksThatAreLostTogetherWhileTheJobSavesAreForcedTogether() {
        saves(true);
        play.passHeard(AFTER, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        assertThat(forced()).containsExactly(FIRST, SECOND);
    }

    @Test
    void orAreWaitedForInTheQueue() {
        saves(false);
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        play.passHeard(AFTER, 0);
        play.restart();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Lost.class);
    }

    @Test
    void ranksThatAreLostTogetherAreForcedTogetherWhereTheFirstEndsTheJob() {
        var fail = new Rule(List.of(), List.of("NodeLost"), null, new Action.Fail(""));
        one.runs(
                AnotherWork.of(
                        failing(losing(true, policy(Otherwise.POD, fail)), workers(2, 2)),
                        work -> work.ttl = Duration.ZERO));
        silence();
        play.passHeard(AFTER, 0);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.FAILED);
        assertThat(forced()).containsExactly(FIRST, SECOND);
    }

    /** It had ended, is still there, and is known to be lost only once the job is to go. */
    @Test
    void whoHadEndedThereIsForcedWithTheRankThatEndsTheJob() {
        var fail = new Rule(List.of(), List.of("NodeLost"), null, new Action.Fail(""));
        one.runs(
                AnotherWork.of(
                        failing(losing(true, policy(Otherwise.POD, fail)), workers(2, 2)),
                        work -> work.ttl = Duration.ZERO));
        one.succeed(0);
        silence();
        play.passHeard(AFTER, 0);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.FAILED);
        play.restart();
        play.passHeard(AFTER.plusSeconds(1), 0);
        assertThat(forced()).containsExactly(FIRST, SECOND);
    }

    /** The node may be heard of again by those who are silent. */
    @Test
    void nothingIsForcedAsTheJobStopsUntilSomebodyWatches() {
        one.runs(failing(losing(true, policy(Otherwise.POD)), workers(2, 2)));
        silence();
        play.passHeard(AFTER.plus(JUDGED), 0);
        play.pass(BLIND);
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        play.restart();
        play.pass(BLIND);
        assertThat(play.take(StopPlan.class)).allMatch(plan -> plan.stop().forced().isEmpty());
        play.passHeard(Alarm.RETRY_INTERVAL.multipliedBy(2), 0);
        assertThat(forced()).containsExactly(FIRST, SECOND);
    }

    @Test
    void norIfItsNodeIsHeardOfByThen() {
        one.runs(failing(losing(true, policy(Otherwise.POD)), workers(2, 2)));
        silence();
        play.passHeard(AFTER.plus(JUDGED), 0);
        play.pass(BLIND);
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 4)));
        play.passHeard(AFTER, 0);
        assertThat(play.take(StopPlan.class)).allMatch(plan -> plan.stop().forced().isEmpty());
    }

    private void saves(boolean isForced) {
        one.runs(failing(losing(isForced, policy(Otherwise.POD)), byFile(workers(2, 2))));
        silence();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    private static FailurePolicy losing(boolean isForced, FailurePolicy policy) {
        return Fixtures.losing(AFTER, isForced, policy);
    }

    private List<ForcedPods> forced() {
        return play.take(StopPlan.class).getLast().stop().forced();
    }

    private void silence() {
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-0", 4)));
    }
}
