package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.losing;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.rule;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobSpec.Success;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures that a rule has count as an end like any other, before a gang runs and later. */
class PoolIgnoredTest {
    private static final FailurePolicy IGNORING = policy(Otherwise.GANG, rule(new Action.Ignore()));

    private static final Rule ON_1 =
            new Rule(List.of(new ExitCodes(1, 1)), List.of(), null, new Action.Ignore());
    private static final Rule POD_ON_2 =
            new Rule(List.of(new ExitCodes(2, 2)), List.of(), null, new Action.RestartPod());
    private static final String NOTICE = "aws-node-termination-handler/spot-itn";
    private static final Success WORKER = new Success.OfRole("worker");

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void gangOfWhichOneWasIgnoredBeforeAllRanRuns() {
        play.on(new Event.Submitted(a, failing(IGNORING, workers(3, 1)), null));
        one.applied(false);
        one.fail(0, 1);
        one.see(1, PodPhase.RUNNING, null);
        play.takeEffects();
        one.see(2, PodPhase.RUNNING, null);
        assertThat(play.takePhases(a)).isEmpty();
        settle();
        assertThat(play.takePhases(a)).containsExactly(Phase.RUNNING);
    }

    @Test
    void nobodyIsIgnoredWhoFellWithOthersByAStrongerCause() {
        one.runs(failing(policy(Otherwise.POD, ON_1), workers(2, 1)));
        one.fail(0, 1);
        play.passHeard(Duration.ofSeconds(5), 0);
        one.gone(1);
        settle();
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    @Test
    void nobodyIsIgnoredSinceANodeOfTheGangDied() {
        one.runs(failing(policy(Otherwise.POD, ON_1), workers(2, 3)));
        one.fail(1, 1);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-0", 4)));
        play.passHeard(Failures.NODE_SETTLE, 0);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        assertThat(one.rank(1).making().incarnation()).isEqualTo(2);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(one.rank(1).making().incarnation()).isGreaterThan(2);
    }

    @Test
    void whoFailedByTheSameCauseIsIgnoredAndTheOtherIsMadeAgain() {
        one.runs(failing(policy(Otherwise.GANG, ON_1, POD_ON_2), workers(3, 1)));
        one.fail(0, 1);
        one.fail(1, 2);
        settle();
        assertThat(one.rank(0).state()).isEqualTo(RankState.IGNORED);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void strongerCauseThatIsIgnoredIsChargedToNobody() {
        var evicted = new Rule(List.of(), List.of("PodLost"), null, new Action.Ignore());
        one.runs(failing(policy(Otherwise.GANG, evicted, POD_ON_2), workers(3, 1)));
        one.gone(0);
        one.fail(1, 2);
        settle();
        assertThat(one.rank(0).state()).isEqualTo(RankState.IGNORED);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
        assertThat(play.job(a).past().budgets().infrastructure()).isZero();
    }

    @Test
    void whoIsIgnoredKeepsNobodyFromSaving() {
        one.runs(CheckpointJobs.byFile(failing(IGNORING, workers(2, 1))));
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        one.fail(0, 1);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    @Test
    void gangOfWhichAllWereIgnoredHasNotSucceeded() {
        play.on(new Event.Submitted(a, failing(IGNORING, workers(2, 1)), null));
        one.applied(false);
        play.takeEffects();
        one.fail(0, 1);
        one.fail(1, 1);
        settle();
        assertThat(failed()).isEqualTo("every rank has ended, and none has succeeded");
    }

    @Test
    void gangOfWhichOneSucceededHasAndTheIgnoredCountAsDone() {
        one.runs(failing(IGNORING, workers(2, 1)));
        one.fail(0, 1);
        one.succeed(1);
        settle();
        assertThat(play.takePhases(a)).containsExactly(Phase.SUCCEEDED);
    }

    @Test
    void namedRoleOfWhichAllWereIgnoredHasNotSucceeded() {
        var spec = spec("default", role("worker", 1, 1), role("helper", 1, 1));
        play.on(new Event.Submitted(a, failing(IGNORING, Respec.success(spec, WORKER)), null));
        one.applied(false);
        one.see("helper", PodPhase.RUNNING, null);
        play.takeEffects();
        one.fail(0, 1);
        settle();
        assertThat(play.takePhases(a)).containsExactly(Phase.RUNNING);
        one.see("helper", PodPhase.SUCCEEDED, 0);
        assertThat(failed()).isEqualTo("every rank has ended, and none of worker has succeeded");
    }

    /** It has no pod by then, and so no news of it come. */
    @Test
    void gangOfWhichOnlyIgnoredAreLeftOnceAnotherIsTakenOutHasNotSucceeded() {
        var spec = elastic(1, 2, spec("default", atLeast(1, role("worker", 2, 4))));
        one.runs(failing(policy(Otherwise.POD, ON_1), spec));
        one.fail(0, 1);
        settle();
        assertThat(one.rank(0).state()).isEqualTo(RankState.IGNORED);
        play.on(new Event.OthersUse(WATCHER, one.rank(0).making().node(), cpu(1)));
        play.on(new Event.NodeReleased(WATCHER, one.rank(1).making().node()));
        one.gone(1);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        takeOut(1, null);
        assertThat(one.rank(1)).isNull();
        play.restart();
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(failed()).isEqualTo("every rank has ended, and none has succeeded");
    }

    /** It was promised its time, and may use it. */
    @Test
    void whoeverLeavesIsAwaitedBeforeTheGangHasNotSucceeded() {
        one.runs(failing(policy(Otherwise.POD, ON_1), elastic("default", 1, 2, 2)));
        one.fail(0, 1);
        settle();
        takeOut(1, Duration.ofMinutes(5));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        one.succeed(1);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(failed()).isEqualTo("every rank has ended, and none has succeeded");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void whoeverLeavesIsNotAwaitedOnALostNodeOnceItsTimeIsOver(int drain) {
        one.runs(failing(policy(Otherwise.POD, ON_1), elastic("default", 1, 2, 2)));
        one.fail(0, 1);
        settle();
        takeOut(1, Duration.ofMinutes(drain));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(1).making().node(), 4)));
        var lost = FailurePolicy.PLAIN.nodeLost().after().toMinutes();
        var over = Duration.ofMinutes(Math.max(drain, lost));
        play.passHeard(over.minusSeconds(10), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.passHeard(Duration.ofSeconds(20), 0);
        assertThat(failed()).isEqualTo("every rank has ended, and none has succeeded");
    }

    /** He waited for his job to save, and counts as left behind from that moment. */
    @Test
    void norIsHeOnceTheTimeForAnAnswerIsOver() {
        var elastic = elastic(1, 2, spec("default", atLeast(1, role("worker", 2, 4))));
        var minute = Duration.ofMinutes(1);
        var policy = losing(minute, false, policy(Otherwise.POD, ON_1));
        one.runs(CheckpointJobs.byFile(failing(policy, elastic)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.tainted(one.rank(1).whereabouts(), 4, NOTICE)));
        assertThat(one.rank(1).isLeaving()).isTrue();
        play.on(new Event.OthersUse(WATCHER, one.rank(0).whereabouts(), cpu(1)));
        one.fail(0, 1);
        play.passHeard(CheckpointJobs.TIMEOUT.minusSeconds(1), 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.IGNORED);
        assertThat(play.job(a).asked()).isNotNull();
        play.restart();
        play.passHeard(Duration.ofSeconds(2), 0);
        assertThat(failed()).isEqualTo("every rank has ended, and none has succeeded");
    }

    /** The end of his time was an hour away. */
    @Test
    void norIsHeOnceHeSaysThatHeNeedsNoMoreTime() {
        one.runs(failing(policy(Otherwise.POD, ON_1), elastic("default", 1, 2, 2)));
        one.fail(0, 1);
        settle();
        takeOut(1, Duration.ofHours(1));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(1).making().node(), 4)));
        play.passHeard(FailurePolicy.PLAIN.nodeLost().after().plusSeconds(10), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.on(new Event.Drained(a, null, null, one.rank(1).id()));
        play.restart();
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(failed()).isEqualTo("every rank has ended, and none has succeeded");
    }

    private void takeOut(int index, @Nullable Duration drain) {
        var names = new TreeSet<>(List.of("worker-" + index));
        var terms = new Change.Terms(Duration.ZERO, true, drain, false);
        var command = new Change.ScaleIn("worker", 0, names, terms);
        play.on(new Event.ChangeAsked(a, command, null));
    }

    @ParameterizedTest
    @CsvSource({"RUNNING, run", "READY, be ready", "SUCCEEDED, succeed"})
    void jobWhoseRolesWaitForAnIgnoredOneFails(Milestone until, String verb) {
        submit(until, role("worker", 1, 1));
        one.fail(0, 1);
        settle();
        assertThat(play.take(Effect.Moved.class))
                .filteredOn(moved -> moved.to() == Phase.FAILED)
                .extracting(moved -> moved.reason() + ": " + moved.message())
                .containsExactly(
                        "DependencyFailed: helper waits for worker to %s: 1 must, and 1 of 1 failed"
                                .formatted(verb));
    }

    @ParameterizedTest
    @EnumSource
    void rolesThatWaitForFewerThanThereAreGoOnWithoutAnIgnoredOne(Milestone until) {
        submit(until, atLeast(1, role("worker", 2, 1)));
        one.fail(0, 1);
        settle();
        assertThat(roles(play.take(RunPlan.class))).doesNotContain("helper");
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.SUCCEEDED, 0);
        play.passHeard(Duration.ofSeconds(5), 0);
        assertThat(roles(play.take(RunPlan.class))).contains("helper");
    }

    private void submit(Milestone until, JobSpec.Role worker) {
        var helper = after("worker", until, role("helper", 1, 1));
        var spec = spec("default", worker, helper);
        play.on(new Event.Submitted(a, failing(IGNORING, spec), null));
        one.applied(false);
        play.pass(Jobs.PUBLISH_DELAY);
        one.applied(false);
        play.takeEffects();
    }

    private static List<String> roles(List<RunPlan> plans) {
        return plans.stream()
                .flatMap(plan -> plan.pods().stream())
                .map(pod -> pod.rank().role())
                .toList();
    }

    private void settle() {
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
    }

    /** Why it has. */
    private String failed() {
        var end = (JobState.Ended) play.job(a).state();
        assertThat(end.end().phase()).isEqualTo(Phase.FAILED);
        assertThat(end.end().reason()).isEqualTo("NothingSucceeded");
        return end.end().message();
    }
}
