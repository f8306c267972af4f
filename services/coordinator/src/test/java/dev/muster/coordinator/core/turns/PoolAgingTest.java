package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting alone puts another job first, and nobody passes the first. */
class PoolAgingTest {
    private final Play play = Play.withNodes(7);
    private final JobId older = job("older", 2);

    PoolAgingTest() {
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, false, false, 1000), null));
        play.on(new Event.PoolPut("default", Fixtures.aging(Duration.ofMinutes(1), 1000), null));
        play.on(new Event.Submitted(job("runs", 1), workers(1, 7), null));
        play.on(new Event.Submitted(older, at(4, workers(1, 1)), null));
        play.pass(Duration.ofSeconds(30));
        play.on(new Event.Submitted(job("first", 3), at(5, workers(1, 4)), null));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 8)));
    }

    private boolean waits() {
        return play.job(older).state() instanceof JobState.Queued;
    }

    @Test
    void whoHasNotWaitedForLongEnoughWaits() {
        play.pass(Duration.ofSeconds(29));
        assertThat(waits()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoComesFirstByWaitingStartsThoughNothingElseChanges(boolean restored) {
        if (restored) {
            play.restart();
        }
        play.pass(Duration.ofSeconds(30).plus(Turns.LOOK));
        assertThat(waits()).isFalse();
    }

    @Test
    void whoAsksChangesNothing() {
        var asked = Pool.restore(play.allRows().toList());
        play.explain(older);
        var later = new Event.TimePassed(play.now().plus(Duration.ofMinutes(1)));
        assertThat(play.onStep(later)).isEqualTo(asked.on(later, later.until()));
    }
}
