package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job that was ended for another keeps its place in the queue, also while it still stops. */
class PoolComebacksTest {
    private static final Duration SOON = Duration.ofSeconds(3);

    private final Play play = Play.withNodes(1);
    private final JobId ended = job("ended", 1);
    private final JobId high = job("high", 2);
    private final JobId next = job("next", 3);
    private final OneJob first = new OneJob(play, ended);
    private final OneJob second = new OneJob(play, high);

    @BeforeEach
    void oneIsEndedForAHigherPriority() {
        var rules = new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, Duration.ZERO, 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
        put(QueueSpec.Kind.PRIORITY);
        first.runs(at(1, workers(1, 1)));
        play.on(new Event.Submitted(high, at(5, workers(1, 1)), null));
        play.passHeard(SOON, 0);
        assertThat(play.takeOne(Effect.Preempted.class).job()).isEqualTo(ended);
    }

    private void put(QueueSpec.Kind kind) {
        var order = new QueueSpec.Order(kind, 0, true, SOON);
        play.on(new Event.QueuePut("default", QueueSpecs.with(QueueSpecs.QUEUE, order), null));
    }

    /** It has waited for as long as the others by the time that the room is there. */
    private void nextHolds(int priority) {
        play.on(new Event.Submitted(next, at(priority, workers(1, 1)), null));
        play.passHeard(SOON, 0);
        first.gone(0);
        assertThat(phase(high)).isEqualTo(Phase.STARTING);
        assertThat(play.take(Effect.Held.class).getLast().job()).isEqualTo(next);
    }

    private void isBack() {
        first.applied(false);
        first.applied(true);
        assertThat(phase(ended)).isEqualTo(Phase.QUEUED);
    }

    /** Before another could hold anew. */
    private void highEnds() {
        second.applied(false);
        second.seeNewest(0, PodPhase.RUNNING, null);
        second.seeNewest(0, PodPhase.SUCCEEDED, 0);
        assertThat(phase(high)).isEqualTo(Phase.SUCCEEDED);
    }

    private Phase phase(JobId id) {
        return play.job(id).state().phase();
    }

    @Test
    void weakerOneThatCameToHoldMeanwhileGivesTheHoldUp() {
        nextHolds(0);
        isBack();
        assertThat(play.rows(Row.Table.HOLD)).isEmpty();
        highEnds();
        assertThat(phase(ended)).isEqualTo(Phase.STARTING);
        assertThat(phase(next)).isEqualTo(Phase.QUEUED);
    }

    @Test
    void whoIsMadeOfItsRowsDoesTheSame() {
        nextHolds(0);
        play.restart();
        isBack();
        highEnds();
        assertThat(phase(ended)).isEqualTo(Phase.STARTING);
    }

    @Test
    void itIsTheNextToHoldThen() {
        nextHolds(0);
        isBack();
        play.takeEffects();
        play.passHeard(SOON, 0);
        assertThat(play.takeOne(Effect.Held.class).job()).isEqualTo(ended);
    }

    @Test
    void strongerOneKeepsTheHold() {
        nextHolds(2);
        isBack();
        highEnds();
        assertThat(phase(next)).isEqualTo(Phase.STARTING);
        assertThat(phase(ended)).isEqualTo(Phase.QUEUED);
    }

    /** Nobody is ended for one of the same priority. */
    @Test
    void oneOfTheSamePriorityKeepsTheHold() {
        nextHolds(1);
        isBack();
        highEnds();
        assertThat(phase(next)).isEqualTo(Phase.STARTING);
    }

    @Test
    void oneOfAnotherQueueKeepsTheHold() {
        var order = new QueueSpec.Order(QueueSpec.Kind.PRIORITY, 0, true, SOON);
        play.on(new Event.QueuePut("other", QueueSpecs.with(QueueSpecs.QUEUE, order), null));
        play.on(
                new Event.Submitted(
                        next, Fixtures.spec("other", Fixtures.role("worker", 1, 1)), null));
        play.passHeard(SOON, 0);
        first.gone(0);
        isBack();
        highEnds();
        assertThat(phase(next)).isEqualTo(Phase.STARTING);
    }
}
