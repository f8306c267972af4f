package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.after;
import static dev.muster.coordinator.core.Fixtures.atLeast;
import static dev.muster.coordinator.core.Fixtures.cpu;
import static dev.muster.coordinator.core.Fixtures.failing;
import static dev.muster.coordinator.core.Fixtures.job;
import static dev.muster.coordinator.core.Fixtures.policy;
import static dev.muster.coordinator.core.Fixtures.role;
import static dev.muster.coordinator.core.Fixtures.spec;
import static dev.muster.coordinator.core.Fixtures.workers;
import static dev.muster.coordinator.core.QueueSpecs.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Backend;
import dev.muster.coordinator.core.model.PoolSpec.Backing;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Effect;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import dev.muster.coordinator.core.state.Effect.StopPlan;
import dev.muster.coordinator.core.state.Grouping.PodGroup;
import dev.muster.coordinator.core.state.Word;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pool whose gangs another scheduler binds. */
class PoolBackendTest {
    private static final Backing OBSERVED = new Backing(Backend.VOLCANO, false, null);
    private static final Backing DELEGATED = new Backing(Backend.VOLCANO, true, "muster");

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
        play.pass(Jobs.GATHER);
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
        play.pass(Jobs.GATHER);
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
    void whatTheBackendSaysIsTheReasonOfAJobThatStarts() {
        var play = play(DELEGATED);
        play.on(new Event.Submitted(a, workers(3, 1), null));
        play.takeEffects();
        play.on(refused(1));
        var waits = play.takeOne(Effect.Waits.class).reason();
        assertThat(waits.code()).isEqualTo(Code.NOT_SCHEDULED);
        assertThat(waits.scope()).isEqualTo("a-a1");
        assertThat(waits.message()).isEqualTo("NotEnoughResources: 0/2 nodes are available");
        assertThat(Word.of(play.job(a).state()).waits()).isEqualTo(waits);
        play.takeEffects();
        play.on(refused(1));
        assertThat(play.takeEffects()).isEmpty();
    }

    @Test
    void whatTheBackendTakesBackIsNoReasonAnyMore() {
        var play = play(DELEGATED);
        play.on(new Event.Submitted(a, workers(3, 1), null));
        play.on(refused(1));
        play.takeEffects();
        play.on(grouped("another-a1", false));
        assertThat(Word.of(play.job(a).state()).reason()).isEqualTo("NotScheduled");
        play.on(grouped("a-a1", false));
        assertThat(Word.of(play.job(a).state()).reason()).isEmpty();
        assertThat(play.take(Effect.Status.class)).hasSize(1);
        assertThat(play.explain(a).orElseThrow().reasons()).isEmpty();
        play.on(refused(1));
        assertThat(play.take(Effect.Waits.class)).hasSize(1);
    }

    @Test
    void aPodMadeAgainThatTheBackendDoesNotBindSaysSo() {
        var play = play(DELEGATED);
        var one = new OneJob(play, a);
        one.runs(failing(policy(Otherwise.POD), workers(2, 1)));
        play.on(refused(1));
        assertThat(Word.of(play.job(a).state()).reason()).isEmpty();
        one.fail(1, 137);
        play.passHeard(Duration.ofSeconds(21), 0);
        play.takeEffects();
        play.on(refused(1));
        assertThat(play.takeOne(Effect.Waits.class).reason().code()).isEqualTo(Code.NOT_SCHEDULED);
        play.restart();
        assertThat(Word.of(play.job(a).state()).reason()).isEqualTo("NotScheduled");
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::message)
                .containsExactly("NotEnoughResources: 0/2 nodes are available");
        one.seeNewest(1, PodPhase.RUNNING, null);
        assertThat(Word.of(play.job(a).state()).reason()).isEmpty();
    }

    @Test
    void whatItSaysOfAnotherAttemptIsNoNews() {
        var play = play(DELEGATED);
        play.on(new Event.Submitted(a, workers(3, 1), null));
        play.takeEffects();
        play.on(refused(2));
        assertThat(play.takeEffects()).isEmpty();
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
                        "another backend cannot take over the pods of 1 jobs: suspend them first");
    }

    @Test
    void exitBeforeAllAreBoundIsTheProgramsOwnFault() {
        var play = masterRuns("node-0");
        master(play, PodPhase.FAILED, "node-0", 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
        assertThat(play.job(a).past().budgets().infrastructure()).isZero();
    }

    @Test
    void exitOnANodeThatIsNotThePoolsIsTheProgramsOwnFault() {
        var play = masterRuns("elsewhere");
        master(play, PodPhase.FAILED, "elsewhere", 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void whatIsBoundToNoNodeOrToAnotherPoolsIsNotForced() {
        var play = masterRuns("elsewhere");
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), new Event.Request("ml/a", "r")));
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).isEmpty();
        assertThat(effects)
                .filteredOn(Effect.Answer.class::isInstance)
                .extracting(effect -> ((Effect.Answer) effect).outcome())
                .containsExactly(Outcome.REFUSED);
    }

    /** Its workers are ordered, and bound to no node yet. */
    private Play masterRuns(String node) {
        return masterRuns(node, Milestone.RUNNING);
    }

    private Play masterRuns(String node, Milestone until) {
        var play = play(DELEGATED);
        var waits = after("master", until, role("worker", 2, 1));
        play.on(new Event.Submitted(a, spec("default", role("master", 1, 1), waits), null));
        play.on(new Event.PlanApplied(a, 1, false, List.of()));
        master(play, PodPhase.RUNNING, node, null);
        play.takeEffects();
        return play;
    }

    private void master(Play play, PodPhase phase, String node, @Nullable Integer exitCode) {
        var mark = Fixtures.mark("master", 0, 1);
        long version = exitCode == null ? 7 : 8;
        play.on(new Event.PodSeen(WATCHER, a, Fixtures.pod(mark, version, phase, node, exitCode)));
    }

    @Test
    void whatItSaysOfALaterStageIsToldWhileTheJobRuns() {
        var play = masterRuns("node-0", Milestone.SUCCEEDED);
        master(play, PodPhase.SUCCEEDED, "node-0", 0);
        play.takeEffects();
        assertThat(refusedOf(play, "a-worker-a1").code()).isEqualTo(Code.NOT_SCHEDULED);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(Word.of(play.job(a).state()).reason()).isEqualTo("NotScheduled");
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::message)
                .containsExactly("NotEnoughResources: 0/2 nodes are available");
    }

    private WaitReason refusedOf(Play play, String group) {
        play.on(
                new Event.GroupSeen(
                        WATCHER,
                        a,
                        1,
                        group,
                        true,
                        "NotEnoughResources",
                        "0/2 nodes are available"));
        return play.takeOne(Effect.Waits.class).reason();
    }

    private Event.GroupSeen refused(int attempt) {
        return new Event.GroupSeen(
                WATCHER, a, attempt, "a-a1", true, "NotEnoughResources", "0/2 nodes are available");
    }

    private Event.GroupSeen grouped(String group, boolean unschedulable) {
        return new Event.GroupSeen(WATCHER, a, 1, group, unschedulable, "", "");
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

    private static Play play(Backing backing) {
        var play = Play.withNodes(4, 4);
        play.on(pool(backing));
        play.on(served());
        play.on(new Event.QueuePut("default", QUEUE, null));
        play.takeEffects();
        return play;
    }

    private static Event served() {
        return new Event.PodManagerAlive("pods-0", Set.of(0), Set.of(Backend.VOLCANO), false);
    }

    private static Event pool(Backing backing) {
        return new Event.PoolPut("default", with(backing), null);
    }

    private static PoolSpec with(Backing backing) {
        return with(Map.of(), backing);
    }

    private static PoolSpec with(Map<String, String> nodeSelector, Backing backing) {
        var plain = PoolSpec.PLAIN;
        return new PoolSpec(
                new TreeMap<>(nodeSelector),
                plain.policy(),
                plain.preemption(),
                plain.priorities(),
                plain.spot(),
                backing);
    }
}
