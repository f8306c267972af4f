package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import org.junit.jupiter.api.Test;

/** Which jobs have ranks on a node. */
class ResidentsTest {
    private final Play play = Play.withNodes(8);
    private final Residents residents = new Residents();

    private JobId come(String name, long offset) {
        var id = job(name, offset);
        play.on(new Event.Submitted(id, workers(3, 1), null));
        play.ranks(id).forEach(rank -> residents.count(rank, 1));
        return id;
    }

    @Test
    void jobIsThereUntilTheLastOfItsRanksIsForgotten() {
        var b = come("b", 2);
        var a = come("a", 1);
        assertThat(residents.of("node-0")).containsExactly(a, b);
        var ranks = play.ranks(a);
        residents.count(ranks.get(0), -1);
        residents.count(ranks.get(1), -1);
        assertThat(residents.of("node-0")).containsExactly(a, b);
        residents.count(ranks.get(2), -1);
        assertThat(residents.of("node-0")).containsExactly(b);
        play.ranks(b).forEach(rank -> residents.count(rank, -1));
        assertThat(residents.of("node-0")).isEmpty();
    }
}
