package dev.muster.coordinator.core.simulation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Source;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That it is found when a watcher of before is believed, or others are counted wrongly. */
class ShardChanceTest {
    private static final Event LATE =
            new Event.WatcherAlive(new Event.Witness(0, 1, 99, 99)); // Before the one of all.

    private final Play play = Play.withNodes(4);
    private final ShardChance shards = new ShardChance(1);

    @BeforeEach
    void nothingWasToldYet() {
        shards.isKept(play, null);
    }

    private void isNow(Row row) {
        var key = row.key();
        play.rows.computeIfAbsent(key.table(), _ -> new TreeMap<>()).put(key.id(), row);
    }

    @Test
    void lateWordThatChangesNothingIsIgnored() {
        play.on(LATE);
        assertThatCode(() -> shards.isKept(play, LATE)).doesNotThrowAnyException();
    }

    @Test
    void lateWordThatChangesSomethingIsFound() {
        isNow(Fixtures.node("node-0", 3));
        assertThatThrownBy(() -> shards.isKept(play, LATE)).hasMessageContaining("was believed");
    }

    @Test
    void whatNobodyToldOfOthersIsFound() {
        isNow(new Others("node-0", 1, Fixtures.cpu(1), 0));
        assertThatThrownBy(() -> shards.isKept(play, null)).hasMessageContaining("others use");
    }

    @Test
    void whoIsKnownWithAnotherLeaseIsFound() {
        isNow(Source.first(Source.Kind.WATCHER, 0, 90, play.now()));
        var alive = new Event.WatcherAlive(Fixtures.WATCHER);
        assertThatThrownBy(() -> shards.isKept(play, alive)).hasMessageContaining("is known of");
    }
}
