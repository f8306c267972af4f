package dev.muster.coordinator.core.queue;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.NamedJobs.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A job waits in queue a: of which shapes it is told that the first lines have them, or no more.
 */
class ChangedShapesTest {
    private static final Shape ONE = Fixtures.shape(one("a"));

    private final Tables tables = new Tables(new Journal());
    private final Backlog backlog = tables.backlog;

    @BeforeEach
    void jobWaits() {
        var play = Play.withNodes();
        play.on(new Event.QueuePut("a", QueueSpecs.QUEUE, null));
        play.on(new Event.Submitted(job("x", 1), one("a"), null));
        play.allRows().forEach(tables::restore);
        look();
    }

    private void look() {
        backlog.lines("a", tables.eligibility.order(tables.queue("a"), tables.now()));
    }

    private Job waiting() {
        return tables.job(job("x", 1));
    }

    private void goes() {
        backlog.remove(waiting(), tables.makeup(waiting()), _ -> Fixtures.NOON);
    }

    private void comes() {
        backlog.add(waiting(), tables.makeup(waiting()));
        look();
    }

    @Test
    void shapeOfAFirstLineIsToldOfToEachOnce() {
        assertThat(backlog.changedForTurns.take()).containsExactly(ONE);
        assertThat(backlog.changedForTurns.take()).isEmpty();
        assertThat(backlog.changedForReserves.take()).containsExactly(ONE);
        goes();
        assertThat(backlog.changedForTurns.take()).containsExactly(ONE);
    }

    /** Else who comes and goes would be remembered as long as nobody asks. */
    @Test
    void shapeThatHasComeAndGoneIsNotToldOf() {
        goes();
        assertThat(backlog.changedForTurns.take()).isEmpty();
        comes();
        backlog.changedForReserves.take();
        goes();
        comes();
        assertThat(backlog.changedForReserves.take()).isEmpty();
    }
}
