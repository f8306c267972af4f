package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.suspended;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.core.Standing.Place;
import dev.muster.coordinator.core.Standing.Rival;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.BusyPool;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Shortage;
import dev.muster.coordinator.core.simulation.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a job stands when somebody asks. */
class PoolExplainTest {
    private static final JobId FIRST = job("first", 1);
    private static final JobId SECOND = job("second", 2);
    private static final JobId THIRD = job("third", 3);

    private static void submit(Play play, JobId job, JobSpec spec) {
        play.on(new Event.Submitted(job, spec, null));
    }

    @Test
    void jobThatIsNotKnownIsNotExplained() {
        assertThat(Play.withNodes(4).explain(FIRST)).isEmpty();
    }

    @Test
    void waitingJobKnowsItsPlaceItsNumbersAndTheNodesThatNearlyFit() {
        var play = Play.withNodes(4);
        submit(play, FIRST, workers(1, 3));
        submit(play, SECOND, workers(1, 2));
        submit(play, THIRD, workers(1, 2));

        var standing = play.explain(THIRD).orElseThrow();

        assertThat(standing.place()).isEqualTo(new Place(2, 2));
        assertThat(standing.reasons())
                .singleElement()
                .returns(Code.INSUFFICIENT_CAPACITY, WaitReason::code)
                .returns("cpu", WaitReason::scope)
                .returns(new Shortage(2000, 1000), WaitReason::shortage)
                .returns("1 more of cpu free", WaitReason::remedy)
                .satisfies(reason ->
                        assertThat(reason.nearest())
                                .extracting(WaitReason.Lack::node)
                                .containsExactly("node-0"));
        assertThat(standing.ahead()).extracting(Rival::job).containsExactly(SECOND);
        assertThat(standing.outlook().fits()).isFalse();
    }

    @Test
    void reasonHoldsSinceItWasFirstTold() {
        var play = Play.withNodes(4);
        submit(play, FIRST, workers(1, 3));
        submit(play, SECOND, workers(1, 2));
        var told = play.now();
        play.pass(Duration.ofMinutes(3));
        play.on(new Event.OthersUse(Fixtures.WATCHER, "node-0", cpu(1)));

        assertThat(play.explain(SECOND).orElseThrow().reasons())
                .singleElement()
                .returns(told, WaitReason::since)
                .returns(new Shortage(2000, 0), WaitReason::shortage);
    }

    /** One is told for both. */
    @Test
    void reasonThatWasToldOfAnotherHoldsNoLongerThanTheJobWaits() {
        var play = Play.withNodes(1);
        submit(play, FIRST, workers(1, 2));
        play.pass(Duration.ofMinutes(3));
        submit(play, SECOND, workers(1, 2));
        var came = play.now();
        play.pass(Duration.ofMinutes(3));
        assertThat(play.explain(SECOND).orElseThrow().reasons())
                .singleElement()
                .returns(came, WaitReason::since);
    }

    @Test
    void higherPriorityStandsBefore() {
        var play = Play.withNodes(1);
        submit(play, FIRST, workers(1, 2));
        submit(play, SECOND, at(5, workers(1, 2)));

        assertThat(play.explain(FIRST).orElseThrow().place()).isEqualTo(new Place(2, 2));
        assertThat(play.explain(SECOND).orElseThrow().place()).isEqualTo(new Place(1, 2));
    }

    /** One for each minute: after ten, it stands before a priority of 5 and behind one of 11. */
    @Test
    void placeHeedsWhatWaitingAddsToAPriority() {
        var play = Play.withNodes(1);
        play.on(new Event.PoolPut("default", Fixtures.aging(Duration.ofMinutes(1), 1000), null));
        submit(play, FIRST, workers(1, 2));
        play.passHeard(Duration.ofMinutes(10), 0);
        submit(play, SECOND, at(5, workers(1, 2)));
        submit(play, THIRD, at(11, workers(1, 2)));

        assertThat(play.explain(FIRST).orElseThrow().place()).isEqualTo(new Place(2, 3));
        assertThat(play.explain(SECOND).orElseThrow().place()).isEqualTo(new Place(3, 3));
        assertThat(play.explain(THIRD).orElseThrow().place()).isEqualTo(new Place(1, 3));
    }

    @Test
    void suspendedJobSaysWhetherItWouldFitNow() {
        var play = Play.withNodes(4);
        submit(play, FIRST, suspended(workers(1, 4)));
        submit(play, SECOND, suspended(workers(1, 5)));

        assertThat(play.explain(FIRST).orElseThrow().outlook().fits()).isTrue();
        assertThat(play.explain(FIRST).orElseThrow().reasons()).isEmpty();
        assertThat(play.explain(SECOND).orElseThrow().outlook().fits()).isFalse();
        assertThat(play.explain(SECOND).orElseThrow().reasons())
                .extracting(WaitReason::code)
                .containsExactly(Code.INSUFFICIENT_CAPACITY);
    }

    @Test
    void jobThatMayHoldSaysFromWhen() {
        var play = Play.withNodes(4);
        submit(play, FIRST, workers(1, 3));
        submit(play, SECOND, workers(1, 2));
        assertThat(mayHoldFrom(play, SECOND)).isEqualTo(play.now().plus(Duration.ofMinutes(5)));
    }

    /** Nothing of nodes is kept for it then. */
    @Test
    void jobThatItsQueueWouldNotLetStartHoldsNothing() {
        var play = Play.withNodes(4);
        play.on(new Event.QueuePut("default", QueueSpecs.limited(4), null));
        submit(play, FIRST, workers(1, 3));
        submit(play, SECOND, workers(1, 2));
        assertThat(mayHoldFrom(play, SECOND)).isNull();
        play.on(new Event.QueuePut("default", QueueSpecs.limited(1), null));
        assertThat(mayHoldFrom(play, SECOND)).isNull();
    }

    /** Others borrow what it needs. */
    @Test
    void jobOfADelegatedPoolIsNotToldFromWhenItMayHold() {
        var play = Play.withNodes(4, 4);
        play.on(
                new Event.PoolPut(
                        "default",
                        new PoolSpec(
                                new TreeMap<>(),
                                QueuePolicy.FIFO,
                                PoolSpec.Preemption.OFF,
                                PoolSpec.Priorities.PLAIN,
                                PoolSpec.Spot.NONE,
                                new PoolSpec.Backing(PoolSpec.Backend.VOLCANO, true, "muster")),
                        null));
        var served = Set.of(PoolSpec.Backend.VOLCANO);
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0), served, false));
        play.on(new Event.QueuePut("b", QueueSpecs.guaranteed(4), null));
        submit(play, FIRST, workers(3, 2));
        submit(play, SECOND, workers(3, 1));
        assertThat(play.explain(SECOND).orElseThrow().reasons()).isNotEmpty();
        assertThat(mayHoldFrom(play, SECOND)).isNull();
    }

    private static @Nullable Instant mayHoldFrom(Play play, JobId job) {
        return play.explain(job).orElseThrow().outlook().mayHoldFrom();
    }

    @Test
    void factOfTheQueueComesFirst() {
        var play = Play.withNodes(4);
        play.on(new Event.QueuePut("default", queue(1, true, true, 10), null));
        submit(play, FIRST, workers(1, 5));

        assertThat(play.explain(FIRST).orElseThrow().reasons())
                .extracting(WaitReason::code)
                .containsExactly(Code.QUEUE_PAUSED, Code.INSUFFICIENT_CAPACITY);
    }

    @Test
    void suspendedJobSaysForWhomItWouldStillWait() {
        var play = Play.withNodes(4);
        submit(play, FIRST, workers(1, 1));
        submit(play, SECOND, suspended(Fixtures.behind(FIRST.name(), true, workers(1, 1))));

        assertThat(play.explain(SECOND).orElseThrow().reasons())
                .extracting(WaitReason::code, WaitReason::message)
                .containsExactly(
                        tuple(Code.WAITING_FOR_DEPENDENCY, "it waits for " + FIRST.fullName()));
    }

    @Test
    void suspendedJobSaysThatItIsHeldToo() {
        var play = Play.withNodes(4);
        submit(play, FIRST, suspended(workers(1, 1)));
        play.on(new Event.ChangeAsked(FIRST, new Change.Hold("until Monday"), null));

        assertThat(play.explain(FIRST).orElseThrow().reasons())
                .extracting(WaitReason::code, WaitReason::message)
                .containsExactly(tuple(Code.HELD, "until Monday"));
    }

    @Test
    void suspendedJobSaysUntilWhenItBacksOff() {
        var pool = new BusyPool();
        pool.submit(FIRST, workers(1, 1));
        pool.play.passHeard(Duration.ofMinutes(5).plusSeconds(10), 0);
        pool.gone(FIRST, pool.play.take(Effect.StopPlan.class).getLast().version());
        var backsOff = pool.play.explain(FIRST).orElseThrow();
        pool.change(FIRST, new Change.Suspend(null, ""));

        var standing = pool.play.explain(FIRST).orElseThrow();
        assertThat(standing.reasons())
                .extracting(WaitReason::code)
                .containsExactly(Code.BACKING_OFF);
        assertThat(standing.outlook().nextTry())
                .isNotNull()
                .isEqualTo(backsOff.outlook().nextTry());
        pool.play.passHeard(Duration.ofMinutes(5), 0);
        assertThat(pool.play.explain(FIRST).orElseThrow())
                .returns(List.of(), Standing::reasons)
                .returns(null, later -> later.outlook().nextTry());
    }

    @Test
    void gangThatIsLargerThanItsNamespacesQuotaNeverStartsAndSaysSo() {
        var play = Play.withNodes(16);
        var hard = Amounts.of(Map.of("requests.cpu", 3000L));
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", hard, Amounts.NONE));
        submit(play, FIRST, workers(2, 2));
        submit(play, SECOND, workers(1, 2));

        assertThat(play.explain(FIRST).orElseThrow().reasons())
                .extracting(WaitReason::code)
                .containsExactly(Code.EXCEEDS_MAX_QUOTA);
        submit(play, THIRD, workers(1, 2));
        assertThat(play.explain(THIRD).orElseThrow().reasons())
                .extracting(WaitReason::code)
                .containsExactly(Code.QUOTA_EXCEEDED);
    }

    @Test
    void jobThatMayNotGrowForItsQueuesLimitSaysSo() {
        var play = Play.withNodes(16);
        play.on(new Event.QueuePut("default", QueueSpecs.limited(4), null));
        new OneJob(play, FIRST).runs(ElasticJobs.elastic("default", 2, 4, 8));
        var out = new Change.ScaleOut("worker", 2, Change.Terms.PLAIN);
        play.on(new Event.ChangeAsked(FIRST, out, null));

        var why = play.explain(FIRST).orElseThrow().reasons().getFirst();
        assertThat(why.code()).isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(why.message()).startsWith("worker has 4 of 6 that are wished: needs ");
    }

    @Test
    void quotaAndRoomAreToldBoth() {
        var play = Play.withNodes(4);
        play.on(new Event.QueuePut("default", QueueSpecs.limited(4), null));
        submit(play, FIRST, workers(1, 3));
        submit(play, SECOND, workers(1, 2));

        assertThat(play.explain(SECOND).orElseThrow().reasons())
                .extracting(WaitReason::code)
                .containsExactly(Code.QUOTA_EXCEEDED, Code.INSUFFICIENT_CAPACITY);
    }

    @Test
    void firstOfAQueueSaysWhenItMayKeepRoom() {
        var play = Play.withNodes(4);
        submit(play, FIRST, workers(1, 3));
        submit(play, SECOND, workers(1, 2));
        var since = play.now();

        assertThat(play.explain(SECOND).orElseThrow().outlook().mayHoldFrom())
                .isEqualTo(since.plus(Duration.ofMinutes(5)));
        play.pass(Duration.ofMinutes(6));
        assertThat(play.explain(SECOND).orElseThrow().outlook().holder()).isEqualTo(SECOND);
    }

    @Test
    void roomThatIsThereAndKeptForAnotherIsSaidToBe() {
        var play = Play.withNodes(4);
        submit(play, FIRST, workers(1, 2));
        submit(play, SECOND, workers(1, 3));
        play.pass(Duration.ofMinutes(6));
        submit(play, THIRD, workers(1, 2));

        assertThat(play.explain(THIRD).orElseThrow().reasons())
                .last()
                .returns(Code.INSUFFICIENT_CAPACITY, WaitReason::code)
                .returns(
                        "that %s, which room is kept for, starts or leaves"
                                .formatted(SECOND.fullName()),
                        WaitReason::remedy)
                .satisfies(reason ->
                        assertThat(reason.message())
                                .endsWith(
                                        "; what it lacks is there and kept for "
                                                + SECOND.fullName()))
                .satisfies(reason ->
                        assertThat(reason.nearest())
                                .extracting(WaitReason.Lack::lacks)
                                .containsExactly("lacks 2 of cpu"));
    }

    @Test
    void headsOfOtherQueuesAreItsRivals() {
        var play = Play.withNodes(1);
        play.on(new Event.QueuePut("x", queue(3, false, true, 50), null));
        submit(play, FIRST, workers(1, 2));
        submit(play, SECOND, Fixtures.spec("x", Fixtures.role("worker", 1, 2)));

        assertThat(play.explain(FIRST).orElseThrow().rivals())
                .singleElement()
                .returns(SECOND, Rival::job)
                .returns(3, Rival::weight)
                .satisfies(rival ->
                        assertThat(rival.reason())
                                .extracting(reason -> reason.code())
                                .isEqualTo(Code.INSUFFICIENT_CAPACITY));
    }

    @Test
    void startedJobStandsNowhere() {
        var play = Play.withNodes(4);
        submit(play, FIRST, workers(1, 3));

        assertThat(play.explain(FIRST).orElseThrow())
                .returns(null, Standing::place)
                .returns(Phase.STARTING, standing -> standing.job().state().phase());
    }

    @Test
    void startedJobNamesThoseThatItPassed() {
        var play = Play.withNodes(4);
        submit(play, FIRST, workers(1, 5));
        submit(play, SECOND, workers(1, 2));

        assertThat(play.explain(SECOND).orElseThrow().ahead())
                .extracting(Rival::job)
                .containsExactly(FIRST);
    }

    static LongStream seeds() {
        return LongStream.range(500, 505);
    }

    /** Beside it goes one that is never asked. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void poolThatWasAskedGoesOnAsItWould(long seed) {
        var asked = new Simulation(seed);
        asked.play.restart();
        for (int i = 0; i < 100; i++) {
            asked.run(3);
            asked.play.jobs().forEach(asked.play::explain);
        }
        asked.calmDown();
    }
}
