package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.behind;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.suspended;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.Standing.Place;
import dev.muster.coordinator.core.Standing.Rival;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Shortage;
import dev.muster.coordinator.core.queue.Backlog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is published of a queue once, for all of its jobs, is said of the first of them: each that
 * is asked about has its own numbers, and is told only what stands in its own way.
 */
class PoolExplainQueueTest {
    private static final JobId FIRST = job("first", 1);
    private static final JobId SECOND = job("second", 2);
    private static final JobId THIRD = job("third", 3);

    private final Play play = Play.withNodes(64, 64);

    private void submit(JobId job, JobSpec spec) {
        play.on(new Event.Submitted(job, spec, null));
    }

    private Standing standing(JobId job) {
        return play.explain(job).orElseThrow();
    }

    private List<WaitReason> reasons(JobId job) {
        return standing(job).reasons();
    }

    /** Of the queue it is known that quota shuts it, as the first that waits found. */
    private void quotaShutsTheQueue() {
        play.on(new Event.QueuePut("default", limited(4), null));
        submit(FIRST, workers(1, 3));
        submit(SECOND, workers(1, 2));
    }

    @Test
    void jobHasItsOwnNeed() {
        quotaShutsTheQueue();
        submit(THIRD, workers(1, 4));

        assertThat(reasons(THIRD))
                .singleElement()
                .returns(Code.QUOTA_EXCEEDED, WaitReason::code)
                .returns(new Shortage(4000, 1000), WaitReason::shortage);
    }

    @Test
    void jobIsToldWhatIsLeftNow() {
        play.on(new Event.QueuePut("default", limited(4), null));
        var running = new OneJob(play, FIRST);
        running.runs(workers(1, 3));
        submit(SECOND, workers(1, 2));
        var told = play.now();
        assertThat(reasons(SECOND))
                .singleElement()
                .returns(new Shortage(2000, 1000), WaitReason::shortage);
        play.pass(Duration.ofMinutes(1));
        submit(THIRD, at(10, workers(1, 4)));
        running.succeed(0);

        assertThat(play.isUp(THIRD)).isTrue();
        assertThat(reasons(SECOND))
                .singleElement()
                .returns(new Shortage(2000, 0), WaitReason::shortage)
                .returns(told, WaitReason::since);
    }

    @Test
    void nothingIsInItsWaySinceBeforeItWasSubmitted() {
        quotaShutsTheQueue();
        play.pass(Duration.ofMinutes(3));
        submit(THIRD, workers(1, 4));

        assertThat(reasons(THIRD)).singleElement().returns(play.now(), WaitReason::since);
    }

    /** Its quota, or its head, was in the way of others alone until then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingIsInItsWaySinceBeforeItWasMovedToItsQueue(boolean byQuota) {
        if (byQuota) {
            quotaShutsTheQueue();
        } else {
            play.on(new Event.QueuePut("default", queue(1, false, false, 100), null));
            new OneJob(play, FIRST).runs(workers(1, 64));
            submit(SECOND, workers(2, 64));
        }
        play.on(new Event.QueuePut("other", queue(1, true, true, 100), null));
        play.pass(Duration.ofMinutes(1));
        submit(THIRD, spec("other", role("worker", 1, 4)));
        play.pass(Duration.ofMinutes(2));
        play.on(new Event.ChangeAsked(THIRD, new Change.Move("default"), null));
        var moved = play.now();
        play.restart();
        play.pass(Duration.ofMinutes(1));

        assertThat(reasons(THIRD))
                .singleElement()
                .returns(byQuota ? Code.QUOTA_EXCEEDED : Code.BEHIND_HEAD, WaitReason::code)
                .returns(moved, WaitReason::since);
    }

    @Test
    void suspendedJobThatFitsIsNotToldWhyOthersDoNot() {
        quotaShutsTheQueue();
        submit(THIRD, suspended(workers(1, 1)));

        assertThat(standing(THIRD).outlook().fits()).isTrue();
        assertThat(reasons(THIRD)).isEmpty();
    }

    @Test
    void gateOfItsOwnGoesBeforeQuota() {
        quotaShutsTheQueue();
        submit(THIRD, workers(1, 2));
        play.on(new Event.ChangeAsked(THIRD, new Change.Hold("until Monday"), null));

        assertThat(reasons(THIRD))
                .extracting(WaitReason::code)
                .containsExactly(Code.HELD, Code.QUOTA_EXCEEDED);
        assertThat(reasons(THIRD).getFirst().message()).isEqualTo("until Monday");
    }

    /** It needs nothing of what the limit is of. */
    @Test
    void jobOfADeeperLineIsToldWhatItLacksItself() {
        var doors =
                new QueueSpec.Doors(false, false, 2000, QueueSpec.Doors.UNLIMITED, new TreeSet<>());
        play.on(new Event.QueuePut("default", QueueSpecs.with(limited(4), doors), null));
        submit(FIRST, workers(1, 4));
        for (int i = 0; i < Backlog.DEPTH; i++) {
            submit(job("wide" + i, 10 + i), at(10 + i, workers(1, 1)));
        }
        var gpu = Amounts.of(Map.of("gpu", 1L));
        submit(SECOND, spec("default", role("worker", 1, gpu, NodeFilter.ANY)));

        assertThat(reasons(SECOND))
                .singleElement()
                .returns(Code.INSUFFICIENT_CAPACITY, WaitReason::code)
                .returns("gpu", WaitReason::scope);
    }

    /** One that could never start lets others pass, and is not in their way. */
    @Test
    void onlyThoseBehindTheHeadAreToldOfIt() {
        play.on(new Event.QueuePut("default", queue(1, false, false, 100), null));
        submit(FIRST, workers(2, 40));
        submit(SECOND, at(5, workers(1, 64)));
        submit(THIRD, at(10, workers(1, 65)));
        var last = job("last", 4);
        submit(last, workers(1, 1));

        assertThat(reasons(SECOND))
                .extracting(WaitReason::code)
                .containsExactly(Code.INSUFFICIENT_CAPACITY);
        assertThat(reasons(THIRD))
                .extracting(WaitReason::code)
                .containsExactly(Code.INSUFFICIENT_CAPACITY);
        assertThat(reasons(last))
                .singleElement()
                .returns(Code.BEHIND_HEAD, WaitReason::code)
                .returns(SECOND.toString(), WaitReason::scope);
    }

    /** It starts before whoever comes before it later. */
    @Test
    void nobodyIsInTheWayOfWhoHoldsRoom() {
        play.on(new Event.QueuePut("default", queue(1, false, false, 100), null));
        new OneJob(play, FIRST).runs(workers(2, 64));
        submit(SECOND, workers(2, 64));
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(play.rows(Row.Table.HOLD)).hasSize(1);
        submit(THIRD, at(10, workers(2, 64)));

        assertThat(reasons(SECOND))
                .extracting(WaitReason::code)
                .containsExactly(Code.INSUFFICIENT_CAPACITY);
    }

    static Stream<Arguments> aside() {
        var one = workers(1, 1);
        var nothing = new Change.Prioritise(0);
        return Stream.of(
                argumentSet("suspended", one, new Change.Suspend(null, "")),
                argumentSet("held", one, new Change.Hold("")),
                argumentSet("behind another", behind("other", false, one), nothing));
    }

    /** Let in now it would be the last: what it had waited before is forgotten then. */
    @ParameterizedTest
    @MethodSource("aside")
    void whoStandsAsideIsToldWhereHeWouldStandIfHeWereLetIn(JobSpec spec, Change change) {
        play.on(new Event.PoolPut("default", Fixtures.aging(Duration.ofMinutes(1), 1000), null));
        play.on(new Event.QueuePut("default", queue(1, false, false, 100), null));
        submit(job("other", 4), workers(2, 64));
        submit(FIRST, spec);
        play.on(new Event.ChangeAsked(FIRST, change, null));
        play.passHeard(Duration.ofMinutes(10), 0);
        submit(SECOND, workers(2, 64));
        play.passHeard(Duration.ofSeconds(1), 0);

        assertThat(standing(SECOND).place()).isEqualTo(new Place(1, 1));
        assertThat(standing(FIRST).place()).isEqualTo(new Place(2, 2));
        assertThat(standing(FIRST).ahead()).extracting(Rival::job).containsExactly(SECOND);
        assertThat(reasons(FIRST))
                .filteredOn(reason -> reason.code() == Code.BEHIND_HEAD)
                .extracting(WaitReason::scope)
                .containsExactly(SECOND.toString());
    }

    @Test
    void whoStandsAsideHasThePlaceOfHisSubmissionWhereWaitingAddsNothing() {
        submit(job("other", 4), workers(2, 64));
        submit(FIRST, suspended(workers(1, 1)));
        play.passHeard(Duration.ofMinutes(1), 0);
        submit(SECOND, workers(2, 64));

        assertThat(standing(FIRST).place()).isEqualTo(new Place(1, 2));
    }

    @Test
    void everybodyIsToldThatTheQueueIsPaused() {
        quotaShutsTheQueue();
        play.on(new Event.QueuePut("default", queue(1, true, true, 100), null));
        submit(THIRD, suspended(workers(1, 1)));

        assertThat(reasons(SECOND)).extracting(WaitReason::code).containsExactly(Code.QUEUE_PAUSED);
        assertThat(reasons(THIRD)).isEqualTo(reasons(SECOND));
    }

    @Test
    void jobIsOnItsWayWhileItWaitsForOthersAlone() {
        quotaShutsTheQueue();
        assertThat(standing(SECOND).isOnItsWay()).isTrue();
        submit(THIRD, workers(1, 5));
        assertThat(reasons(THIRD).getFirst().code()).isEqualTo(Code.EXCEEDS_MAX_QUOTA);
        assertThat(standing(THIRD).isOnItsWay()).isFalse();
        play.on(new Event.QueuePut("default", queue(1, true, true, 100), null));
        assertThat(standing(SECOND).isOnItsWay()).isFalse();
    }

    /** Its nodes are there; nobody is who would make its pods. */
    @Test
    void jobOfAPoolThatNobodyServesIsNotOnItsWay() {
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
        submit(SECOND, workers(1, 1));

        assertThat(reasons(SECOND).getFirst().code()).isEqualTo(Code.POOL_UNAVAILABLE);
        assertThat(standing(SECOND).outlook().everFits()).isTrue();
        assertThat(standing(SECOND).isOnItsWay()).isFalse();
    }

    @Test
    void headOfAnotherQueueHasItsOwnNumbers() {
        play.on(new Event.QueuePut("x", limited(4), null));
        var running = new OneJob(play, FIRST);
        running.runs(spec("x", role("worker", 1, 3)));
        submit(SECOND, spec("x", role("worker", 1, 2)));
        submit(THIRD, at(10, spec("x", role("worker", 1, 4))));
        running.succeed(0);
        var asked = job("asked", 4);
        submit(asked, workers(1, 65));

        assertThat(standing(asked).rivals())
                .singleElement()
                .returns(SECOND, Rival::job)
                .extracting(Rival::reason)
                .returns(new Shortage(2000, 0), WaitReason::shortage);
    }
}
