package dev.muster.coordinator.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Amounts;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeedsTest {
    private final Needs needs = new Needs();

    /** What needs 20 may start with 20 left, and not with 19. */
    @ParameterizedTest
    @CsvSource({
        "19, 20, true",
        "20, 19, true",
        "20, 21, false",
        "18, 19, false",
        "-5, 4, false",
        "-5, 5, true",
        "0, 100, true",
        "20, 20, false"
    })
    void changeBearsOnWhoNeedsWhatLiesBetween(long one, long other, boolean bears) {
        needs.add(Amounts.of(Map.of("cpu", 20L)));
        needs.add(Amounts.of(Map.of("cpu", 5L, "gpu", 8L)));
        assertThat(needs.isAnyBetween("cpu", one, other)).isEqualTo(bears);
    }

    @Test
    void lineThatIsGoneNeedsNothing() {
        var need = Amounts.of(Map.of("cpu", 20L));
        needs.add(need);
        needs.add(need);
        needs.remove(need);
        assertThat(needs.above("cpu", 19)).isEqualTo(20);
        assertThat(needs.above("cpu", 20)).isNull();
        assertThat(needs.within("cpu", 20)).isEqualTo(20);
        assertThat(needs.within("cpu", 19)).isNull();
        needs.remove(need);
        assertThat(needs.above("cpu", 0)).isNull();
        assertThat(needs.within("cpu", 100)).isNull();
        assertThat(needs.isAnyBetween("cpu", 0, 100)).isFalse();
    }
}
