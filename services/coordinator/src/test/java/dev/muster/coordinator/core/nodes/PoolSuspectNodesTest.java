package dev.muster.coordinator.core.nodes;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Node.Trust;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.NodeHealth;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Selector;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes on which something failed that was no job's fault. */
class PoolSuspectNodesTest {
    private static final Duration HALF_LIFE = NodeHealth.USUAL.halfLife();

    private final Play play = Play.withNodes(4, 4);
    private int submitted;

    @Test
    void nodeOnWhichAPodWasLostIsChosenLast() {
        assertThat(nodesOf(run(workers(1, 1)))).containsExactly("node-0");
        lose("node-0");
        assertThat(nodesOf(run(workers(1, 1)))).containsExactly("node-1");
        assertThat(trust("node-0")).isEqualTo(Trust.SUSPECT);
        play.restart();
        assertThat(nodesOf(run(workers(3, 1)))).containsExactly("node-1");
        assertThat(nodesOf(run(workers(3, 1)))).containsExactly("node-0");
    }

    @Test
    void gangTakesOfSuspectNodesOnlyWhatItLacksElsewhere() {
        lose("node-0");
        var gang = run(workers(5, 1));
        assertThat(ranks(gang)).filteredOn(r -> r.making().node().equals("node-0")).hasSize(1);
    }

    @Test
    void gangThatLostAPodIsMadeAnewElsewhere() {
        var gang = run(workers(2, 1));
        var one = new OneJob(play, gang);
        one.gone(0);
        one.gone(1);
        one.applied(false);
        one.applied(true);
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(play.job(gang).fences().attempt()).isEqualTo(2);
        assertThat(nodesOf(gang)).containsExactly("node-1");
    }

    @Test
    void nodeThatWasReadyAndIsNotIsSuspectOnceItIsBack() {
        flap("node-0");
        assertThat(suspicion("node-0"))
                .isEqualTo(
                        new Suspicion(
                                "node-0",
                                1000,
                                NOON,
                                Trust.SUSPECT,
                                NOON,
                                "NotReady",
                                "it was ready, and was not any more"));
        assertThat(nodesOf(run(workers(1, 1)))).containsExactly("node-1");
    }

    @Test
    void whatIsLostWithANodeThatIsNotReadyIsOneFailure() {
        var gangs = List.of(run(workers(1, 1)), run(workers(1, 1)));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-0", 4)));
        play.passHeard(Duration.ofMinutes(6), 0);
        gangs.forEach(gang -> new OneJob(play, gang).gone(0));
        assertThat(suspicion("node-0").last()).isEqualTo(NOON);
    }

    @Test
    void whatHappensToANodeThatGoesIsNotHeldAgainstIt() {
        var gang = run(workers(1, 1));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        new OneJob(play, gang).gone(0);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-0", 4)));
        assertThat(play.rows.get(Row.Table.SUSPICION)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Evicted", "Preempted", "NodeShutdown", "OOMKilled"})
    void whatOthersOrTheJobDidIsNotHeldAgainstTheNode(String reason) {
        fails(run(workers(1, 1)), reason);
        assertThat(play.rows.get(Row.Table.SUSPICION)).isNull();
    }

    @Test
    void deviceThatTheKubeletCannotGiveIsHeldAgainstTheNode() {
        var id = run(workers(1, 1));
        fails(id, "UnexpectedAdmissionError");
        assertThat(suspicion("node-0").reason()).isEqualTo("UnexpectedAdmissionError");
        assertThat(suspicion("node-0").message()).startsWith(id.fullName() + ": worker-0");
    }

    @Test
    void whatAPolicyBlamesTheNodeForIsHeldAgainstItByThePool() {
        var rule = Fixtures.rule(new Action.ExcludeNode());
        var id = run(failing(policy(Otherwise.GANG, rule), workers(1, 1)));
        new OneJob(play, id).fail(0, 77);
        assertThat(play.rows.get(Row.Table.SUSPICION)).isNull();
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(suspicion("node-0").message())
                .isEqualTo(id.fullName() + ": worker-0 exited with 77");
    }

    @Test
    void nodeIsReliedOnAgainOnceItsFailureHasFaded() {
        lose("node-0");
        play.takeEffects();
        play.pass(SuspectNodes.GATHER_WITHIN);
        assertThat(play.takeOne(Effect.PoolState.class).suspects())
                .extracting(Suspicion::node)
                .containsExactly("node-0");
        play.pass(HALF_LIFE.minus(SuspectNodes.GATHER_WITHIN).minusMillis(1));
        assertThat(trust("node-0")).isEqualTo(Trust.SUSPECT);
        play.pass(Duration.ofMillis(1));
        assertThat(trust("node-0")).isEqualTo(Trust.TRUSTED);
        assertThat(play.rows.get(Row.Table.SUSPICION)).isEmpty();
        play.pass(SuspectNodes.GATHER_WITHIN);
        assertThat(play.take(Effect.PoolState.class))
                .last()
                .matches(state -> state.suspect() == 0 && state.suspects().isEmpty());
    }

    @Test
    void nodeThatLeavesAndComesBackIsStillSuspect() {
        lose("node-0");
        play.on(new Event.NodeReleased(WATCHER, "node-0"));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 4)));
        assertThat(trust("node-0")).isEqualTo(Trust.SUSPECT);
    }

    @Test
    void excludedNodeIsNotChosenUntilSomebodyHasItForgotten() {
        remember(new NodeHealth(HALF_LIFE, 2));
        twice("node-0");
        assertThat(trust("node-0")).isEqualTo(Trust.EXCLUDED);
        play.restart();
        run(workers(4, 1));
        var waiting = submit(workers(1, 1));
        assertThat(((JobState.Queued) play.job(waiting).state()).reason().nearest())
                .contains(
                        new WaitReason.Lack(
                                "node-0", "is excluded for a while after what failed there"));
        play.takeEffects();
        var request = new Event.Request("r", "default");
        play.on(new Event.BulkAsked(whole(), new Change.Include("node-0"), request));
        assertThat(play.takeOne(Effect.BulkDone.class).counts().nodes()).isEqualTo(1);
        assertThat(nodesOf(waiting)).containsExactly("node-0");
    }

    @Test
    void excludedNodeIsChosenLastOnceHalfIsForgotten() {
        remember(new NodeHealth(HALF_LIFE, 2));
        twice("node-0");
        run(workers(4, 1));
        var waiting = submit(workers(1, 1));
        play.passHeard(HALF_LIFE, 0);
        assertThat(trust("node-0")).isEqualTo(Trust.SUSPECT);
        assertThat(nodesOf(waiting)).containsExactly("node-0");
    }

    @Test
    void podsThatRunOnANodeThatIsExcludedStayThere() {
        remember(new NodeHealth(HALF_LIFE, 1));
        var runs = run(workers(1, 1));
        lose("node-0");
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(trust("node-0")).isEqualTo(Trust.EXCLUDED);
        assertThat(play.job(runs).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void ranksOnSuspectNodesAreTakenOutFirst() {
        var id = run(ElasticJobs.elastic("default", 2, 8, 8));
        flap("node-0");
        var terms = new Change.Terms(Duration.ZERO, false, Duration.ZERO, false);
        var fewer = new Change.SetReplicas("worker", 6, terms);
        play.on(new Event.ChangeAsked(id, fewer, null));
        assertThat(ranks(id))
                .filteredOn(Rank::isLeaving)
                .hasSize(2)
                .allMatch(rank -> rank.making().node().equals("node-0"));
    }

    @Test
    void holdOnANodeThatIsExcludedIsGivenUp() {
        remember(new NodeHealth(HALF_LIFE, 1));
        var both = List.of(run(workers(1, 3)), run(workers(1, 3)));
        var waiting = submit(workers(1, 4));
        play.passHeard(Duration.ofMinutes(6), 0);
        var held = ((Hold.Room) play.rows.get(Row.Table.HOLD_ROOM).firstEntry().getValue()).node();
        assertThat(play.job(waiting).state()).isInstanceOf(JobState.Queued.class);
        assertThat(both).hasSize(2);
        flap(held);
        assertThat(play.rows.get(Row.Table.HOLD_ROOM).values())
                .extracting(row -> ((Hold.Room) row).node())
                .doesNotContain(held);
    }

    @Test
    void pieceOfAPoolsJobsDoesNotHaveItsMemoryForgotten() {
        lose("node-0");
        var some = new Selector(null, "ml", new TreeMap<>());
        play.on(new Event.BulkAsked(some, new Change.Include(null), null));
        assertThat(trust("node-0")).isEqualTo(Trust.SUSPECT);
    }

    @Test
    void poolThatIsToRememberNothingForgetsAll() {
        lose("node-0");
        remember(new NodeHealth(Duration.ZERO, 0));
        assertThat(trust("node-0")).isEqualTo(Trust.TRUSTED);
        flap("node-1");
        assertThat(play.rows.get(Row.Table.SUSPICION)).isEmpty();
        assertThat(play.rows.get(Row.Table.ALARM).keySet())
                .noneMatch(key -> key.startsWith("NODE_HEALTH"));
    }

    @Test
    void otherSettingsJudgeWhatIsRememberedAnew() {
        twice("node-0");
        assertThat(trust("node-0")).isEqualTo(Trust.SUSPECT);
        remember(new NodeHealth(HALF_LIFE, 1));
        assertThat(trust("node-0")).isEqualTo(Trust.EXCLUDED);
        remember(new NodeHealth(HALF_LIFE, 0));
        assertThat(trust("node-0")).isEqualTo(Trust.SUSPECT);
    }

    @Test
    void backendThatChoosesTheNodesIsToldWhichAreExcluded() {
        var spec = new PoolSpec.Backing(PoolSpec.Backend.VOLCANO, false, null);
        var volcano = Nodes.remembering(new NodeHealth(HALF_LIFE, 1), spec);
        play.on(new Event.PoolPut("default", volcano, null));
        var served = Set.of(PoolSpec.Backend.VOLCANO);
        play.on(new Event.PodManagerAlive("pods", Set.of(0), served, false));
        flap("node-0");
        play.takeEffects();
        submit(workers(1, 1));
        assertThat(play.take(Effect.RunPlan.class).getFirst().grouping().avoided())
                .containsExactly("node-0");
    }

    @Test
    void outageOfAllNodesIsPublishedTogetherAndNamesAFew() {
        var large = Play.withNodes(new long[150]);
        for (int i = 0; i < 150; i++) {
            large.on(new Event.NodeSeen(WATCHER, Chance.unready("node-" + i, 0)));
        }
        large.pass(SuspectNodes.GATHER_WITHIN);
        var state = large.takeOne(Effect.PoolState.class);
        assertThat(state.suspect()).isEqualTo(150);
        assertThat(state.suspects()).hasSize(PoolStates.NAMED);
    }

    private void remember(NodeHealth health) {
        var spec = Nodes.remembering(health, PoolSpec.Backing.NONE);
        play.on(new Event.PoolChange("default", spec, new TreeSet<>(List.of("nodeHealth")), null));
    }

    private static Selector whole() {
        return new Selector(null, null, new TreeMap<>());
    }

    private JobId submit(JobSpec spec) {
        var id = job("j" + submitted, ++submitted);
        play.on(new Event.Submitted(id, spec, null));
        return id;
    }

    private JobId run(JobSpec spec) {
        var id = submit(spec);
        var one = new OneJob(play, id);
        one.applied(false);
        for (int i = 0; i < spec.pods(); i++) {
            one.see(i, PodPhase.RUNNING, null);
        }
        assertThat(play.job(id).state()).isInstanceOf(JobState.Running.class);
        return id;
    }

    /** A job is made to run there, loses its pod, and is gone. */
    private void lose(String node) {
        var filter =
                NodeFilter.of(
                        new TreeMap<>(Map.of("kubernetes.io/hostname", node)),
                        List.of(new NodeFilter.Term(List.of(HERE))),
                        List.of(new NodeFilter.Toleration("", true, "", null)));
        var pods = Fixtures.role("worker", 1, Fixtures.cpu(0), filter);
        var id = submit(failing(Fixtures.NO_RESTARTS, Fixtures.spec("default", pods)));
        if (play.job(id).state() instanceof JobState.Starting) {
            new OneJob(play, id).see(0, PodPhase.RUNNING, null);
            new OneJob(play, id).gone(0);
        }
    }

    private static final NodeFilter.Requirement HERE =
            new NodeFilter.Requirement(
                    "kubernetes.io/hostname", NodeFilter.Operator.EXISTS, List.of(), false);

    private void twice(String node) {
        flap(node);
        play.passHeard(Suspicion.SAME_FAILURE_WITHIN, 0);
        flap(node);
    }

    private void flap(String node) {
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 4)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 4)));
    }

    private void fails(JobId id, String reason) {
        var node = ranks(id).getFirst().making().node();
        var plain = Fixtures.pod(OneJob.mark(0), 999, PodPhase.FAILED, node);
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        id,
                        new Event.Pod(
                                plain.mark(),
                                plain.resourceVersion(),
                                plain.phase(),
                                node,
                                false,
                                false,
                                false,
                                null,
                                null,
                                reason,
                                "so it says",
                                null)));
    }

    private List<Rank> ranks(JobId id) {
        return play.rows.get(Row.Table.RANK).values().stream()
                .map(Rank.class::cast)
                .filter(rank -> rank.job().equals(id))
                .toList();
    }

    private Set<String> nodesOf(JobId id) {
        return ranks(id).stream()
                .map(rank -> rank.making().node())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Trust trust(String node) {
        return ((Node) play.rows.get(Row.Table.NODE).get(node)).trust();
    }

    private Suspicion suspicion(String node) {
        return (Suspicion) play.rows.get(Row.Table.SUSPICION).get(node);
    }
}
