package dev.muster.coordinator.core.nodes;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.BackedPools;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.fixtures.SpotPods;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gangs that can save, on nodes that are about to go. */
class PoolGoingNodesTest {
    private static final String NOTICE = "aws-node-termination-handler/spot-itn";

    private Play play = Play.withNodes(4);

    @Test
    void gangStaysOnACordonedNodeUntilThereIsRoomElsewhere() {
        var gang = run(1, byFile(workers(2, 2)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        var other = run(2, workers(1, 1));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        play.passHeard(Duration.ofMinutes(5), 0);
        assertThat(play.job(gang).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(gang).past().checkpoint()).isNull();
        play.restart();
        ends(other);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(saving(List.of(gang))).containsExactly(gang);
    }

    @Test
    void gangStaysWhereTheNodeIsNotToGoAnyMore() {
        var gang = run(1, byFile(workers(2, 2)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 4)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(gang).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void asManyGangsLeaveAsFitElsewhereAndTheOthersFollow() {
        var gangs = run(4);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 2)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        var first = saving(gangs);
        assertThat(first).hasSize(2);
        play.restart();
        first.forEach(this::saves);
        assertThat(first)
                .allSatisfy(id ->
                        assertThat(play.job(id).state()).isInstanceOf(JobState.Starting.class));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(saving(gangs)).isEmpty();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 2)));
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(saving(gangs)).hasSize(2).doesNotContainAnyElementsOf(first);
    }

    @Test
    void gangsThatFitElsewhereLeaveAFewAtATime() {
        play = Play.withNodes(40);
        var gangs = run(20);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 40)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 40)));
        assertThat(saving(gangs)).hasSize(Elsewhere.MOST);
        saving(gangs).forEach(this::saves);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(saving(gangs)).hasSize(Elsewhere.MOST);
        saving(gangs).forEach(this::saves);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(saving(gangs)).hasSize(20 - 2 * Elsewhere.MOST);
    }

    @Test
    void allLeaveANodeThatHasAnEndWhateverRoomThereIs() {
        var gangs = run(4);
        var elastic = run(9, ElasticJobs.elastic("default", 1, 1, 2));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        assertThat(saving(gangs)).isEmpty();
        play.on(new Event.NodeSeen(WATCHER, Nodes.tainted("node-0", 4, NOTICE)));
        assertThat(saving(gangs)).isEqualTo(gangs);
        assertThat(play.job(elastic).state()).isInstanceOf(JobState.Queued.class);
    }

    @Test
    void gangThatMayNotStartAgainKeepsNobodyOnItsNode() {
        var gang = run(1, byFile(workers(1, 3)));
        play.on(new Event.QueuePut("other", QueueSpecs.queue(1, false, true, 10), null));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        var other = run(2, byFile(Fixtures.spec("other", Fixtures.role("worker", 1, 4))));
        play.on(new Event.QueuePut("other", QueueSpecs.queue(1, true, true, 10), null));
        play.on(new Event.NodeSeen(WATCHER, Nodes.tainted("node-1", 4, NOTICE)));
        saves(other);
        assertThat(play.job(other).state().isMoving()).isTrue();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));

        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));

        assertThat(saving(List.of(gang))).containsExactly(gang);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void gangThatMightNotStartAgainStaysOnANodeThatMayStay(boolean paused) {
        play.on(new Event.QueuePut("other", QueueSpecs.limited(4), null));
        var gang = run(1, byFile(Fixtures.spec("other", Fixtures.role("worker", 1, 3))));
        var shut = paused ? QueueSpecs.queue(1, true, true, 10) : QueueSpecs.limited(2);
        play.on(new Event.QueuePut("other", shut, null));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(play.job(gang).state()).isInstanceOf(JobState.Running.class);
        play.on(new Event.QueuePut("other", QueueSpecs.limited(4), null));
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(saving(List.of(gang))).containsExactly(gang);
    }

    @Test
    void noticeThatMovesManyGangsIsCarriedOutInSteps() {
        play = Play.withNodes();
        for (int i = 0; i < 3; i++) {
            play.on(new Event.NodeSeen(WATCHER, Nodes.annotated("node-" + i, 100, "x/leaves")));
        }
        var gangs = run(300);
        play.restart();
        var notices = new PoolSpec.Notices(List.of(), List.of(), List.of("x/leaves"));
        var spec = Nodes.noticing(notices);
        play.on(new Event.PoolPut("default", spec, null));
        assertThat(saving(gangs)).isEqualTo(gangs);
        assertThat(play.largestStep()).isBetween(Play.EFFECTS, 500);
    }

    @Test
    void minimumOfAnElasticJobLeavesAsAWholeIfItCanSave() {
        var saves = run(1, byFile(ElasticJobs.elastic("default", 2, 2, 2)));
        var plain = run(2, ElasticJobs.elastic("default", 2, 2, 2));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(saves).state()).isInstanceOf(JobState.Saving.class);
        assertThat(play.job(plain).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void roomThatAGangHasOnOtherNodesCountsForItselfAndForTheNext() {
        var next = run(2, byFile(workers(1, 2)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 2)));
        var first = run(1, byFile(workers(2, 2)));
        assertThat(play.ranks(first)).extracting(r -> r.making().node()).contains("node-1");
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 2)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        assertThat(saving(List.of(first, next))).containsExactly(first);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(saving(List.of(first, next))).containsExactly(first, next);
    }

    /** Behind a head that it may not pass it is on the move, and is told no other reason. */
    @ParameterizedTest
    @CsvSource({"100, false", "5, true"})
    void gangThatWaitsBehindAHeadKeepsItsRoomElsewhereUnlessItHasNoQuota(int limit, boolean moves) {
        var gang = run(1, byFile(workers(1, 3)));
        lane(100);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 6)));
        var other = run(2, byFile(Fixtures.spec("lane", Fixtures.role("worker", 1, 4))));
        run(3, Fixtures.spec("lane", Fixtures.role("worker", 1, 2)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 5)));
        run(4, workers(1, 5));
        run(5, Fixtures.at(1, Fixtures.spec("lane", Fixtures.role("worker", 1, 5))));
        play.on(new Event.NodeSeen(WATCHER, Nodes.tainted("node-1", 6, NOTICE)));
        saves(other);
        lane(limit);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-3", 4)));
        assertThat(play.job(other).state().isMoving()).isTrue();

        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));

        assertThat(!saving(List.of(gang)).isEmpty()).isEqualTo(moves);
    }

    private void lane(long limit) {
        var spec = QueueSpecs.limited(limit);
        var order = spec.order();
        var strict = new QueueSpec.Order(order.kind(), 0, false, order.reserveAfter());
        play.on(new Event.QueuePut("lane", QueueSpecs.with(spec, strict), null));
    }

    @Test
    void gangStaysOfWhichNobodyRunsOnTheNodeAnyMore() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        var gang = run(1, byFile(workers(2, 3)));
        new OneJob(play, gang).succeed(0);
        play.on(new Event.NodeSeen(WATCHER, Nodes.tainted(node(gang, 0), 4, NOTICE)));
        assertThat(play.job(gang).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void gangThatCannotSaveOrSavesAlreadyIsNotLookedAtAgain() {
        var plain = run(1, workers(1, 1));
        var saves = run(2, byFile(workers(1, 1)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.tainted("node-0", 4, NOTICE)));
        assertThat(saving(List.of(plain, saves))).containsExactly(saves);
        assertThat(play.rows(Row.Table.ALARM).keySet()).noneMatch(key -> key.startsWith("GOING"));
    }

    @Test
    void gangThatToleratesTheNoticeStays() {
        var any = new NodeFilter.Toleration("", true, "", null);
        var filter = NodeFilter.of(new TreeMap<>(), List.of(), List.of(any));
        var role = Fixtures.role("worker", 2, Fixtures.cpu(1), filter);
        var gang = run(1, byFile(Fixtures.spec("default", role)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        play.on(new Event.NodeSeen(WATCHER, noticed(Fixtures.node("node-0", 4))));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(gang).state()).isInstanceOf(JobState.Running.class);
    }

    /** The rules of before may have looked at nobody there. */
    @Test
    void newRulesLookAtAllWhoAreOnNodesThatGo() {
        var gang = run(1, byFile(workers(1, 1)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        assertThat(saving(List.of(gang))).isEmpty();
        var going = Alarm.key(Alarm.Kind.GOING, gang.toString());
        var pool = Pool.restore(play.allRows().filter(row -> !row.key().equals(going)).toList());
        var step = pool.on(new Event.CoreVersion("2"), play.now());
        assertThat(step.changes()).extracting(change -> change.key()).contains(going);
        pool.on(new Event.TimePassed(play.now()), play.now());
        var state = pool.explain(gang).orElseThrow().job().state();
        assertThat(state).isInstanceOf(JobState.Saving.class);
    }

    @ParameterizedTest
    @MethodSource
    void whereABackendChoosesTheNodesSomeNodeHasToTakeThePods(Node other, int spot, boolean moves) {
        play = BackedPools.play(BackedPools.DELEGATED);
        play.on(
                new Event.PoolPut(
                        "default", SpotPods.pool(BackedPools.with(BackedPools.DELEGATED)), null));
        play.on(new Event.NodeSeen(WATCHER, other));
        var role = SpotPods.spot(spot, Fixtures.role("worker", 1, 1));
        var gang = bound(1, byFile(Fixtures.spec("default", role)));
        play.on(new Event.NodeSeen(WATCHER, unschedulable("node-0")));
        assertThat(!saving(List.of(gang)).isEmpty()).isEqualTo(moves);
    }

    static Stream<Arguments> whereABackendChoosesTheNodesSomeNodeHasToTakeThePods() {
        var tainted = new Node.Taint("x", "", Node.Effect.NO_SCHEDULE);
        var open = Fixtures.node("node-1", 4);
        return Stream.of(
                argumentSet("open", open, 0, true),
                argumentSet("cordoned", unschedulable("node-1"), 0, false),
                argumentSet("cordoned", Nodes.cordoned("node-1", 4), 0, false),
                argumentSet(
                        "tainted", Nodes.looking(open, open.labels(), List.of(tainted)), 0, false),
                argumentSet("for spot pods", SpotPods.node("node-1", 4), 0, false),
                argumentSet("for spot pods, as it is", SpotPods.node("node-1", 4), 1, true));
    }

    /** It does not know whether there is room for another. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whereABackendChoosesTheNodesTheMinimumStays(boolean ends) {
        play = BackedPools.play(BackedPools.DELEGATED);
        var elastic = bound(1, ElasticJobs.elastic("default", 2, 2, 4));
        var node = unschedulable("node-0");
        play.on(new Event.NodeSeen(WATCHER, ends ? noticed(node) : node));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.ranks(elastic)).hasSize(2).noneMatch(Rank::isLeaving);
    }

    private static Node noticed(Node node) {
        return Nodes.looking(
                node, node.labels(), List.of(new Node.Taint(NOTICE, "", Node.Effect.NO_SCHEDULE)));
    }

    /** Cordoned as Kubernetes' schedulers know it. */
    private static Node unschedulable(String name) {
        var taint = new Node.Taint("node.kubernetes.io/unschedulable", "", Node.Effect.NO_SCHEDULE);
        var node = Nodes.cordoned(name, 4);
        return Nodes.looking(node, node.labels(), List.of(taint));
    }

    /** A backend has bound all of its pods to the first node. */
    private JobId bound(int number, JobSpec spec) {
        var id = job("j%03d".formatted(number), number);
        var one = new OneJob(play, id);
        play.on(new Event.Submitted(id, spec, null));
        one.applied(false);
        for (int i = 0; i < spec.pods(); i++) {
            var pod =
                    Fixtures.pod(
                            one.newest(i), one.nextVersion(), Event.PodPhase.RUNNING, "node-0");
            play.on(new Event.PodSeen(WATCHER, id, pod));
        }
        assertThat(play.job(id).state()).isInstanceOf(JobState.Running.class);
        return id;
    }

    private String node(JobId id, int index) {
        return new OneJob(play, id).rank(index).making().node();
    }

    /** So many gangs of one core each. */
    private List<JobId> run(int gangs) {
        return IntStream.range(0, gangs).mapToObj(i -> run(10 + i, byFile(workers(1, 1)))).toList();
    }

    private JobId run(int number, JobSpec spec) {
        var id = job("j%03d".formatted(number), number);
        var one = new OneJob(play, id);
        play.on(new Event.Submitted(id, spec, null));
        if (!(play.job(id).state() instanceof JobState.Queued)) {
            one.applied(false);
            for (int i = 0; i < spec.pods(); i++) {
                one.see(i, Event.PodPhase.RUNNING, null);
            }
            assertThat(play.job(id).state()).isInstanceOf(JobState.Running.class);
        }
        return id;
    }

    private List<JobId> saving(List<JobId> gangs) {
        var saving = new ArrayList<JobId>();
        for (var id : gangs) {
            if (play.job(id).state() instanceof JobState.Saving) {
                saving.add(id);
            }
        }
        return saving;
    }

    private void saves(JobId id) {
        new Asking(play, id).answer(true);
        goes(id);
    }

    private void ends(JobId id) {
        play.on(Fixtures.cancel(id, "", null));
        goes(id);
    }

    private void goes(JobId id) {
        var one = new OneJob(play, id);
        one.applied(false);
        one.gone(0);
        if (play.job(id).state() instanceof JobState.Stopping) {
            one.applied(true);
        }
    }
}
