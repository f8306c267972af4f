package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.placement.Seats.Closed;
import dev.muster.coordinator.core.placement.Seats.Supply;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A gang needs very many domains, which are nodes, and there are as many that take none of it. */
class FewDomainsTest {
    private static final int NEEDED = 1_100;

    /** Each compared with each that is needed would be too many. */
    private static final int FULL = 2_000_000 / NEEDED + 1;

    private final Rooms rooms = new Rooms();

    private Seats seats() {
        var part = Fixtures.shape(Fixtures.workers(NEEDED, 1)).parts().getFirst();
        var kind = new Kinds(rooms).of(View.NOW, part);
        var supply = new Supply(kind, new Draft(rooms, View.NOW, Extra.NONE));
        var open = new Closed(new BitSet(), new BitSet(), List.of(), new BitSet());
        return new Seats(part, supply, null, open);
    }

    @Test
    void domainsWithoutRoomAreNotComparedHoweverManyThereAre() {
        for (int i = 0; i < FULL; i++) {
            rooms.put(node("full-" + i, 0));
        }
        for (int i = 0; i < NEEDED; i++) {
            rooms.put(node("node-" + i, 1));
        }
        var seats = seats();
        var all = new Domains(rooms).of(null).all();
        var few = new FewDomains(List.of(seats), all);
        for (int i = 0; i < NEEDED; i++) {
            var next = all.get(few.next());
            assertThat(next.name()).startsWith("node-");
            assertThat(few.areTooMany()).isFalse();
            seats.fill(next.nodes(), seats.left());
        }
        assertThat(seats.left()).isZero();
        assertThat(few.next()).isEqualTo(-1);
    }
}
