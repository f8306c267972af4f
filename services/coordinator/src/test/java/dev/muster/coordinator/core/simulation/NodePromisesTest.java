package dev.muster.coordinator.core.simulation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Row;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** That it is found when somebody takes of a node what was not free. */
class NodePromisesTest {
    private static final String FOUND = "more cpu was taken than there was";

    private final Play play = Play.withNodes(4);

    private void takesAll() {
        play.on(new Event.Submitted(Fixtures.job("one", 1), Fixtures.workers(2, 2), null));
    }

    private void isNow(Row row) {
        var key = row.key();
        play.rows.computeIfAbsent(key.table(), _ -> new TreeMap<>()).put(key.id(), row);
    }

    private void isFound() {
        assertThatThrownBy(() -> NodePromises.areKept(play)).hasMessageContaining(FOUND);
    }

    @Test
    void nodeMayBeTakenAsAWhole() {
        takesAll();
        assertThatCode(() -> NodePromises.areKept(play)).doesNotThrowAnyException();
    }

    @Test
    void moreThanTheNodeHasIsFound() {
        takesAll();
        isNow(Fixtures.node("node-0", 3));
        isFound();
    }

    @Test
    void moreThanTheSpareNodeHasIsFound() {
        takesAll();
        play.on(new Event.NodeSeen(Fixtures.WATCHER, Fixtures.node("spare", 1)));
        play.on(new Event.Submitted(Fixtures.job("two", 2), Fixtures.workers(1, 1), null));
        isNow(Fixtures.node("spare", 0));
        isFound();
    }

    @Test
    void whatOthersUseOfItIsFoundWhicheverShardSaysSo() {
        takesAll();
        isNow(new Others("node-0", 1, Fixtures.cpu(1), 0));
        isFound();
    }

    @Test
    void whatIsHeldForAnotherIsFound() {
        takesAll();
        isNow(new Hold.Room("node-0", Fixtures.cpu(1), new TreeSet<>()));
        isFound();
    }

    @Test
    void nodeMayBeSmallerAfterwards() {
        takesAll();
        NodePromises.areKept(play);
        play.on(new Event.NodeSeen(Fixtures.WATCHER, Fixtures.node("node-0", 3)));
        assertThatCode(() -> NodePromises.areKept(play)).doesNotThrowAnyException();
    }
}
