package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.lying;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The pool's one hold, and who is ended for it. */
class PoolHoldsTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);
    private final Play play = Play.withNodes(4, 4);
    private final NamedJobs jobs = new NamedJobs(play);

    @Test
    void headThatWaitedLongGetsTheNextRoom() {
        submit("r0", 0, 1);
        submit("r1", 1, 1);
        play.takeStarted();
        submit("big", 2, 8);
        submit("small", 3, 1);
        assertThat(play.takeStarted()).containsExactly("small");
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job().name()).isEqualTo("big");
        submit("late", 4, 1);
        assertThat(play.takeStarted()).isEmpty();
        jobs.end("small", 3);
        jobs.end("r0", 0);
        jobs.end("r1", 1);
        assertThat(play.takeStarted()).containsExactly("big");
    }

    /** Of each three cores of four are used. */
    private void bigHoldsOneOfTwoNodes() {
        run("r0", 0, spec("default", role("worker", 1, 3)));
        run("r1", 1, spec("default", role("worker", 1, 3)));
        jobs.submit("big", 2, spec("default", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
    }

    @Test
    void othersUseWhatIsNotHeld() {
        bigHoldsOneOfTwoNodes();
        play.takeEffects();
        submit("one", 3, 1);
        assertThat(play.takeStarted()).containsExactly("one");
        submit("two", 4, 1);
        assertThat(play.takeStarted()).isEmpty();
    }

    @Test
    void gangThatWouldNotFitTheEmptyPoolNeverHolds() {
        submit("r0", 0, 4);
        submit("huge", 1, 9);
        play.passHeard(RESERVE_AFTER.multipliedBy(2), 0);
        assertThat(play.take(Effect.Held.class)).isEmpty();
    }

    @Test
    void holdThatNoLongerFitsIsGivenAnew() {
        run("r0", 0, gang("default", 4));
        submit("big", 1, 5);
        play.passHeard(RESERVE_AFTER, 0);
        play.takeEffects();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 8)));
        assertThat(play.takeStarted()).containsExactly("big");
        assertThat(play.rows.get(Row.Table.HOLD)).isEmpty();
        assertThat(play.rows.get(Row.Table.HOLD_ROOM)).isEmpty();
    }

    @Test
    void holdLeavesANodeThatItsJobCanNoLongerUse() {
        bigHoldsOneOfTwoNodes();
        play.takeEffects();
        assertThat(held()).containsExactly("node-0");
        play.on(new Event.NodeSeen(WATCHER, Nodes.pressed("node-0", 4)));
        assertThat(held()).containsExactly("node-1");
        submit("small", 3, 1);
        assertThat(play.takeStarted()).isEmpty();
        jobs.end("r1", 1);
        assertThat(play.takeStarted()).containsExactly("big");
    }

    @Test
    void holdLeavesANodeThatOthersHaveComeToUse() {
        bigHoldsOneOfTwoNodes();
        assertThat(held()).containsExactly("node-0");
        play.on(new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(1)));
        assertThat(held()).containsExactly("node-1");
    }

    @Test
    void holdOfOneDomainIsGivenAnewWhenANodeLeavesIt() {
        for (int i = 0; i < 4; i++) {
            play.on(new Event.NodeSeen(WATCHER, Nodes.inRack("node-" + i, 4, "r" + i / 2)));
            run("r" + i, i, spec("default", role("worker", 1, 3)));
        }
        var topology = new Topology(Topology.Policy.REQUIRE, "rack");
        jobs.submit("big", 9, lying(topology, spec("default", role("worker", 2, 4))));
        play.passHeard(RESERVE_AFTER, 0);
        play.takeEffects();
        assertThat(held()).containsExactly("node-0", "node-1");
        play.on(new Event.NodeSeen(WATCHER, Nodes.inRack("node-0", 4, "r9")));
        assertThat(held()).containsExactly("node-2", "node-3");
    }

    @Test
    void holdEndsWithItsJob() {
        run("r0", 0, gang("default", 4));
        submit("big", 1, 8);
        play.passHeard(RESERVE_AFTER, 0);
        submit("small", 2, 2);
        play.takeEffects();
        play.on(Fixtures.cancel(job("big", 1), "", null));
        assertThat(play.takeStarted()).containsExactly("small");
    }

    /** What is held of quotas ends with that, too: no row says it of a job that is gone. */
    @Test
    void holdEndsWithItsJobWhereNothingElseIsDoneInThatStep() {
        var play = Play.inSteps(1, 8, 4);
        var jobs = new NamedJobs(play);
        jobs.queue("default", QueueSpecs.limited(13));
        jobs.submit("r", 0, spec("default", role("worker", 1, 5)));
        jobs.submit("big", 1, spec("default", role("worker", 1, 8)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job().name()).isEqualTo("big");
        jobs.submit("small", 2, spec("default", role("worker", 1, 4)));
        assertThat(play.takeStarted()).isEmpty();
        assertThat(play.onStep(Fixtures.cancel(job("big", 1), "", null)).more()).isTrue();
        assertThat(play.rows.get(Row.Table.HOLD)).isEmpty();
        play.restart();
        play.goOn();
        assertThat(play.takeStarted()).containsExactly("small");
    }

    @Test
    void holdOutlivesARestart() {
        run("r0", 0, gang("default", 4));
        submit("big", 1, 8);
        play.passHeard(RESERVE_AFTER, 0);
        play.restart();
        play.takeEffects();
        submit("small", 2, 2);
        assertThat(play.takeStarted()).isEmpty();
        jobs.end("r0", 0);
        assertThat(play.takeStarted()).containsExactly("big");
    }

    @Test
    void nobodyIsEndedWhilePreemptionIsOff() {
        low("low", 0, 8);
        jobs.submit("high", 1, at(5, gang("default", 4)));
        play.passHeard(Duration.ofHours(2), 0);
        assertThat(play.take(Effect.Preempted.class)).isEmpty();
    }

    @Test
    void gangOfLowerPriorityMakesRoomAndGoesBackToItsPlace() {
        preemption(Mode.LOWER_PRIORITY);
        low("low", 0, 8);
        jobs.submit("high", 1, at(5, gang("default", 4)));
        play.passHeard(Duration.ofMinutes(11), 0);
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, job("low", 0))).containsExactly(Phase.STOPPING);
        assertThat(effects)
                .filteredOn(Effect.Preempted.class::isInstance)
                .containsExactly(
                        new Effect.Preempted(
                                job("low", 0),
                                "default",
                                job("high", 1),
                                "it makes room for ml/high"));
        stopped("low", 0, 8);
        var after = play.takeEffects();
        assertThat(Play.phases(after, job("high", 1))).containsExactly(Phase.STARTING);
        assertThat(Play.phases(after, job("low", 0))).containsExactly(Phase.QUEUED);
        assertThat(play.job(job("low", 0)).past().preempted()).isEqualTo(1);
    }

    @Test
    void gangThatRanForTooShortATimeIsLeftAlone() {
        preemption(Mode.LOWER_PRIORITY);
        jobs.submit("high", 1, at(5, gang("default", 9)));
        low("low", 0, 8);
        jobs.submit("high2", 2, at(5, gang("default", 4)));
        play.passHeard(Duration.ofMinutes(9), 0);
        assertThat(play.take(Effect.Preempted.class)).isEmpty();
    }

    @Test
    void oneGangThatSufficesIsTakenBeforeMany() {
        preemption(Mode.LOWER_PRIORITY);
        low("low0", 0, 1);
        low("low1", 1, 3);
        low("low2", 2, 4);
        jobs.submit("high", 3, at(5, gang("default", 4)));
        play.passHeard(Duration.ofMinutes(12), 0);
        assertThat(play.take(Effect.Preempted.class))
                .extracting(effect -> effect.job().name())
                .containsExactly("low2");
    }

    @Test
    void queueBelowItsGuaranteeReclaimsFromBorrowersOnly() {
        preemption(Mode.BORROWERS);
        play.on(new Event.QueuePut("a", guaranteed(4), null));
        play.on(new Event.QueuePut("b", guaranteed(4), null));
        for (int i = 0; i < 8; i++) {
            run("a" + i, i, at(9, spec("a", role("worker", 1, 1))));
        }
        jobs.submit("b0", 20, spec("b", role("worker", 2, 1)));
        play.passHeard(Duration.ofMinutes(12), 0);
        assertThat(play.take(Effect.Preempted.class))
                .extracting(effect -> effect.job().name())
                .hasSize(2)
                .allMatch(name -> name.startsWith("a"));
    }

    @Test
    void queueThatBorrowsNoMoreIsLeftAloneWhateverItsPriority() {
        preemption(Mode.BORROWERS);
        play.on(new Event.QueuePut("a", guaranteed(4), null));
        play.on(new Event.QueuePut("b", guaranteed(8), null));
        run("a1", 1, spec("a", role("worker", 4, 1)));
        run("a2", 2, spec("a", role("worker", 4, 1)));
        jobs.submit("b0", 20, at(9, spec("b", role("worker", 8, 1))));
        play.passHeard(Duration.ofMinutes(12), 0);
        assertThat(play.take(Effect.Preempted.class)).isEmpty();
    }

    @Test
    void prioritiesOfTwoQueuesAreNotCompared() {
        preemption(Mode.LOWER_PRIORITY);
        play.on(new Event.QueuePut("a", QueueSpecs.QUEUE, null));
        run("a0", 0, gang("a", 8));
        jobs.submit("high", 1, at(5, gang("default", 4)));
        play.passHeard(Duration.ofMinutes(12), 0);
        assertThat(play.take(Effect.Preempted.class)).isEmpty();
    }

    @Test
    void fewLargeGangsAreTakenBeforeManySmallOnes() {
        preemption(Mode.LOWER_PRIORITY);
        low("z1", 0, 2);
        low("z2", 1, 2);
        low("s1", 2, 1);
        low("s2", 3, 1);
        low("s3", 4, 1);
        run("own", 5, at(5, gang("default", 1)));
        jobs.submit("high", 6, at(5, gang("default", 4)));
        play.passHeard(Duration.ofMinutes(12), 0);
        assertThat(play.take(Effect.Preempted.class))
                .extracting(effect -> effect.job().name())
                .containsExactlyInAnyOrder("z1", "z2");
    }

    @Test
    void guaranteeIsReclaimedFromHoweverManySmallGangs() {
        for (int i = 0; i < 3; i++) {
            play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-" + i, 100)));
        }
        preemption(Mode.BORROWERS);
        play.on(new Event.QueuePut("a", guaranteed(10), null));
        play.on(new Event.QueuePut("b", guaranteed(250), null));
        for (int i = 0; i < 300; i++) {
            run("a" + i, i, spec("a", role("worker", 1, 1)));
        }
        jobs.submit("b0", 999, spec("b", role("worker", 250, 1)));
        play.passHeard(Duration.ofMinutes(12), 0);
        assertThat(play.take(Effect.Preempted.class)).hasSize(250);
        assertThat(play.largestStep()).isLessThanOrEqualTo(1000);
    }

    @Test
    void jobWhoseNamespaceHasNoQuotaLeftNeverHoldsThoughOthersBorrow() {
        play.on(new Event.QueuePut("a", guaranteed(4), null));
        play.on(new Event.QueuePut("b", guaranteed(4), null));
        var hard = Amounts.of(Map.of("requests.cpu", 10_000L));
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", hard, Amounts.NONE));
        run("a0", 0, spec("a", role("worker", 8, 1)));
        jobs.submit("b0", 1, spec("b", role("worker", 4, 1)));
        play.passHeard(RESERVE_AFTER.multipliedBy(2), 0);
        assertThat(play.take(Effect.Held.class)).isEmpty();
    }

    private List<String> held() {
        return List.copyOf(play.rows.getOrDefault(Row.Table.HOLD_ROOM, new TreeMap<>()).keySet());
    }

    private void preemption(Mode mode) {
        var rules = new PoolSpec.Preemption(mode, Duration.ofMinutes(10), 3);
        var spec = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", spec, null));
    }

    private static JobSpec gang(String queue, int pods) {
        return spec(queue, role("worker", pods, 1));
    }

    private void low(String name, long offset, int pods) {
        run(name, offset, gang("default", pods));
    }

    private void run(String name, long offset, JobSpec spec) {
        jobs.submit(name, offset, spec);
        var plan = play.take(RunPlan.class).getFirst();
        for (var pod : plan.pods()) {
            see(name, offset, pod, PodPhase.RUNNING);
        }
        var listed =
                plan.pods().stream()
                        .map(pod ->
                                new Event.ListedPod(
                                        job(name, offset).uid(), mark(plan, pod), false))
                        .toList();
        play.on(new Event.PlanApplied(job(name, offset), plan.version(), false, listed));
        play.takeEffects();
    }

    private void see(String name, long offset, Effect.PlannedPod pod, PodPhase phase) {
        var mark = Fixtures.mark("worker", pod.rank().index(), pod.incarnation());
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        job(name, offset),
                        Fixtures.pod(mark, 1, phase, pod.node(), null)));
    }

    private static Event.PodMark mark(RunPlan plan, Effect.PlannedPod pod) {
        return Fixtures.mark("worker", pod.rank().index(), pod.incarnation());
    }

    /** Its pods go, by both witnesses. */
    private void stopped(String name, long offset, int pods) {
        var id = job(name, offset);
        long version = play.job(id).fences().plan();
        play.on(new Event.PlanApplied(id, version, false, List.of()));
        for (int i = 0; i < pods; i++) {
            play.on(new Event.PodGone(WATCHER, id, Fixtures.mark("worker", i, i + 1)));
        }
        play.on(new Event.PlanApplied(id, play.job(id).fences().plan(), true, List.of()));
    }

    private void submit(String name, long offset, int pods) {
        jobs.submit(name, offset, gang("default", pods));
    }
}
