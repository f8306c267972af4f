package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.HookedJob;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Backend;
import dev.muster.coordinator.core.model.PoolSpec.Backing;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom a command takes that says only how many, and what becomes of it if it is not done. */
class PoolScaleInTest {
    private static final int CORES = 4;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration DRAIN = Duration.ofMinutes(2);

    private final Play play = Play.withNodes(CORES, CORES);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void whoIsOnANodeThatIsNotReadyGoesBeforeTheHighestIndex() {
        one.runs(ElasticJobs.elastic("default", 2, 6, 6));
        var node = nodeWithoutTheLast();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, CORES)));
        takes(highestOn(node));
    }

    /** Where another scheduler binds, pods stay on a cordoned node that tolerate its taint. */
    @Test
    void whoIsOnACordonedNodeGoesBeforeTheHighestIndex() {
        var backing = new Backing(Backend.VOLCANO, false, null);
        var pool = Nodes.remembering(PoolSpec.NodeHealth.USUAL, backing);
        play.on(new Event.PoolPut("default", pool, null));
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0), Set.of(Backend.VOLCANO), false));
        one.runs(ElasticJobs.elastic("default", 2, 6, 6));
        var node = nodeWithoutTheLast();
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(node, CORES)));
        takes(highestOn(node));
    }

    @Test
    void whoDoesNotRunGoesBeforeTheHighestIndex() {
        one.runs(ElasticJobs.elastic("default", 2, 6, 6));
        one.fail(1, 1);
        one.fail(3, 1);
        asked(2, "worker goes from 6 to 4: worker-3, worker-1 leave");
    }

    @Test
    void lastThatRunsStaysWhateverItsNodeIs() {
        var wide = Play.withNodes(1, 1, 1, 1);
        var last = new OneJob(wide, a);
        wide.on(new Event.Submitted(a, ElasticJobs.launched("default", 1, 3, 4), null));
        last.seeNewest(1, PodPhase.RUNNING, null);
        last.seeNewest(0, PodPhase.FAILED, 1);
        last.seeNewest(2, PodPhase.FAILED, 1);
        var node = last.rank(1).making().node();
        wide.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 1)));
        wide.on(new Event.ChangeAsked(a, in(1), new Request("ml/a", "r1")));
        assertThat(Objects.requireNonNull(wide.job(a).past().scaling()).message())
                .isEqualTo("worker goes from 3 to 2: worker-2 leaves");
    }

    @Test
    void whoLeavesAlreadyIsNotSaidNotToBeThere() {
        one.runs(ElasticJobs.elastic("default", 2, 4, 6));
        var names = new TreeSet<>(Set.of("worker-3"));
        var terms = new Change.Terms(Duration.ZERO, true, DRAIN, false);
        var scale = new Change.ScaleIn("worker", 0, names, terms);
        var until = play.now().plus(DRAIN);
        play.on(new Event.ChangeAsked(a, scale, new Request("ml/a", "r1")));
        play.pass(Duration.ofSeconds(10));
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, scale, new Request("ml/a", "r2")));
        assertThat(play.takeOne(Effect.Answer.class).message())
                .isEqualTo("worker-3 leaves already, with time until " + until);
    }

    @Test
    void rankZeroStaysWhateverItsNodeIs() {
        one.runs(ElasticJobs.elastic("default", 1, 6, 6));
        var node = one.rank(0).making().node();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, CORES)));
        ask(5);
        assertThat(one.rank(0).isLeaving()).isFalse();
        for (int i = 1; i < 6; i++) {
            assertThat(one.rank(i).isLeaving()).isTrue();
        }
    }

    /** Others have started, and none of its pods is there yet. */
    @Test
    void roleWhoseStageHasNotComeHasFewerOfWhatItWishes() {
        var data = Fixtures.role("data", 1, 1);
        var worker = Fixtures.atLeast(2, Fixtures.role("worker", 6, 1));
        var staged = Fixtures.after("data", JobSpec.Milestone.SUCCEEDED, worker);
        var spec = ElasticJobs.elastic(2, 8, Fixtures.spec("default", data, staged));
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        one.see("data", PodPhase.RUNNING, null);
        ask(2);
        assertThat(wished()).isEqualTo(4);
    }

    @Test
    void whoHasNotLeftInTimeStaysWhereTheCommandIsAtomic() {
        one.runs(ElasticJobs.elastic("default", 2, 4, 6));
        ask(2, true);
        one.see(3, PodPhase.SUCCEEDED, 0);
        play.restart();
        play.passHeard(MINUTE, 0);
        assertThat(end().message()).isEqualTo("[worker-2, worker-3] were still there");
        assertThat(one.rank(2).isLeaving()).isFalse();
        assertThat(wished()).isEqualTo(4);
        play.passHeard(DRAIN, 0);
        assertThat(one.rank(2).isLeaving()).isFalse();
        assertThat(play.job(a).past().budgets()).isEqualTo(Budgets.UNTOUCHED);
    }

    @Test
    void whoHasNotLeftInTimeLeavesAllTheSameByBestEffort() {
        one.runs(ElasticJobs.elastic("default", 2, 4, 6));
        ask(1, false);
        play.passHeard(MINUTE, 0);
        assertThat(end().message()).isEqualTo("[worker-3] are still there, and leave");
        assertThat(one.rank(3).isLeaving()).isTrue();
        assertThat(wished()).isEqualTo(3);
        play.takeEffects();
        play.passHeard(DRAIN, 0);
        assertThat(play.take(Effect.RunPlan.class).getLast().pods()).hasSize(3);
    }

    /** Nobody has left, be it that they drain, that it has not saved, or that its hook runs. */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true"})
    void jobThatIsCancelledCancelsTheCommandThatHasNotComeToItsEnd(boolean saves, boolean hooks) {
        var spec = ElasticJobs.elastic("default", 2, 5, 6);
        one.runs(saves ? CheckpointJobs.byFile(spec) : spec);
        var hook = hooks ? HookedJob.TELL : null;
        var terms = new Change.Terms(Duration.ZERO, true, DRAIN, false, hook);
        var scale = new Change.ScaleIn("worker", 2, new TreeSet<>(), terms);
        play.on(new Event.ChangeAsked(a, scale, new Request("ml/a", "r1")));
        play.takeEffects();
        play.on(Fixtures.cancel(a, "", null));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        play.restart();
        one.applied(false);
        for (int i = 0; i < 5; i++) {
            one.gone(i);
        }
        one.applied(true);
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.STOPPING, Phase.CANCELLED);
        assertThat(effects)
                .filteredOn(Effect.Scaled.class::isInstance)
                .extracting(effect -> ((Effect.Scaled) effect).scaling())
                .extracting(end -> end.stage() + " " + end.reason())
                .containsExactly("CANCELLED JobEnded");
    }

    private Scaling end() {
        var scaling = Objects.requireNonNull(play.job(a).past().scaling());
        assertThat(scaling.stage()).isEqualTo(Scaling.Stage.FAILED);
        assertThat(scaling.reason()).isEqualTo("Timeout");
        return scaling;
    }

    private int wished() {
        return play.job(a).spec().role("worker").replicas();
    }

    private void ask(int count, boolean atomic) {
        var terms = new Change.Terms(MINUTE, atomic, DRAIN, false);
        var scale = new Change.ScaleIn("worker", count, new TreeSet<>(), terms);
        play.on(new Event.ChangeAsked(a, scale, new Request("ml/a", "r1")));
    }

    private String nodeWithoutTheLast() {
        var last = one.rank(5).making().node();
        return last.equals("node-0") ? "node-1" : "node-0";
    }

    private int highestOn(String node) {
        for (int i = 5; i > 0; i--) {
            if (one.rank(i).making().node().equals(node)) {
                return i;
            }
        }
        throw new AssertionError("nobody but rank 0 is on " + node);
    }

    private void takes(int index) {
        asked(1, "worker goes from 6 to 5: worker-%d leaves".formatted(index));
    }

    private void asked(int count, String message) {
        ask(count);
        assertThat(Objects.requireNonNull(play.job(a).past().scaling()).message())
                .isEqualTo(message);
    }

    private void ask(int count) {
        play.on(new Event.ChangeAsked(a, in(count), new Request("ml/a", "r1")));
    }

    private static Change.ScaleIn in(int count) {
        return new Change.ScaleIn("worker", count, new TreeSet<>(), Change.Terms.PLAIN);
    }
}
