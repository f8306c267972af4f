package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Sweep.Place;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where the lines of a queue stand that no round looks at. */
class SweepTest {
    @Test
    void whatIsWorthMostStandsFirstAndThenWhoCameFirst() {
        var places =
                List.of(
                        new Place(9, NOON.plusSeconds(9), 9),
                        new Place(5, null, 1),
                        new Place(5, null, 2),
                        new Place(5, NOON, 4),
                        new Place(5, NOON, 6),
                        new Place(5, NOON.plusSeconds(1), 3),
                        new Place(-1, null, 0));
        assertThat(places).isSorted();
        assertThat(places.reversed().stream().sorted()).isEqualTo(places);
    }

    @Test
    void sweepThatIsOverRemembersWhoWasServedAndWhoLeft() {
        var sweep = Sweep.NONE.from("a", NOON).serving("b").leaving("ml/j").onceMore();
        var after = sweep.after(new Place(1, null, 7)).in("c");
        assertThat(after).isEqualTo(new Sweep("c", null, NOON, "a", true, "b", "ml/j", null));
        assertThat(after.over())
                .isEqualTo(new Sweep(null, null, NOON, "a", false, "b", "ml/j", null));
    }
}
