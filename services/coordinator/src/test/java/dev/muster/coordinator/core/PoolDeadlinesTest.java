package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.within;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.life.DeadlinePeriod;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Exclusions;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Deadlines;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deadlines of a job, and nodes that it avoids for a while. */
class PoolDeadlinesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration NONE = Duration.ZERO;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private int included;
    private final OneJob one = new OneJob(play, a);

    @Test
    void jobThatWaitsTooLongEndsToTheSecond() {
        submit(within(new Deadlines(MINUTE, NONE, NONE), workers(3, 4)));
        play.passHeard(MINUTE.minus(SECOND), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.QUEUED);
        play.passHeard(SECOND, 0);
        var moved = play.takeOne(Effect.Moved.class);
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.reason()).isEqualTo("DeadlineExceeded");
        assertThat(moved.message())
                .isEqualTo("it waited for 1m, its deadlines.queue, and was not started");
    }

    @Test
    void waitForALostNodeIsNoLongerThanItMayWait() {
        one.runs(within(new Deadlines(MINUTE, NONE, NONE), workers(2, 4)));
        int lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 4)));
        play.passHeard(FailurePolicy.PLAIN.nodeLost().after(), 0);
        one.gone(1 - lost);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING, Phase.QUEUED);
        play.passHeard(MINUTE.minus(SECOND), 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.restart();
        play.passHeard(SECOND, 0);
        var moved = play.takeOne(Effect.Moved.class);
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.reason()).isEqualTo("DeadlineExceeded");
    }

    @Test
    void waitForALostNodeCountsToThatForRoomAfterwards() {
        one.runs(within(new Deadlines(MINUTE, NONE, NONE), workers(2, 4)));
        int lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 4)));
        play.passHeard(FailurePolicy.PLAIN.nodeLost().after(), 0);
        one.gone(1 - lost);
        play.passHeard(SECOND.multipliedBy(30), 0);
        play.on(new Event.NodeReleased(WATCHER, "node-1"));
        one.gone(lost);
        one.applied(false);
        play.restart();
        one.applied(true);
        play.passHeard(SECOND.multipliedBy(29), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Queued.class);
        play.takeEffects();
        play.passHeard(SECOND, 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.FAILED);
    }

    @Test
    void whoIsLostAnotherTimeBeforeItsNextAttemptHasWaitedAllTheWhile() {
        submit(within(new Deadlines(MINUTE, NONE, NONE), workers(3, 4)));
        var job = play.job(a);
        var leaving = JobState.Clearing.LEAVING;
        var again = new JobState.Restarting(0, play.now(), "", "", leaving, true);
        var later = play.now().plus(MINUTE);
        var waits = new WaitReason(WaitReason.Code.NODE_LOST, "", null, later, "", "", List.of());
        assertThat(DeadlinePeriod.QUEUE.end(job.to(new JobState.Lost(again, waits), job.times())))
                .isEqualTo(later);
    }

    @Test
    void timeInWhichItWasSuspendedIsNoWaiting() {
        var deadlines = new Deadlines(MINUTE, NONE, NONE);
        submit(Fixtures.suspended(within(deadlines, workers(3, 4))));
        play.passHeard(Duration.ofHours(1), 0);
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        play.passHeard(MINUTE.minus(SECOND), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.SUSPENDED, Phase.QUEUED);
        play.passHeard(SECOND, 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.FAILED);
    }

    @Test
    void gangThatDoesNotRunInTimeEnds() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        submit(within(new Deadlines(NONE, MINUTE, NONE), workers(2, 1)));
        one.applied(false);
        play.passHeard(MINUTE.minus(SECOND), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.QUEUED, Phase.STARTING);
        play.passHeard(SECOND, 0);
        var moved = play.takeOne(Effect.Moved.class);
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.message())
                .isEqualTo("its gang did not run within 1m, its deadlines.start");
    }

    /** As where pod-manager's list is not answered. */
    @ParameterizedTest
    @CsvSource({"true, ''", "false, '; its plan is not carried out: why is in pod-manager''s log'"})
    void gangThatIsTakenBackSaysWhetherItsPlanIsCarriedOut(boolean applied, String words) {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        submit(workers(2, 1));
        if (applied) {
            one.applied(false);
        }
        play.passHeard(MINUTE.multipliedBy(5).plus(SECOND), 0);
        var moved = play.take(Effect.Moved.class).getLast();
        assertThat(moved.reason()).isEqualTo("GangTimeout");
        assertThat(moved.message()).isEqualTo("0 of 2 pods ran within 5m" + words);
    }

    @Test
    void timeToStartStandsStillWhileNobodyLooks() {
        submit(within(new Deadlines(NONE, MINUTE, NONE), workers(2, 1)));
        one.applied(false);
        play.takeEffects();
        play.pass(MINUTE.multipliedBy(2));
        assertThat(play.takePhases(a)).isEmpty();
    }

    @Test
    void runTimeOfAllAttemptsIsCounted() {
        var deadlines = new Deadlines(NONE, NONE, MINUTE);
        one.runs(within(deadlines, workers(1, 1)));
        play.passHeard(Duration.ofSeconds(20), 0);
        failsAndIsGone();
        play.passHeard(MINUTE.multipliedBy(2), 0);
        one.seeNewest(0, PodPhase.RUNNING, null);
        play.takeEffects();
        play.passHeard(Duration.ofSeconds(29), 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(SECOND, 0);
        var moved = play.takeOne(Effect.Moved.class);
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.message()).isEqualTo("it ran for 1m, its deadlines.run");
    }

    @Test
    void deadlineAfterTheEndChangesNothing() {
        one.runs(within(new Deadlines(NONE, NONE, MINUTE), workers(1, 1)));
        one.succeed(0);
        var finished = play.job(a).times().finished();
        play.takeEffects();
        play.passHeard(MINUTE, 0);
        assertThat(play.take(Effect.Moved.class)).isEmpty();
        assertThat(play.job(a).times().finished()).isEqualTo(finished);
    }

    @Test
    void momentOfTheEndIsFixedOnceWhateverIsDeletedLater() {
        one.runs(workers(1, 1));
        one.succeed(0);
        var finished = play.job(a).times().finished();
        play.passHeard(Duration.ofHours(25), 0);
        assertThat(play.job(a).state()).isEqualTo(new JobState.Ended(End.SUCCESS, Remains.LEAVING));
        assertThat(play.job(a).times().finished()).isEqualTo(finished);
    }

    @Test
    void jobAvoidsTheNodeThatItFailedOnUntilThatIsForgotten() {
        var rule = Fixtures.rule(new Action.ExcludeNode());
        one.runs(failing(policy(Otherwise.GANG, rule), workers(1, 1)));
        var bad = one.rank(0).making().node();
        failsAndIsGone();
        assertThat(play.job(a).past().exclusions().nodes()).containsExactly(bad);
        play.takeEffects();
        play.passHeard(Duration.ofSeconds(10), 0);
        var plan = play.takeOne(RunPlan.class);
        assertThat(plan.pods().getFirst().node()).isNotEqualTo(bad);
        one.seeNewest(0, PodPhase.RUNNING, null);
        play.passHeard(Duration.ofHours(2), 0);
        assertThat(play.job(a).past().exclusions().nodes()).isEmpty();
        assertThat(play.job(a).spec())
                .isEqualTo(failing(policy(Otherwise.GANG, rule), workers(1, 1)));
    }

    @Test
    void successLiftsWhatIsHeldAgainstNodes() {
        var spec =
                failing(
                        policy(Otherwise.GANG, Fixtures.rule(new Action.ExcludeNode())),
                        workers(1, 1));
        one.runs(spec);
        failsAndIsGone();
        play.passHeard(Duration.ofSeconds(10), 0);
        one.seeNewest(0, PodPhase.RUNNING, null);
        assertThat(play.job(a).past().exclusions().nodes()).hasSize(1);
        play.takeEffects();
        one.seeNewest(0, PodPhase.SUCCEEDED, 0);
        assertThat(play.take(Effect.Status.class).getLast().job().past().exclusions())
                .isEqualTo(Exclusions.NONE);
        assertThat(play.job(a).past().exclusions()).isEqualTo(Exclusions.NONE);
        assertThat(play.job(a).spec()).isEqualTo(spec);
        assertThat(play.rows.get(Row.Table.ALARM).values())
                .noneMatch(row -> ((Alarm) row).kind() == Alarm.Kind.EXCLUSION);
    }

    @Test
    void jobWhoseOnlyNodeIsAvoidedWaitsInItsQueue() {
        waitsForAnotherNode();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));
        assertThat(play.takeOne(RunPlan.class).pods().getFirst().node()).isEqualTo("node-2");
    }

    @Test
    void whatIsHeldAgainstNodesIsForgottenOnCommand() {
        waitsForAnotherNode();
        assertThat(include("node-7")).isEqualTo("ml/a does not avoid node-7");
        assertThat(include("node-0")).isEqualTo("ml/a may use node-0 again");
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        assertThat(include("node-0")).isEqualTo("ml/a does not avoid node-0");
        assertThat(include(null)).isEqualTo("ml/a does not avoid any node");
        assertThat(play.rows.get(Row.Table.ALARM).values())
                .noneMatch(row -> ((Alarm) row).kind() == Alarm.Kind.EXCLUSION);
    }

    private String include(@Nullable String node) {
        var request = new Event.Request("ml/a", "r-" + included++);
        play.on(new Event.ChangeAsked(a, new Change.Include(node), request));
        var answer = play.takeOne(Effect.Answer.class);
        assertThat(answer.outcome()).isEqualTo(Outcome.ACCEPTED);
        return answer.message();
    }

    @Test
    void evidenceAddsUpAndHalvesEveryHour() {
        var noon = Fixtures.NOON;
        var node = new TreeSet<>(List.of("n"));
        var once = Exclusions.NONE.failed(node, noon);
        assertThat(once.next()).isEqualTo(noon.plus(Duration.ofHours(2)));
        assertThat(once.at(noon.plus(Duration.ofHours(2)).minusMillis(1)).nodes()).hasSize(1);
        assertThat(once.at(noon.plus(Duration.ofHours(2))).nodes()).isEmpty();
        var twice = once.failed(node, noon);
        assertThat(twice.next()).isEqualTo(noon.plus(Duration.ofHours(3)));
        var later = once.failed(node, noon.plus(Duration.ofHours(1)));
        assertThat(later.next()).isEqualTo(noon.plus(Duration.ofHours(3)));
    }

    /** It failed on the only node there is, which it avoids. */
    private void waitsForAnotherNode() {
        play.on(new Event.NodeReleased(WATCHER, "node-1"));
        var rule = Fixtures.rule(new Action.ExcludeNode());
        one.runs(failing(policy(Otherwise.GANG, rule), workers(1, 1)));
        failsAndIsGone();
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(play.takePhases(a)).endsWith(Phase.QUEUED);
    }

    /** Its only rank does, and nothing of the attempt is left. */
    private void failsAndIsGone() {
        one.fail(0, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        one.gone(0);
        one.applied(false);
        one.applied(true);
    }

    private void submit(JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
    }
}
