package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A job is ended for others so often at most. */
class PoolPreemptionBudgetTest {
    private static final int PODS = 4;

    /** After which a head holds, and ends others. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Play play = Play.withNodes(PODS);
    private final JobId low = job("low", 1);
    private final OneJob victim = new OneJob(play, low);

    @Test
    void itIsEndedAsOftenAsTheBudgetAllows() {
        begin(2);
        isEndedFor(job("first", 2));
        runsAgain(job("first", 2));
        isEndedFor(job("second", 3));
        assertThat(play.job(low).past().preempted()).isEqualTo(2);
    }

    @Test
    void andNotOnceMore() {
        begin(1);
        isEndedFor(job("first", 2));
        runsAgain(job("first", 2));
        play.restart();
        comes(job("second", 3));
        assertThat(play.take(Effect.Preempted.class)).isEmpty();
        assertThat(play.job(low).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void norWhereThereIsNone() {
        begin(0);
        comes(job("first", 2));
        assertThat(play.take(Effect.Preempted.class)).isEmpty();
    }

    private void begin(int budget) {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        var rules = new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, Duration.ZERO, budget);
        var spec = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", spec, null));
        victim.runs(workers(PODS, 1));
    }

    /** And waits for long. */
    private void comes(JobId high) {
        play.takeEffects();
        play.on(new Event.Submitted(high, at(9, workers(PODS, 1)), null));
        play.passHeard(LONG, 0);
    }

    private void isEndedFor(JobId high) {
        comes(high);
        assertThat(play.take(Effect.Preempted.class))
                .extracting(Effect.Preempted::job, Effect.Preempted::by)
                .containsExactly(tuple(low, high));
        for (int i = 0; i < PODS; i++) {
            play.on(new Event.PodGone(WATCHER, low, victim.newest(i)));
        }
        victim.applied(false);
        victim.applied(true);
        assertThat(play.job(high).state()).isInstanceOf(JobState.Starting.class);
    }

    /** For whom it was ended is cancelled. */
    private void runsAgain(JobId high) {
        play.on(Fixtures.cancel(high, "", null));
        var other = new OneJob(play, high);
        other.applied(false);
        other.applied(true);
        for (int i = 0; i < PODS; i++) {
            victim.seeNewest(i, PodPhase.RUNNING, null);
        }
        assertThat(play.job(low).state()).isInstanceOf(JobState.Running.class);
    }
}
