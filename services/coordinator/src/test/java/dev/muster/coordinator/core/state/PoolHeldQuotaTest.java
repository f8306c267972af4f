package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What others may use of quotas while room is held, and who takes the hold from whom. */
class PoolHeldQuotaTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);
    private static final JobId VICTIM = new JobId("other", "v", new Uid(0, 1));

    private Play play = Play.withNodes(4, 4, 4, 4);
    private NamedJobs jobs = new NamedJobs(play);

    /** Two nodes are given back for it. */
    private void victimIsEndedForTheHolder() {
        preemption(Mode.LOWER_PRIORITY);
        new OneJob(play, VICTIM).runs(at(1, spec("default", role("worker", 2, 4))));
        var strong = new JobId("other", "x", new Uid(0, 2));
        new OneJob(play, strong).runs(at(9, spec("b", role("worker", 1, 4))));
        new OneJob(play, job("r", 3)).runs(at(9, spec("default", role("worker", 1, 2))));
        jobs.submit("h", 4, at(5, spec("default", role("worker", 2, 4))));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Preempted.class).job()).isEqualTo(VICTIM);
        play.takeEffects();
    }

    private void victimIsGone() {
        var victim = new OneJob(play, VICTIM);
        victim.gone(0);
        victim.gone(1);
        victim.applied(false);
        victim.applied(true);
    }

    @Test
    void nobodyUsesTheQuotaOfItsNamespaceThatTheHolderNeeds() {
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.namespace("requests.cpu", 10_000);
        victimIsEndedForTheHolder();
        jobs.submit("small", 5, at(9, spec("b", role("worker", 1, 2))));
        assertThat(play.takeStarted()).isEmpty();
        victimIsGone();
        assertThat(play.takeStarted()).contains("h");
    }

    @Test
    void nobodyTakesTheLastPlaceOfItsQueueThatTheHolderNeeds() {
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.queue("default", QueueSpecs.running(3, QueueSpecs.QUEUE));
        victimIsEndedForTheHolder();
        jobs.submit("small", 5, at(9, spec("default", role("worker", 1, 2))));
        assertThat(play.takeStarted()).isEmpty();
        victimIsGone();
        assertThat(play.takeStarted()).contains("h");
    }

    @Test
    void queueBelowItsGuaranteeTakesTheHoldFromOneThatBorrows() {
        play = Play.withNodes(5, 5);
        jobs = new NamedJobs(play);
        preemption(Mode.BORROWERS);
        jobs.queue("a", QueueSpecs.guaranteed(4));
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.queue("c", QueueSpecs.QUEUE);
        new OneJob(play, job("c0", 1)).runs(spec("c", role("worker", 2, 3)));
        jobs.submit("b0", 2, spec("b", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job().name()).isEqualTo("b0");
        jobs.submit("a0", 3, spec("a", role("worker", 1, 3)));
        play.passHeard(RESERVE_AFTER.minusSeconds(1), 0);
        assertThat(play.take(Effect.Held.class)).isEmpty();
        play.passHeard(Duration.ofSeconds(2), 0);
        var effects = play.takeEffects();
        assertThat(effects)
                .filteredOn(Effect.Held.class::isInstance)
                .extracting(effect -> ((Effect.Held) effect).job().name())
                .containsExactly("a0");
        assertThat(effects).anyMatch(Effect.Preempted.class::isInstance);
    }

    @Test
    void holderIsToldWhenItLacksNoQuotaAnyMoreButRoom() {
        play = Play.withNodes(8);
        jobs = new NamedJobs(play);
        jobs.queue("x", QueueSpecs.guaranteed(4));
        jobs.queue("y", QueueSpecs.guaranteed(4));
        var first = new OneJob(play, job("x0", 1));
        first.runs(spec("x", role("worker", 1, 3)));
        new OneJob(play, job("x1", 2)).runs(spec("x", role("worker", 1, 3)));
        jobs.submit("h", 3, spec("y", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job().name()).isEqualTo("h");
        assertThat(reason("y")).returns(Code.QUOTA_EXCEEDED, WaitReason::code);
        play.on(new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(3)));
        first.succeed(0);
        assertThat(reason("y")).isNull();
        assertThat(((JobState.Queued) play.job(job("h", 3)).state()).reason())
                .returns(Code.INSUFFICIENT_CAPACITY, WaitReason::code);
    }

    private WaitReason reason(String queue) {
        return ((Queue) play.rows.get(Row.Table.QUEUE).get(queue)).reason();
    }

    @Test
    void whoWaitsForTheLastPlaceIsToldForWhomItIsKept() {
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.queue("default", QueueSpecs.running(3, QueueSpecs.QUEUE));
        victimIsEndedForTheHolder();
        jobs.submit("small", 5, at(9, spec("default", role("worker", 1, 2))));
        assertThat(play.explain(job("small", 5)).orElseThrow().reasons())
                .extracting(WaitReason::message)
                .contains(
                        "queue default runs 2 jobs, its most is 3, and the place that is left is"
                                + " kept for ml/h, which has waited for long");
    }

    /** No job uses anything of it. */
    @Test
    void whoLacksQuotaThatIsHeldIsToldForWhom() {
        jobs.queue("q", QueueSpecs.limited(4));
        holds("q");
        jobs.submit("small", 6, spec("q", role("worker", 1, 1)));
        assertThat(quota("small"))
                .returns(
                        "needs 1 of cpu, queue q has 0 left of its limit, kept for ml/h, which has"
                                + " waited for long",
                        WaitReason::message)
                .returns(
                        "the end of ml/h, which it is kept for, or of jobs that use the quota, or"
                                + " a higher one",
                        WaitReason::remedy);
        var state = (JobState.Queued) play.job(job("small", 6)).state();
        assertThat(state.reason()).isEqualTo(quota("small"));
    }

    @Test
    void whoLacksWhatIsUsedIsNotToldThatItIsKept() {
        jobs.queue("q", QueueSpecs.limited(8));
        jobs.submit("r", 1, spec("q", role("worker", 1, 1)));
        holds("q");
        jobs.submit("small", 6, spec("q", role("worker", 2, 4)));
        assertThat(quota("small"))
                .returns("needs 8 of cpu, queue q has 3 left of its limit", WaitReason::message)
                .returns("the end of jobs that use the quota, or a higher one", WaitReason::remedy);
    }

    @Test
    void queueDoesNotSayThatItsHolderLacksWhatIsHeldForIt() {
        jobs.queue("q", QueueSpecs.limited(4));
        holds("q");
        assertThat(((Queue) play.rows(Row.Table.QUEUE).get("q")).reason()).isNull();
        var state = (JobState.Queued) play.job(job("h", 5)).state();
        assertThat(state.reason().code()).isEqualTo(WaitReason.Code.INSUFFICIENT_CAPACITY);
    }

    /** Of one group or of two: nobody borrows what is held for one who would. */
    @ParameterizedTest
    @ValueSource(strings = {"", "another"})
    void whoLacksWhatIsHeldForAnotherQueueIsToldForWhom(String group) {
        jobs.queue("b", QueueSpecs.guaranteed(8));
        jobs.queue("a", QueueSpecs.QUEUE);
        jobs.queue("c", guaranteed(0, group));
        holds("a");
        jobs.submit("small", 6, spec("c", role("worker", 1, 1)));
        assertThat(quota("small"))
                .returns(
                        "needs 1 of cpu, queue c has 0 left of what its group leaves idle, kept"
                                + " for ml/h, which has waited for long",
                        WaitReason::message)
                .returns(
                        "the end of ml/h, which it is kept for, or of jobs that borrow, or a"
                                + " higher guarantee",
                        WaitReason::remedy);
        jobs.submit("large", 7, spec("c", role("worker", 5, 1)));
        assertThat(quota("large").message()).endsWith("what its group leaves idle");
    }

    /**
     * What is held for another queue's job nobody uses: of the guarantees of one group, or of what
     * the nodes have beyond all guarantees, which two groups share.
     */
    @ParameterizedTest
    @CsvSource({"'', 4", "another, 0"})
    void gangThatRestartsComesBackToItsRoomBeforeTheHolderOfAnotherQueue(
            String group, long guaranteed) {
        play = Play.withNodes(4, 4);
        jobs = new NamedJobs(play);
        jobs.queue("x", QueueSpecs.guaranteed(4));
        jobs.queue("y", guaranteed(guaranteed, group));
        var y0 = new OneJob(play, job("y0", 2));
        new OneJob(play, job("x0", 1)).runs(spec("x", role("worker", 1, 4)));
        y0.runs(spec("y", role("worker", 1, 4)));
        jobs.submit("h", 3, spec("x", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job().name()).isEqualTo("h");
        y0.fail(0, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        y0.gone(0);
        y0.applied(false);
        y0.applied(true);
        play.passHeard(FailurePolicy.PLAIN.delay().initial(), 0);
        assertThat(play.job(job("y0", 2)).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(job("h", 3)).state()).isInstanceOf(JobState.Queued.class);
    }

    /** The holder would borrow, and does not yet. */
    @ParameterizedTest
    @ValueSource(strings = {"", "another"})
    void nobodyIsSaidToBorrowWhatIsOnlyHeld(String group) {
        play = Play.withNodes(4, 4, 1);
        jobs = new NamedJobs(play);
        jobs.queue("x", QueueSpecs.guaranteed(4));
        jobs.queue("y", guaranteed(4, group));
        new OneJob(play, job("x0", 1)).runs(spec("x", role("worker", 1, 4)));
        new OneJob(play, job("y0", 2)).runs(spec("y", role("worker", 1, 4)));
        jobs.submit("h", 3, spec("x", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job().name()).isEqualTo("h");
        jobs.submit("small", 6, spec("y", role("worker", 1, 2)));
        assertThat(quota("small").remedy())
                .isEqualTo("the end of jobs of its group's queues, or a higher guarantee");
    }

    @Test
    void successorOfALostRankComesBeforeTheHolderOfAnotherQueue() {
        play = Play.withNodes(1, 1, 2);
        jobs = new NamedJobs(play);
        jobs.queue("x", QueueSpecs.guaranteed(2));
        jobs.queue("y", QueueSpecs.guaranteed(3)); // Who is lost may run yet, and counts.
        new OneJob(play, job("x0", 1)).runs(spec("x", role("worker", 1, 2)));
        var y0 = new OneJob(play, job("y0", 2));
        y0.runs(ElasticJobs.elastic("y", 2, 2, 2));
        jobs.submit("h", 3, spec("x", role("worker", 1, 2)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job().name()).isEqualTo("h");
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(y0.rank(1).making().node(), 1)));
        play.passHeard(FailurePolicy.PLAIN.nodeLost().after().plus(Duration.ofMinutes(2)), 0);
        assertThat(y0.rank(2)).isNull();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-3", 1)));
        assertThat(y0.rank(2)).isNotNull();
        assertThat(y0.rank(2).making().node()).isEqualTo("node-3");
    }

    @Test
    void whoLacksWhatIsHeldOfItsNamespaceIsToldForWhom() {
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.namespace("requests.cpu", 4_000);
        holds("default");
        jobs.submit("small", 6, spec("b", role("worker", 1, 1)));
        assertThat(quota("small").message())
                .isEqualTo(
                        "needs 1 of requests.cpu, the quota of namespace ml has 0 left, kept for"
                                + " ml/h, which has waited for long");
    }

    /** A node, though others use three of four cores of each. */
    private void holds(String queue) {
        var others = new JobId("other", "full", new Uid(0, 2));
        play.on(new Event.Submitted(others, spec("default", role("worker", 4, 3)), null));
        jobs.submit("h", 5, spec(queue, role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job().name()).isEqualTo("h");
    }

    private WaitReason quota(String name) {
        var id = play.jobs().stream().filter(job -> job.name().equals(name)).findFirst();
        return play.explain(id.orElseThrow()).orElseThrow().reasons().stream()
                .filter(reason -> reason.code() == WaitReason.Code.QUOTA_EXCEEDED)
                .findFirst()
                .orElseThrow();
    }

    /** In a group of that name; of no name, in that of all the others. */
    private static QueueSpec guaranteed(long cores, String group) {
        var plain = QueueSpecs.guaranteed(cores);
        var none = new TreeMap<String, Long>();
        var name = group.isEmpty() ? null : group;
        return QueueSpecs.with(
                plain, new Quota(plain.quota().guaranteed(), none, true, none, none, name));
    }

    private void preemption(Mode mode) {
        var rules = new PoolSpec.Preemption(mode, Duration.ofMinutes(1), 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
    }
}
