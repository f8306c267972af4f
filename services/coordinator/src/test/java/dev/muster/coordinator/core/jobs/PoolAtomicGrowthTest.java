package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.launched;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Planned.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Backend;
import dev.muster.coordinator.core.model.PoolSpec.Backing;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Scaling.Stage;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an atomic command is to bring waits for room; what its job had before does not. */
class PoolAtomicGrowthTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration LOST = FailurePolicy.PLAIN.nodeLost().after().plus(MINUTE);

    private final JobId a = job("a", 1);

    @Test
    void whoIsLostHasASuccessorAtOnce() {
        var play = Play.withNodes(1, 1);
        var one = new OneJob(play, a);
        one.runs(elastic("default", 2, 2, 8));
        node(play, "node-2", 1);
        grow(play, 4);
        var node = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 1)));
        play.passHeard(LOST, 0);
        assertThat(members(play)).containsExactly("worker-0", "worker-2");
        assertThat(one.rank(2).making().node()).isEqualTo("node-2");
        assertThat(stage(play)).isEqualTo(Stage.WAITING);
        play.restart();
    }

    @Test
    void whoLeftANodeThatGoesComesElsewhereAgain() {
        var play = Play.withNodes(2, 2);
        var one = new OneJob(play, a);
        one.runs(elastic("default", 2, 4, 8));
        node(play, "node-2", 1);
        grow(play, 4);
        var node = one.rank(3).making().node();
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(node, 2)));
        assertThat(members(play)).hasSize(3);
        play.restart();
        node(play, "node-3", 1);
        assertThat(members(play)).hasSize(4).noneMatch(name -> isOn(play, name, node));
        assertThat(stage(play)).isEqualTo(Stage.WAITING);
    }

    @Test
    void ofTheMinimumOneLeavesForEachThatComesElsewhere() {
        var play = Play.withNodes(3);
        var one = new OneJob(play, a);
        one.runs(elastic("default", 3, 3, 6));
        node(play, "node-1", 2);
        grow(play, 3);
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 3)));
        assertThat(members(play)).containsExactly("worker-0", "worker-3", "worker-4");
        // None of them is the command's: they stay when it is given up.
        play.on(new Event.ChangeAsked(a, Change.Withdraw.ANY, null));
        assertThat(members(play)).containsExactly("worker-0", "worker-3", "worker-4");
        assertThat(joined(play)).containsOnly(0L);
    }

    @Test
    void whatWasGivenBackComesPodByPod() {
        var play = Play.withNodes(4, 1);
        var one = new OneJob(play, a);
        one.runs(elastic("default", 2, 5, 8));
        var b = job("b", 2);
        play.on(new Event.Submitted(b, Fixtures.workers(2, 1), null));
        grow(play, 3);
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(members(play)).hasSize(3);
        one.gone(3);
        one.gone(4);
        node(play, "node-2", 1);
        assertThat(members(play)).hasSize(4);
        node(play, "node-3", 3);
        assertThat(members(play)).as("three for the command have to fit").hasSize(5);
        node(play, "node-4", 1);
        assertThat(members(play)).hasSize(8);
    }

    @Test
    void gangThatStartsAgainHasWhatItHadAsRoomComes() {
        var play = Play.withNodes(4);
        var one = new OneJob(play, a);
        one.runs(elastic("default", 2, 4, 8));
        grow(play, 4);
        play.on(new Event.ChangeAsked(a, new Change.Suspend(Duration.ZERO, ""), null));
        one.applied(false);
        for (int i = 0; i < 4; i++) {
            one.gone(i);
        }
        one.applied(true);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Suspended.class);
        node(play, "node-0", 3);
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        assertThat(members(play)).hasSize(3);
        assertThat(stage(play)).isEqualTo(Stage.WAITING);
    }

    @Test
    void whatComesInThePlaceOfALostOneIsNotGivenBackWithWhatTheCommandBrought() {
        var play = Play.withNodes(1, 1, 1);
        var one = new OneJob(play, a);
        one.runs(elastic("default", 2, 2, 8));
        grow(play, 2);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(1).making().node(), 1)));
        play.passHeard(LOST, 0);
        one.seeNewest(2, PodPhase.RUNNING, null);
        node(play, "node-3", 2);
        assertThat(members(play)).containsExactly("worker-0", "worker-2", "worker-3", "worker-4");
        assertThat(joined(play)).containsExactly(0L, 0L, number(play), number(play));
        one.seeNewest(3, PodPhase.RUNNING, null);
        one.seeNewest(4, PodPhase.FAILED, 42);
        assertThat(stage(play)).isEqualTo(Stage.FAILED);
        assertThat(members(play)).containsExactly("worker-0", "worker-2");
    }

    @Test
    void whoFailedMayGoBeforeTheOthersThatTheCommandBrought() {
        var play = Play.withNodes(1, 1, 1, 1);
        var one = new OneJob(play, a);
        one.runs(elastic("default", 1, 2, 8));
        grow(play, 2);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(1).making().node(), 1)));
        one.seeNewest(3, PodPhase.RUNNING, null);
        play.passHeard(LOST, 0);
        assertThat(members(play)).containsExactly("worker-0", "worker-2", "worker-3");
        one.seeNewest(2, PodPhase.FAILED, 42);
        assertThat(stage(play)).isEqualTo(Stage.FAILED);
        assertThat(members(play)).containsExactly("worker-0", "worker-3");
    }

    @Test
    void whoComesInThePlaceOfAnotherIsListedAtOnce() {
        var play = Play.withNodes(1, 1, 1);
        var one = new OneJob(play, a);
        runsWithLauncher(play, one, launched("default", 2, 2, 6));
        node(play, "node-3", 1);
        grow(play, 3);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(1).making().node(), 1)));
        play.passHeard(LOST, 0);
        one.seeNewest(2, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(play.take(RunPlan.class).getLast()))
                .containsExactly("worker-0", "worker-2");
        assertThat(stage(play)).isEqualTo(Stage.WAITING);
    }

    /** A backend binds what the command brings together, and whoever was there before alone. */
    @Test
    void backendMayBindAPodThatIsMadeAgainBeforeThereIsRoomForTheCommand() {
        var play = Play.withNodes(4);
        var backing = new Backing(Backend.VOLCANO, true, null);
        play.on(new Event.PoolPut("default", backed(backing), null));
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0), Set.of(Backend.VOLCANO), false));
        var one = new OneJob(play, a);
        one.runs(elastic("default", 2, 3, 6));
        grow(play, 2);
        assertThat(boundTogether(play)).isEqualTo(5);
        one.seeNewest(2, PodPhase.FAILED, 137);
        one.gone(2);
        play.pass(MINUTE);
        assertThat(boundTogether(play)).isEqualTo(2);
        one.seeNewest(2, PodPhase.RUNNING, null);
        assertThat(boundTogether(play)).isEqualTo(5);
        one.seeNewest(3, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(RunPlan.class)).isEmpty();
    }

    private int boundTogether(Play play) {
        play.pass(Jobs.PUBLISH_DELAY);
        var groups = play.take(RunPlan.class).getLast().grouping().groups();
        return groups.getFirst().minimum().get("worker");
    }

    private static PoolSpec backed(Backing backing) {
        var plain = PoolSpec.PLAIN;
        return new PoolSpec(
                plain.nodeSelector(),
                plain.policy(),
                plain.preemption(),
                plain.priorities(),
                plain.spot(),
                backing);
    }

    private void runsWithLauncher(Play play, OneJob one, JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        var launcher = new RankId(JobSpec.LAUNCHER, 0);
        var making = rank(play, launcher.toString()).making();
        var mark = new Event.PodMark(launcher, 1, making.incarnation(), 1, "launcher");
        var pod = Fixtures.pod(mark, 99, PodPhase.RUNNING, making.node());
        play.on(new Event.PodSeen(WATCHER, a, pod));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    private void grow(Play play, int more) {
        play.on(new Event.ChangeAsked(a, new ScaleOut("worker", more, Terms.PLAIN), null));
    }

    private static void node(Play play, String name, long cores) {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(name, cores)));
    }

    private List<Rank> workers(Play play) {
        return play.ranks(a).stream()
                .filter(rank -> rank.id().role().equals("worker") && !rank.isLeaving())
                .toList();
    }

    private List<String> members(Play play) {
        return workers(play).stream().map(rank -> rank.id().toString()).toList();
    }

    private List<Long> joined(Play play) {
        return workers(play).stream().map(rank -> rank.tenure().joined()).toList();
    }

    private Rank rank(Play play, String name) {
        return play.ranks(a).stream()
                .filter(rank -> rank.id().toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private boolean isOn(Play play, String name, String node) {
        return rank(play, name).making().node().equals(node);
    }

    private Scaling scaling(Play play) {
        return play.job(a).past().scaling();
    }

    private long number(Play play) {
        return scaling(play).number();
    }

    private Stage stage(Play play) {
        return scaling(play).stage();
    }
}
