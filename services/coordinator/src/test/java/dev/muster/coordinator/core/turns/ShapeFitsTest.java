package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.NamedJobs.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job waits in queue a, one of a queue b waits for nothing: which is looked at, and when. */
class ShapeFitsTest {
    private static final List<String> ALL = List.of("a", "b");
    private static final Shape ONE = Fixtures.shape(one("a"));

    private final Tables tables = new Tables(new Journal());
    private final ShapeFits fits = new ShapeFits(tables);

    @BeforeEach
    void jobWaitsForANode() {
        var play = Play.withNodes();
        ALL.forEach(name -> play.on(new Event.QueuePut(name, QueueSpecs.QUEUE, null)));
        play.on(new Event.Submitted(job("x", 1), one("a"), null));
        play.allRows().forEach(tables::restore);
        var queue = tables.queue("a");
        tables.backlog.lines("a", tables.eligibility.order(queue, tables.now()));
    }

    @Test
    void shapesAreAskedForAgainOnlyAfterAChange() {
        assertThat(fits.refresh()).isTrue();
        assertThat(fits.refresh()).isFalse();
        tables.restore(node("node-0", 4));
        assertThat(fits.areOld()).isTrue();
        assertThat(fits.refresh()).isTrue();
        assertThat(fits.areOld()).isFalse();
        assertThat(fits.of(ONE).fits()).isTrue();
    }

    @Test
    void queueIsLookedAtOnceOneOfItsShapesBeginsToFit() {
        tables.restore(node("node-0", 4));
        tables.capacity.occupy("node-0", Fixtures.cpu(4));
        fits.refresh();
        tables.marks.forTurns.take(ALL);
        tables.capacity.release("node-0", Fixtures.cpu(4));
        fits.refresh();
        assertThat(tables.marks.forTurns.take(ALL)).containsExactly("a");
        tables.capacity.occupy("node-0", Fixtures.cpu(1));
        fits.refresh();
        assertThat(tables.marks.forTurns.take(ALL)).isEmpty();
    }

    @Test
    void shapeOfNoneOfTheFirstLinesIsKnownUntilTheNextRefresh() {
        var further = Fixtures.shape(Fixtures.workers(3, 1));
        fits.refresh();
        var met = fits.of(further);
        assertThat(fits.of(further)).isSameAs(met);
        var first = fits.of(ONE);
        fits.refresh();
        assertThat(fits.of(further)).isNotSameAs(met);
        assertThat(fits.of(ONE)).isSameAs(first);
    }

    @Test
    void fewerFitOnceOneThatFittedDoesNot() {
        tables.restore(node("node-0", 4));
        fits.refresh();
        assertThat(fits.fewerFit()).isFalse();
        tables.capacity.occupy("node-0", Fixtures.cpu(4));
        assertThat(fits.fewerFit()).isTrue();
        assertThat(fits.fewerFit()).isFalse();
    }

    @Test
    void whatIsSaidOfAShapeIsToldOnceUntilItIsAnother() {
        fits.refresh();
        fits.judge();
        tables.marks.forReasons.take(ALL);
        fits.judge();
        assertThat(tables.marks.forReasons.take(ALL)).isEmpty();
        tables.capacity.put(node("node-0", 4));
        fits.judge();
        assertThat(tables.marks.forReasons.take(ALL)).containsExactly("a");
    }
}
