package dev.muster.coordinator.core.nodes;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.launched;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Topology;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Elastic jobs at their minima leave nodes that go, one for each that comes elsewhere. */
class PoolLeavingNodesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String NOTICE = "aws-node-termination-handler/spot-itn";

    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @ParameterizedTest
    @CsvSource({"3, 6, true", "3, 6, false", "3, 3, true", "3, 3, false"})
    void workersOfTheMinimumLeaveAsOthersComeElsewhere(int min, int max, boolean ends) {
        one.runs(elastic("default", min, 3, max));
        node("node-1", 4);
        goes("node-0", ends);
        assertThat(on("node-0")).containsExactly("worker-0");
        assertThat(on("node-1")).containsExactly("worker-3", "worker-4");
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().budgets()).isEqualTo(Budgets.UNTOUCHED);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(Effect.RunPlan.class))
                .singleElement()
                .satisfies(plan ->
                        assertThat(plan.pods().stream().map(pod -> pod.rank().toString()))
                                .containsExactly("worker-0", "worker-3", "worker-4"));
        play.passHeard(MINUTE, 0);
        assertThat(members()).isEqualTo(3);
    }

    @Test
    void whoIsOfTheMinimumStaysUntilThereIsRoomElsewhere() {
        one.runs(elastic("default", 3, 3, 6));
        goes("node-0", true);
        assertThat(on("node-0")).hasSize(3);
        node("node-1", 1);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(on("node-0")).containsExactly("worker-0", "worker-1");
        play.restart();
        node("node-2", 1);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(on("node-0")).containsExactly("worker-0");
    }

    /** Only some are tried at a time, by name. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoFindsNoRoomKeepsNobodyBackForWhomThereIs(boolean elastic) {
        node("node-0", 100);
        var large = Fixtures.role("worker", 2, 2);
        var stuck = Fixtures.spec("default", large);
        for (int i = 0; i < 18; i++) {
            var spec = elastic ? ElasticJobs.elastic(2, 2, stuck) : byFile(stuck);
            new OneJob(play, job("a%02d".formatted(i), 10 + i)).runs(spec);
        }
        var z = job("z", 2);
        new OneJob(play, z).runs(elastic("default", 3, 3, 6));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 100)));
        play.passHeard(MINUTE, 0);
        node("node-1", 1);
        play.restart();
        play.passHeard(MINUTE, 0);
        assertThat(play.ranks(z)).anyMatch(rank -> rank.making().node().equals("node-1"));
    }

    @Test
    void whoIsOfTheMinimumStaysWhereAnotherHasNoQuota() {
        play.on(new Event.QueuePut("small", QueueSpecs.limited(3), null));
        one.runs(elastic("small", 3, 3, 6));
        node("node-1", 4);
        goes("node-0", true);
        play.passHeard(MINUTE, 0);
        assertThat(on("node-0")).hasSize(3);
    }

    /** Nor does it leave, however many may: the job's success is that of all. */
    @ParameterizedTest
    @CsvSource({"1, true", "1, false", "3, true", "3, false"})
    void nobodyComesInThePlaceOfOneWhoseWorkIsNearlyDone(int min, boolean ends) {
        one.runs(elastic("default", min, 3, 6));
        one.succeed(1);
        node("node-1", 4);
        goes("node-0", ends);
        play.passHeard(MINUTE, 0);
        assertThat(on("node-0")).hasSize(3);
        one.succeed(0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        one.succeed(2);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUCCEEDED);
    }

    /** A cordon ends nothing; with the node all would be lost that was not saved. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jobWhoseWorkIsNearlyDoneStartsAgainElsewhereOnlyWhereItsNodeEnds(boolean ends) {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        one.succeed(1);
        node("node-1", 4);
        goes("node-0", ends);
        play.passHeard(MINUTE, 0);
        assertThat(on("node-0")).hasSize(3);
        assertThat(play.job(a).state() instanceof JobState.Saving).isEqualTo(ends);
    }

    @Test
    void nodeThatStaysAfterAllKeepsWhoIsThere() {
        one.runs(elastic("default", 3, 3, 6));
        goes("node-0", false);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 4)));
        node("node-1", 4);
        play.passHeard(MINUTE, 0);
        assertThat(on("node-0")).hasSize(3);
    }

    /** It need not start again as a whole where one worker can move. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jobThatSavesIsAskedAndGoesOn(boolean ends) {
        node("node-1", 4);
        one.runs(byFile(apart("default", 2)));
        node("node-2", 4);
        goes(one.rank(1).making().node(), ends);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(one.rank(1).isLeaving()).isTrue();
        assertThat(one.rank(2).making().node()).isEqualTo("node-2");
        assertThat(play.job(a).defers(one.rank(1))).isTrue();
        assertThat(play.job(a).defers(one.rank(2))).isTrue();
        new Asking(play, a).answer(true);
        play.pass(Jobs.PUBLISH_DELAY);
        var plan = play.take(Effect.RunPlan.class).getLast();
        assertThat(plan.pods().stream().map(pod -> pod.rank().toString()))
                .containsExactly("worker-0", "worker-2");
        assertThat(play.job(a).fences().attempt()).isEqualTo(1);
    }

    /** More of it may come once there is quota, and the whole may go now. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void jobThatSavesStartsAgainAsAWholeWhereItHasNoQuotaForAnother(int wished) {
        play.on(new Event.QueuePut("small", QueueSpecs.limited(2), null));
        node("node-1", 4);
        runs(byFile(apart("small", wished)), 2);
        node("node-2", 4);
        goes(one.rank(1).making().node(), false);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    @Test
    void jobThatSavesAndHasToLieTogetherStartsAgainAsAWholeWhereAllOfItHasRoom() {
        var together = new Topology(Topology.Policy.REQUIRE, Zones.ZONE);
        play.on(Zones.node("a-0", "a", 1));
        play.on(Zones.node("a-1", "a", 1));
        runs(Fixtures.lying(together, byFile(elastic("default", 2, 3, 3))), 2);
        play.on(Zones.node("b-0", "b", 4));
        play.on(Zones.cordoned(one.rank(1).making().node(), "a", 1));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    @Test
    void jobThatSavesGivesUpWhatIsBeyondItsMinimumBeforeAllOfItLeaves() {
        var node = firstApart();
        goes(node, true);
        assertThat(on(node)).containsExactly("worker-1");
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        new Asking(play, a).answer(true);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    @Test
    void jobWhoseWorkIsNearlyDoneIsNotLostWithTheNodeOfItsLastWorkers() {
        var node = firstApart();
        one.succeed(2);
        goes(node, true);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    /** Four workers run, of which two are its minimum; where all but the first are. */
    private String firstApart() {
        node("node-0", 1);
        node("node-1", 1);
        runs(byFile(elastic("default", 2, 4, 4)), 2);
        var node = one.rank(1).making().node();
        node(node, 3);
        for (int i = 2; i < 4; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        assertThat(on(node)).containsExactly("worker-1", "worker-2", "worker-3");
        return node;
    }

    @Test
    void onlyWorkerOfALauncherThatSavesIsStartedAgainWithIt() {
        node("node-0", 1);
        node("node-1", 1);
        runs(byFile(launched("default", 1, 1, 1)), 1);
        play.on(new Event.PodSeen(WATCHER, a, launcher()));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        node("node-2", 4);
        goes("node-0", false);
        assertThat(on("node-0")).containsExactly("worker-0");
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    @Test
    void whereALauncherIsMetNoWorkerStaysButTheLastThatRuns() {
        runs(launched("default", 2, 3, 6), 3);
        node("node-1", 4);
        goes("node-0", false);
        assertThat(on("node-0")).containsExactly("worker-0");
        one.seeNewest(3, PodPhase.RUNNING, null);
        assertThat(on("node-0")).isEmpty();
        assertThat(members()).isEqualTo(3);
    }

    /** Saved or not: it does not start again as a whole when others are on their way. */
    @Test
    void lastThatRunsWaitsForThoseThatCome() {
        node("node-0", 3);
        node("node-1", 1);
        runs(byFile(launched("default", 3, 3, 6)), 3);
        play.on(new Event.PodSeen(WATCHER, a, launcher()));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        node("node-2", 4);
        goes("node-0", false);
        new Asking(play, a).answer(true);
        play.passHeard(GoingNodes.CHECK_INTERVAL.multipliedBy(2), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(on("node-0")).containsExactly("worker-0");
        one.seeNewest(3, PodPhase.RUNNING, null);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(on("node-0")).isEmpty();
    }

    private Event.Pod launcher() {
        var rank =
                play.ranks(a).stream()
                        .filter(other -> other.id().role().equals(JobSpec.LAUNCHER))
                        .findFirst()
                        .orElseThrow();
        var making = rank.making();
        var mark =
                new Event.PodMark(rank.id(), making.attempt(), making.incarnation(), 1, "launcher");
        return Fixtures.pod(mark, 99, PodPhase.RUNNING, making.node(), null);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 2, 2"})
    void onlyWorkerOfALauncherStaysUntilAnotherRuns(int wished, int max, int members) {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 2)));
        runs(launched("default", 1, wished, max), 1);
        node("node-1", 4);
        goes("node-0", true);
        assertThat(on("node-0")).containsExactly("worker-0");
        play.passHeard(MINUTE, 0);
        assertThat(on("node-0")).containsExactly("worker-0");
        assertThat(members()).isEqualTo(members);
    }

    @Test
    void whoStaysAfterAllOnANodeThatGoesLeavesIt() {
        one.runs(elastic("default", 2, 4, 4));
        node("node-1", 4);
        var terms = new Change.Terms(Duration.ZERO, true, MINUTE, false);
        var names = new TreeSet<>(List.of("worker-3"));
        change(new Change.ScaleIn("worker", 0, names, terms));
        goes("node-0", true);
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(one.rank(3).isLeaving()).isTrue();
        change(Change.Withdraw.ANY);
        assertThat(on("node-0")).containsExactly("worker-0");
        play.passHeard(MINUTE, 0);
        assertThat(on("node-0")).containsExactly("worker-0");
        assertThat(members()).isEqualTo(4);
    }

    private void change(Change change) {
        play.on(new Event.ChangeAsked(a, change, null));
    }

    /** Each of its workers has a node of its own. */
    private static JobSpec apart(String queue, int wished) {
        var spec = elastic(queue, 2, wished, 4);
        return Respec.roles(spec, role -> Respec.pods(role, role.filter(), true));
    }

    private void runs(JobSpec spec, int workers) {
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        for (int i = 0; i < workers; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Jobs.PUBLISH_DELAY);
    }

    private void node(String name, long cores) {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(name, cores)));
    }

    private void goes(String node, boolean ends) {
        play.on(
                new Event.NodeSeen(
                        WATCHER, ends ? Nodes.tainted(node, 4, NOTICE) : Nodes.cordoned(node, 4)));
    }

    private List<Rank> workers() {
        return play.ranks(a).stream()
                .filter(rank -> rank.id().role().equals("worker") && !rank.isLeaving())
                .toList();
    }

    private int members() {
        return workers().size();
    }

    private List<String> on(String node) {
        return workers().stream()
                .filter(rank -> rank.making().node().equals(node))
                .map(rank -> rank.id().toString())
                .toList();
    }
}
