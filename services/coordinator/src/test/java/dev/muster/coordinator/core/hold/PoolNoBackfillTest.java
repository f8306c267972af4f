package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.gibi;
import static dev.muster.coordinator.core.fixtures.Fixtures.remembering;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Queues without backfill: nobody passes a head, however long he waits behind it. */
class PoolNoBackfillTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);

    private final Play play = Play.withNodes(8, 8);
    private final NamedJobs jobs = new NamedJobs(play);

    private void queue(String name, TreeMap<String, Long> limit) {
        var quota = new Quota(Amounts.NONE, limit, true, new TreeMap<>(), new TreeMap<>(), null);
        var order = new QueueSpec.Order(QueueSpec.Kind.PRIORITY, 0, false, RESERVE_AFTER);
        jobs.queue(name, QueueSpecs.with(QueueSpecs.with(QueueSpecs.QUEUE, quota), order));
    }

    private static JobSpec remembers(String queue, long gibi) {
        return spec(queue, remembering(gibi, role("worker", 1, 1)));
    }

    private void nobodyHoldsOrStarts() {
        play.passHeard(RESERVE_AFTER.multipliedBy(3), 0);
        assertThat(play.take(Effect.Held.class)).isEmpty();
        assertThat(play.takeStarted()).isEmpty();
    }

    @Test
    void nobodyHoldsBehindAHeadThatItsQueuesLimitKeepsBack() {
        queue("a", new TreeMap<>(Map.of("memory", gibi(8))));
        jobs.submit("r", 0, remembers("a", 4));
        jobs.submit("head", 1, remembers("a", 8));
        assertThat(play.takeStarted()).containsExactly("r");
        jobs.submit("behind", 2, spec("a", role("worker", 1, 1)));
        nobodyHoldsOrStarts();
        jobs.end("r", 0);
        assertThat(play.takeStarted()).containsExactly("head", "behind");
    }

    @Test
    void nobodyHoldsBehindAHeadThatItsNamespaceKeepsBack() {
        queue("a", new TreeMap<>());
        jobs.namespace("requests.memory", gibi(8));
        jobs.submit("r", 0, remembers("a", 4));
        jobs.submit("head", 1, remembers("a", 8));
        assertThat(play.takeStarted()).containsExactly("r");
        jobs.submit("behind", 2, spec("a", role("worker", 1, 1)));
        nobodyHoldsOrStarts();
    }

    /**
     * What others use within their guarantee nobody makes room in, and nobody passes who lacks it.
     */
    @Test
    void nobodyIsEndedForOneBehindAHeadThatLacksWhatOthersWereGuaranteed() {
        play.on(
                new Event.PoolPut(
                        "default",
                        Fixtures.pool(
                                QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN,
                                new PoolSpec.Preemption(
                                        PoolSpec.Mode.LOWER_PRIORITY, Duration.ZERO, 3)),
                        null));
        jobs.queue("g", QueueSpecs.guaranteed(10));
        jobs.submit("g0", 0, spec("g", role("worker", 10, 1)));
        var order = new QueueSpec.Order(QueueSpec.Kind.PRIORITY, 0, false, RESERVE_AFTER);
        jobs.queue("a", QueueSpecs.running(1, QueueSpecs.with(QueueSpecs.QUEUE, order)));
        var low = Fixtures.job("low", 1);
        new OneJob(play, low).runs(spec("a", role("worker", 1, 1)));
        jobs.submit("head", 2, at(9, spec("a", role("worker", 10, 1))));
        jobs.submit("behind", 3, at(5, spec("a", role("worker", 1, 1))));
        nobodyHoldsOrStarts();
        assertThat(play.job(low).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void nothingOfANamespaceIsKeptBehindAHeadThatLacksWhatOthersWereGuaranteed() {
        jobs.queue("g", QueueSpecs.guaranteed(10));
        jobs.submit("g0", 0, spec("g", role("worker", 10, 1)));
        queue("a", new TreeMap<>());
        jobs.queue("c", QueueSpecs.QUEUE);
        jobs.namespace("requests.memory", gibi(8));
        jobs.submit("head", 1, spec("a", role("worker", 10, 1)));
        jobs.submit("behind", 2, remembers("a", 6));
        play.passHeard(RESERVE_AFTER.multipliedBy(3), 0);
        assertThat(play.takeStarted()).containsExactly("g0");
        jobs.submit("other", 3, remembers("c", 4));
        assertThat(play.takeStarted()).containsExactly("other");
    }

    /** It is passed over by all others, too. */
    @Test
    void whoStandsBehindOneThatCouldNeverStartMayHold() {
        queue("a", new TreeMap<>(Map.of("memory", gibi(8))));
        queue("b", new TreeMap<>());
        jobs.submit("r", 0, spec("b", role("worker", 2, 6)));
        jobs.submit("never", 1, remembers("a", 9));
        jobs.submit("behind", 2, spec("a", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job().name()).isEqualTo("behind");
    }

    /** It is in no head's way, and no head is in its. */
    @ParameterizedTest
    @MethodSource
    void whoComesBeforeTheHeadAndCouldNeverStartIsToldWhy(JobSpec never, Code code) {
        queue("a", new TreeMap<>(Map.of("memory", gibi(8))));
        jobs.submit("r", 0, spec("a", role("worker", 2, 6)));
        jobs.submit("head", 1, spec("a", role("worker", 1, 4)));
        jobs.submit("behind", 2, at(-9, never));
        assertThat(play.take(Effect.Waits.class))
                .extracting(waits -> waits.job().name())
                .containsExactly("head");
        jobs.submit("before", 3, at(9, never));
        assertThat(play.takeOne(Effect.Waits.class))
                .returns("before", waits -> waits.job().name())
                .returns(code, waits -> waits.reason().code());
    }

    static List<Arguments> whoComesBeforeTheHeadAndCouldNeverStartIsToldWhy() {
        return List.of(
                arguments(spec("a", role("worker", 1, 9)), Code.INSUFFICIENT_CAPACITY),
                arguments(remembers("a", 9), Code.EXCEEDS_MAX_QUOTA));
    }

    /** It may not start, so what it could use may be used by others. */
    @Test
    void elasticJobLeavesNoRoomToOneThatMayNotPassAHead() {
        queue("a", new TreeMap<>(Map.of("memory", gibi(8))));
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.submit("r", 0, remembers("a", 4));
        play.on(new Event.OthersUse(WATCHER, "node-1", Fixtures.cpu(8)));
        play.on(new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(5)));
        var elastic = Fixtures.job("e", 1);
        jobs.submit("e", 1, ElasticJobs.elastic("b", 2, 6, 6));
        var one = new OneJob(play, elastic);
        one.applied(false);
        one.see(0, Event.PodPhase.RUNNING, null);
        one.see(1, Event.PodPhase.RUNNING, null);
        assertThat(play.ranks(elastic)).hasSize(2);
        jobs.submit("head", 2, remembers("a", 8));
        jobs.submit("behind", 3, spec("a", role("worker", 1, 8)));
        play.on(new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(0)));
        assertThat(play.ranks(elastic)).hasSize(6);
    }
}
