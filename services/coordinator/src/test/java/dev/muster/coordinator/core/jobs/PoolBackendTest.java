package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.BackedPools.DELEGATED;
import static dev.muster.coordinator.core.fixtures.BackedPools.OBSERVED;
import static dev.muster.coordinator.core.fixtures.BackedPools.master;
import static dev.muster.coordinator.core.fixtures.BackedPools.masterRuns;
import static dev.muster.coordinator.core.fixtures.BackedPools.play;
import static dev.muster.coordinator.core.fixtures.BackedPools.pool;
import static dev.muster.coordinator.core.fixtures.BackedPools.served;
import static dev.muster.coordinator.core.fixtures.BackedPools.with;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.together;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.effects.Grouping.PodGroup;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec.Backend;
import dev.muster.coordinator.core.model.PoolSpec.Backing;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pool whose gangs another scheduler binds. */
class PoolBackendTest {
    private final JobId a = job("a", 1);

    @Test
    void untilItsKindsAreFoundEverybodyWaitsAndSaysSo() {
        var play = Play.withNodes(4, 4);
        play.on(pool(OBSERVED));
        play.on(new Event.Submitted(a, workers(2, 1), null));
        assertThat(play.take(RunPlan.class)).isEmpty();
        var reason = reason(play);
        assertThat(reason).isNotNull();
        assertThat(reason.code()).isEqualTo(Code.POOL_UNAVAILABLE);
        assertThat(reason.message())
                .isEqualTo("no pod-manager has found the kinds of the pool's backend volcano");
        play.on(served());
        assertThat(play.takeOne(RunPlan.class).job()).isEqualTo(a);
        assertThat(reason(play)).isNull();
    }

    /** It is unavailable before and after, and for another cause. */
    @Test
    void thatItHasNoNodeIsSaidOnceItsKindsAreFound() {
        var play = Play.withNodes();
        play.on(pool(OBSERVED));
        play.on(new Event.Submitted(a, workers(2, 1), null));
        assertThat(reason(play).message()).contains("volcano");
        play.later(Duration.ofSeconds(1)).on(served());
        assertThat(play.takeEffects()).anyMatch(Effect.QueueState.class::isInstance);
        assertThat(reason(play))
                .returns("no node of the pool is known", WaitReason::message)
                .returns(play.now(), WaitReason::since);
        play.on(new Event.PoolPut("default", with(Map.of("rack", "a"), OBSERVED), null));
        assertThat(reason(play).remedy()).contains("the labels rack=a");
        play.on(new Event.PoolPut("default", with(Map.of("rack", "b"), OBSERVED), null));
        assertThat(reason(play).remedy()).contains("the labels rack=b");
        play.takeEffects();
        play.on(served());
        assertThat(play.take(Effect.QueueState.class)).as("the same again").isEmpty();
    }

    @Test
    void independentRolesAreOneGroup() {
        var play = play(OBSERVED);
        play.on(
                new Event.Submitted(
                        a,
                        spec("default", role("ps", 1, 2), atLeast(2, role("worker", 3, 1))),
                        null));
        var grouping = play.takeOne(RunPlan.class).grouping();
        assertThat(grouping.queue()).isEqualTo("default");
        assertThat(grouping.groups())
                .containsExactly(group(null, Map.of("ps", 1, "worker", 2), least(4, 3)));
    }

    @Test
    void backendChoosesAmongTheNodesOfThePool() {
        var play = play(OBSERVED);
        play.on(new Event.PoolPut("default", with(Map.of("rack", "a"), DELEGATED), null));
        play.on(new Event.Submitted(a, workers(2, 1), null));
        assertThat(play.takeOne(RunPlan.class).grouping().nodes())
                .isEqualTo(new TreeMap<>(Map.of("rack", "a")));
    }

    @Test
    void rolesThatDependOnEachOtherAreAGroupEach() {
        var play = play(DELEGATED);
        var waits = after("master", Milestone.RUNNING, role("worker", 2, 1));
        var last = after("worker", Milestone.SUCCEEDED, role("report", 1, 1));
        play.on(new Event.Submitted(a, spec("default", role("master", 1, 1), waits, last), null));
        var grouping = play.takeOne(RunPlan.class).grouping();
        assertThat(grouping.queue()).isEqualTo("muster");
        assertThat(grouping.groups())
                .containsExactly(
                        group("master", Map.of("master", 1), cpu(1)),
                        group("worker", Map.of("worker", 2), least(2, 2)));
    }

    @ParameterizedTest
    @CsvSource({"true, 4", "false, 2"})
    void whatAnAtomicScaleBringsIsBoundWithTheOthersOrNotAtAll(boolean atomic, int together) {
        var play = play(DELEGATED);
        var one = new OneJob(play, a);
        one.runs(ElasticJobs.elastic("default", 2, 2, 6));
        var terms = new Change.Terms(Duration.ZERO, atomic, Duration.ZERO, false);
        play.on(
                new Event.ChangeAsked(
                        a,
                        new Change.ScaleOut("worker", 2, terms),
                        new Event.Request("ml/a", "out")));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(newestGroups(play))
                .containsExactly(
                        group(null, Map.of("worker", together), least(together, together)));
        one.seeNewest(2, PodPhase.RUNNING, null);
        one.seeNewest(3, PodPhase.RUNNING, null);
        assertThat(play.job(a).past().scaling().stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
        play.takeEffects();
        play.on(
                new Event.ChangeAsked(
                        a,
                        new Change.ScaleIn("worker", 1, new TreeSet<>(), terms),
                        new Event.Request("ml/a", "in")));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(newestGroups(play))
                .containsExactly(group(null, Map.of("worker", 2), least(2, 2)));
    }

    private static List<PodGroup> newestGroups(Play play) {
        return play.take(RunPlan.class).getLast().grouping().groups();
    }

    @Test
    void observedRoomIsReservedAndMovesToWhereThePodIsBound() {
        var play = play(OBSERVED);
        play.on(new Event.Submitted(a, workers(2, 4), null));
        play.on(new Event.Submitted(job("b", 2), workers(1, 1), null));
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(a);
        var one = new OneJob(play, a);
        var other = one.rank(0).making().node().equals("node-0") ? "node-1" : "node-0";
        play.on(
                new Event.PodSeen(
                        WATCHER, a, Fixtures.pod(OneJob.mark(0), 7, PodPhase.PENDING, other)));
        assertThat(one.rank(0).making().node()).isEqualTo(other);
    }

    @Test
    void delegatedRoomIsNotAskedFor() {
        var play = play(DELEGATED);
        play.on(new Event.Submitted(a, workers(50, 4), null));
        assertThat(play.takeOne(RunPlan.class).pods()).hasSize(50);
    }

    @Test
    void delegatedPoolStillCountsQuotas() {
        var play = play(DELEGATED);
        play.on(new Event.QueuePut("default", QueueSpecs.limited(4), null));
        play.on(new Event.Submitted(a, workers(3, 1), null));
        play.on(new Event.Submitted(job("b", 2), workers(3, 1), null));
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).contains(a);
        assertThat(play.job(job("b", 2)).state()).isInstanceOf(JobState.Queued.class);
        assertThat(play.rows.getOrDefault(Row.Table.HOLD, new TreeMap<>())).isEmpty();
    }

    @Test
    void aPodThatItDoesNotBindIsNotPlacedAgainByUs() {
        var play = play(OBSERVED);
        play.on(new Event.Submitted(a, workers(1, 1), null));
        play.takeEffects();
        play.on(
                new Event.PodSeen(
                        WATCHER, a, Fixtures.pod(OneJob.mark(0), 7, PodPhase.PENDING, null)));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.take(Effect.RankPlaced.class)).isEmpty();
    }

    @Test
    void itsGroupsGoWithThePods() {
        var play = play(OBSERVED);
        play.on(new Event.Submitted(a, workers(1, 1), null));
        play.takeEffects();
        play.on(Fixtures.cancel(a, "enough", null));
        assertThat(play.takeOne(StopPlan.class).backend()).isEqualTo(Backend.VOLCANO);
    }

    @Test
    void anotherBackendDoesNotTakeOverPods() {
        var play = play(OBSERVED);
        play.on(new Event.Submitted(a, workers(1, 1), null));
        play.takeEffects();
        play.on(
                new Event.PoolPut(
                        "default", with(Backing.NONE), new Event.Request("default", "r")));
        var answer = play.takeOne(Effect.Answer.class);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message())
                .isEqualTo(
                        "spec.backend must stay as it is while 1 jobs have pods: suspend them first");
    }

    /** Whose groups went with its end. */
    @Test
    void jobThatHasEndedAndKeepsItsPodsIsNothingInTheWayOfAnotherBackend() {
        var play = play(OBSERVED);
        var one = new OneJob(play, a);
        one.runs(workers(1, 1));
        one.succeed(0);
        assertThat(play.takeOne(StopPlan.class).backend()).isEqualTo(Backend.VOLCANO);
        assertThat(play.ranks(a)).isNotEmpty();
        play.on(
                new Event.PoolPut(
                        "default", with(Backing.NONE), new Event.Request("default", "r")));
        assertThat(play.take(Effect.Answer.class).getLast().outcome())
                .isNotEqualTo(Outcome.REFUSED);
        play.on(new Event.Submitted(job("b", 2), workers(1, 1), null));
        assertThat(play.takeOne(RunPlan.class).pods().getFirst().node()).isNotEmpty();
        play.restart();
        play.passHeard(Duration.ofHours(25), 0);
        assertThat(play.take(StopPlan.class).getLast().job()).isEqualTo(a);
        one.gone(0);
        one.applied(false);
        one.applied(true);
        assertThat(play.ranks(a)).isEmpty();
    }

    @Test
    void groupOfARoleThatHasSucceededIsToldNoMore() {
        var play = play(DELEGATED);
        var waits = after("master", Milestone.SUCCEEDED, role("worker", 2, 1));
        play.on(new Event.Submitted(a, spec("default", role("master", 1, 1), waits), null));
        assertThat(newestGroups(play))
                .containsExactly(group("master", Map.of("master", 1), cpu(1)));
        play.on(new Event.PlanApplied(a, 1, false, List.of()));
        master(play, a, PodPhase.RUNNING, "node-0", null);
        master(play, a, PodPhase.SUCCEEDED, "node-0", 0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(newestGroups(play))
                .containsExactly(group("worker", Map.of("worker", 2), least(2, 2)));
    }

    /** Nothing else would make a plan of it. */
    @Test
    void thatARoleHasSucceededIsToldWhereNobodyWaitsForIt() {
        var play = play(DELEGATED);
        play.on(
                new Event.Submitted(
                        a, spec("default", role("master", 1, 1), role("worker", 1, 2)), null));
        play.on(new Event.PlanApplied(a, 1, false, List.of()));
        master(play, a, PodPhase.RUNNING, "node-0", null);
        var worker = Fixtures.mark("worker", 0, 2);
        play.on(
                new Event.PodSeen(
                        WATCHER, a, Fixtures.pod(worker, 9, PodPhase.RUNNING, "node-0", null)));
        play.takeEffects();
        master(play, a, PodPhase.SUCCEEDED, "node-0", 0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(newestGroups(play))
                .containsExactly(group(null, Map.of("worker", 1), least(2, 1)));
    }

    @Test
    void exitBeforeAllAreBoundIsTheProgramsOwnFault() {
        var play = masterRuns(a, "node-0");
        master(play, a, PodPhase.FAILED, "node-0", 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
        assertThat(play.job(a).past().budgets().infrastructure()).isZero();
    }

    @Test
    void exitOnANodeThatIsNotThePoolsIsTheProgramsOwnFault() {
        var play = masterRuns(a, "elsewhere");
        master(play, a, PodPhase.FAILED, "elsewhere", 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void whatIsBoundToNoNodeOrToAnotherPoolsIsNotForced() {
        var play = masterRuns(a, "elsewhere");
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), new Event.Request("ml/a", "r")));
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).isEmpty();
        assertThat(effects)
                .filteredOn(Effect.Answer.class::isInstance)
                .extracting(effect -> ((Effect.Answer) effect).outcome())
                .containsExactly(Outcome.REFUSED);
    }

    private static @Nullable WaitReason reason(Play play) {
        return ((Queue) play.rows.get(Row.Table.QUEUE).get("default")).reason();
    }

    private static PodGroup group(
            @Nullable String role, Map<String, Integer> minimum, Amounts least) {
        return new PodGroup(role, new TreeMap<>(minimum), least);
    }

    private static Amounts least(long cores, long pods) {
        return Amounts.of(Map.of("cpu", cores * 1000, "pods", pods));
    }
}
