package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.AnotherWork;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that do not go though their nodes live: after a while their job says so. */
class PoolStuckPodsTest {
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private Duration patience = Duration.ZERO;

    @BeforeEach
    void runs() {
        one.runs(failing(policy(Otherwise.GANG), workers(3, 1)));
        patience = play.job(a).spec().grace().plus(JobAlarms.TO_GO);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jobThatStopsSaysForWhichPodOnWhichNodeItWaits(boolean isCancelled) {
        var change = isCancelled ? new Change.Cancel(null, "") : new Change.Suspend(null, "");
        play.on(new Event.ChangeAsked(a, change, null));
        one.gone(0);
        play.passHeard(patience.minus(MOMENT), 0);
        assertThat(reasons()).isEmpty();
        play.takeEffects();
        play.restart();
        play.passHeard(MOMENT.plus(Jobs.PUBLISH_DELAY), 0);
        var node = one.rank(1).making().node();
        var message = "the pod of worker-1 was told to go and is still there, on %s (and 1 more)";
        assertThat(reasons())
                .singleElement()
                .returns(Code.EARLIER_PODS, WaitReason::code)
                .returns("worker-1", WaitReason::scope)
                .returns(message.formatted(node), WaitReason::message);
        assertThat(play.take(Effect.Status.class).getLast().word().waits())
                .isNotNull()
                .returns("worker-1", WaitReason::scope);
        one.gone(1);
        one.gone(2);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(reasons()).isEmpty();
        assertThat(play.take(Effect.Status.class).getLast().word().waits()).isNull();
    }

    @Test
    void soDoesAGangThatStartsAnew() {
        one.fail(0, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        one.gone(0);
        one.gone(1);
        play.passHeard(patience, 0);
        assertThat(reasons()).extracting(WaitReason::scope).containsExactly("worker-2");
    }

    @Test
    void whoGivesLessTimeHearsOfItSooner() {
        play.on(new Event.ChangeAsked(a, new Change.Cancel(Duration.ofSeconds(1), ""), null));
        play.passHeard(JobAlarms.TO_GO.plusSeconds(1), 0);
        assertThat(reasons()).hasSize(1);
    }

    @Test
    void whoGivesLessTimeThanTheyWereToldHearsOfItSooner() {
        var suspend = new Change.Suspend(Duration.ofMinutes(30), "");
        play.on(new Event.ChangeAsked(a, suspend, null));
        play.passHeard(Duration.ofMinutes(1), 0);
        var grace = Duration.ofSeconds(5);
        play.on(new Event.ChangeAsked(a, new Change.Cancel(grace, ""), null));
        play.passHeard(grace.plus(JobAlarms.TO_GO).minus(MOMENT), 0);
        assertThat(reasons()).isEmpty();
        play.restart();
        play.passHeard(MOMENT, 0);
        assertThat(reasons()).hasSize(1);
    }

    /** What is not heard of may be gone. */
    @Test
    void itIsNotSaidWhileNobodyLooks() {
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        play.pass(patience.plusMinutes(5));
        assertThat(reasons()).isEmpty();
    }

    @Test
    void ofDeadNodesItSaysThatTheyAreDead() {
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        for (var name : List.of("node-0", "node-1")) {
            play.on(new Event.NodeSeen(WATCHER, Chance.unready(name, 4)));
        }
        play.passHeard(patience, 0);
        assertThat(reasons()).extracting(WaitReason::code).containsExactly(Code.NODE_LOST);
    }

    /** It keeps what has ended, and the room of what was to go would be taken without a word. */
    @Test
    void jobThatHasEndedSaysWhichOfItsPodsThatRanOnDoesNotGo() {
        var b = job("b", 2);
        ends(b);
        play.passHeard(patience.minus(MOMENT), 0);
        assertThat(reasons(b)).isEmpty();
        play.takeEffects();
        play.restart();
        play.passHeard(MOMENT.plus(Jobs.PUBLISH_DELAY), 0);
        var node = ps(b).making().node();
        var message = "the pod of ps-0 was told to go and is still there, on %s".formatted(node);
        assertThat(reasons(b))
                .singleElement()
                .returns(Code.EARLIER_PODS, WaitReason::code)
                .returns(message, WaitReason::message);
        assertThat(waits(b)).isNotNull().returns("ps-0", WaitReason::scope);

        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 4)));
        assertThat(reasons(b)).extracting(WaitReason::code).containsExactly(Code.NODE_LOST);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(waits(b)).isNotNull().returns(Code.NODE_LOST, WaitReason::code);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 4)));
        play.restart();
        assertThat(reasons(b)).isEmpty();
        play.passHeard(patience, 0);
        assertThat(reasons(b)).extracting(WaitReason::code).containsExactly(Code.EARLIER_PODS);

        seeUnready(b);
        play.pass(Jobs.PUBLISH_DELAY);
        play.takeEffects();
        play.on(new Event.PodGone(WATCHER, b, mark(b)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(waits(b)).isNull();
        assertThat(reasons(b)).isEmpty();
        assertThat(play.job(b).state().phase()).isEqualTo(Phase.SUCCEEDED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itsStatusFollowsTheNodeThatLeavesAndComesBack(boolean isMoved) {
        var b = job("b", 2);
        ends(b);
        play.passHeard(patience.plus(Jobs.PUBLISH_DELAY), 0);
        var node = ps(b).making().node();
        assertThat(waits(b)).isNotNull().returns(Code.EARLIER_PODS, WaitReason::code);

        play.on(new Event.NodeReleased(WATCHER, node, isMoved));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(reasons(b)).hasSize(1);
        assertThat(waits(b))
                .isNotNull()
                .returns(Code.NODE_LOST, WaitReason::code)
                .returns(reasons(b).getFirst().message(), WaitReason::message);

        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 4)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(waits(b)).isNull();
        play.passHeard(patience, 0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(waits(b)).isNotNull().returns(Code.EARLIER_PODS, WaitReason::code);
    }

    @Test
    void runningJobSaysThatTheOnlyOneThatLeftItIsOnADeadNode() {
        var b = job("b", 2);
        var elastic = new OneJob(play, b);
        elastic.runs(ElasticJobs.elastic("default", 2, 5, 6));
        leaves(b, "worker-4");
        var node = elastic.rank(4).making().node();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 4)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(waits(b)).isNotNull().returns(Code.NODE_LOST, WaitReason::code);
        assertThat(reasons(b)).filteredOn(why -> why.code() == Code.NODE_LOST).hasSize(1);
    }

    /** What has ended is kept, and says nothing. */
    @Test
    void norDoesItNameWhatHasEndedByThen() {
        var b = job("b", 2);
        ends(b).see("ps", PodPhase.FAILED, 143);
        play.passHeard(patience.plus(MOMENT), 0);
        assertThat(reasons(b)).isEmpty();
    }

    /** Its master has succeeded, and its ps is told to go. */
    private OneJob ends(JobId id) {
        var spec = Fixtures.spec("default", role("master", 1, 1), role("ps", 1, 1));
        var other = new OneJob(play, id);
        var success = new JobSpec.Success.OfRole("master");
        play.on(
                new Event.Submitted(
                        id, AnotherWork.of(spec, work -> work.success = success), null));
        other.applied(false);
        other.see("master", PodPhase.RUNNING, null);
        other.see("ps", PodPhase.RUNNING, null);
        other.see("master", PodPhase.SUCCEEDED, 0);
        assertThat(play.job(id).state().phase()).isEqualTo(Phase.SUCCEEDED);
        return other;
    }

    private Rank ps(JobId id) {
        return play.ranks(id).getLast();
    }

    private Event.PodMark mark(JobId id) {
        return Fixtures.mark("ps", 0, ps(id).making().incarnation());
    }

    private void seeUnready(JobId id) {
        var node = ps(id).making().node();
        var pod = Fixtures.pod(mark(id), one.nextVersion(), PodPhase.RUNNING, node);
        play.on(new Event.PodSeen(WATCHER, id, Fixtures.unready(pod)));
    }

    /** Its drain is over before its grace begins. */
    @Test
    void runningJobSaysWhichOfThoseThatLeftItDoesNotGo() {
        var b = job("b", 2);
        var elastic = new OneJob(play, b);
        elastic.runs(ElasticJobs.elastic("default", 2, 5, 6));
        var drain = Duration.ofMinutes(2);
        var terms = new Change.Terms(Duration.ZERO, true, drain, false);
        var named = new TreeSet<>(Set.of("worker-3", "worker-4"));
        var scale = new Change.ScaleIn("worker", 0, named, terms);
        play.on(new Event.ChangeAsked(b, scale, null));
        var late = drain.plus(play.job(b).spec().grace()).plus(JobAlarms.TO_GO);
        play.passHeard(late.minus(MOMENT), 0);
        assertThat(reasons(b)).isEmpty();
        play.takeEffects();
        play.restart();
        play.passHeard(MOMENT.plus(Jobs.PUBLISH_DELAY), 0);
        var node = elastic.rank(3).making().node();
        var message = "the pod of worker-3 was told to go and is still there, on %s (and 1 more)";
        assertThat(reasons(b))
                .singleElement()
                .returns(Code.EARLIER_PODS, WaitReason::code)
                .returns("worker-3", WaitReason::scope)
                .returns(message.formatted(node), WaitReason::message);
        assertThat(waits(b)).isNotNull().returns("worker-3", WaitReason::scope);
        assertThat(play.job(b).state()).isInstanceOf(JobState.Running.class);

        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 4)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(waits(b))
                .isNotNull()
                .returns(Code.NODE_LOST, WaitReason::code)
                .returns(node, WaitReason::scope);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 4)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(waits(b)).isNotNull().returns("worker-3", WaitReason::scope);

        elastic.gone(3);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(waits(b)).isNotNull().returns("worker-4", WaitReason::scope);
        elastic.gone(4);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(reasons(b)).isEmpty();
        assertThat(waits(b)).isNull();
    }

    /** Whoever does not run by then leaves at once, and not when a hook has ended. */
    @Test
    void soItDoesOfThoseThatLeaveSoonerSinceTheirRoleEnds() {
        var b = job("b", 2);
        var elastic = new OneJob(play, b);
        play.on(new Event.Submitted(b, ElasticJobs.elastic("default", 2, 5, 6), null));
        elastic.applied(false);
        for (int i = 0; i < 4; i++) {
            elastic.seeNewest(i, PodPhase.RUNNING, null);
        }
        elastic.seeNewest(4, PodPhase.PENDING, null);
        var hook = new Hook(List.of("tell"), new TreeMap<>(), Duration.ofHours(1), 1);
        var terms = new Change.Terms(Duration.ZERO, true, Duration.ZERO, false, hook);
        var scale = new Change.ScaleIn("worker", 0, new TreeSet<>(Set.of("worker-4")), terms);
        play.on(new Event.ChangeAsked(b, scale, null));
        assertThat(elastic.rank(4).isUntold()).isTrue();
        elastic.seeNewest(0, PodPhase.SUCCEEDED, 0);
        assertThat(elastic.rank(4).isUntold()).isFalse();
        play.passHeard(patience.plus(Jobs.PUBLISH_DELAY), 0);
        assertThat(play.rows.get(Row.Table.HOOK)).isNotEmpty();
        assertThat(waits(b)).isNotNull().returns("worker-4", WaitReason::scope);
    }

    @Test
    void itNamesThemAlsoWhileTheirNodeIsAnotherPools() {
        var b = job("b", 2);
        var elastic = new OneJob(play, b);
        elastic.runs(ElasticJobs.elastic("default", 2, 5, 6));
        leaves(b, "worker-4");
        play.passHeard(patience.plus(Jobs.PUBLISH_DELAY), 0);
        play.on(new Event.NodeReleased(WATCHER, elastic.rank(4).making().node(), true));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(reasons(b))
                .singleElement()
                .returns(Code.EARLIER_PODS, WaitReason::code)
                .returns("worker-4", WaitReason::scope);
        assertThat(waits(b)).isNotNull().returns("worker-4", WaitReason::scope);
    }

    /** Those that are told later have their own time, and its status follows. */
    @Test
    void whoIsToldLaterIsNamedLater() {
        var b = job("b", 2);
        var elastic = new OneJob(play, b);
        elastic.runs(ElasticJobs.elastic("default", 2, 5, 6));
        leaves(b, "worker-4");
        play.passHeard(MOMENT.multipliedBy(30), 0);
        leaves(b, "worker-3");
        play.passHeard(patience.minus(MOMENT.multipliedBy(29)), 0);
        assertThat(waits(b)).isNotNull().returns("worker-4", WaitReason::scope);
        play.passHeard(MOMENT.multipliedBy(30), 0);
        assertThat(waits(b)).isNotNull().returns("worker-3", WaitReason::scope);
    }

    /** Nor is that of a job that stops said sooner since somebody had left it before. */
    @Test
    void jobThatStopsGivesItsPodsTheirTimeAlsoWhenOneIsStuck() {
        var b = job("b", 2);
        var elastic = new OneJob(play, b);
        elastic.runs(ElasticJobs.elastic("default", 2, 5, 6));
        leaves(b, "worker-4");
        play.passHeard(patience.minus(MOMENT), 0);
        play.on(new Event.ChangeAsked(b, new Change.Suspend(null, ""), null));
        play.passHeard(patience.minus(MOMENT), 0);
        assertThat(reasons(b)).isEmpty();
        play.passHeard(MOMENT, 0);
        assertThat(reasons(b)).singleElement().returns("worker-0", WaitReason::scope);
    }

    @Test
    void thoseThatLeftAreNotNamedWhileNobodyLooks() {
        var b = job("b", 2);
        new OneJob(play, b).runs(ElasticJobs.elastic("default", 2, 5, 6));
        leaves(b, "worker-4");
        play.pass(patience.plusMinutes(5));
        assertThat(reasons(b)).isEmpty();
    }

    private void leaves(JobId job, String rank) {
        var terms = new Change.Terms(Duration.ZERO, true, Duration.ZERO, false);
        var scale = new Change.ScaleIn("worker", 0, new TreeSet<>(Set.of(rank)), terms);
        play.on(new Event.ChangeAsked(job, scale, null));
    }

    private @Nullable WaitReason waits(JobId job) {
        return play.take(Effect.Status.class).stream()
                .filter(status -> status.job().id().equals(job))
                .toList()
                .getLast()
                .word()
                .waits();
    }

    private List<WaitReason> reasons(JobId job) {
        return play.explain(job).orElseThrow().reasons();
    }

    private List<WaitReason> reasons() {
        return play.explain(a).orElseThrow().reasons();
    }
}
