package dev.muster.coordinator.core.commands;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Selector;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A pool that is emptied, and then retired, as docs/guide/pools.md says it. */
class PoolRetiredTest {
    private final Play play = Play.withNodes(4);
    private final JobId ran = job("ran", 1);
    private final JobId waits = job("waits", 2);

    /** Neither who is suspended nor who waits in a paused queue ends by itself. */
    @Test
    void queueGoesOnceItsJobsAreCancelled() {
        var one = new OneJob(play, ran);
        one.runs(workers(1, 1));
        var paused = QueueSpecs.queue(1, true, true, 9);
        play.on(
                new Event.QueueChange(
                        "default", paused, new TreeSet<>(List.of("paused")), false, null));
        all(new Change.Suspend(null, ""));
        one.applied(false);
        one.gone(0);
        one.applied(true);
        play.on(new Event.Submitted(waits, workers(1, 1), null));
        assertThat(phases()).containsExactly(Phase.SUSPENDED, Phase.QUEUED);

        play.on(new Event.QueueDelete("default", true, null));
        play.pass(Duration.ofDays(1));
        assertThat(play.take(Effect.QueueDeleted.class)).isEmpty();
        assertThat(play.rows.get(Row.Table.QUEUE)).containsKey("default");

        all(new Change.Cancel(null, ""));
        assertThat(play.take(Effect.QueueDeleted.class))
                .containsExactly(new Effect.QueueDeleted("default"));
    }

    private void all(Change change) {
        play.on(new Event.BulkAsked(new Selector(null, null, new TreeMap<>()), change, null));
    }

    private List<Phase> phases() {
        return List.of(play.job(ran).state().phase(), play.job(waits).state().phase());
    }
}
