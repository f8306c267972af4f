package dev.muster.coordinator.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Amounts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which of two claims to the same room is the stronger one. */
class StrengthTest {
    private static final Amounts NEED = Amounts.of(Map.of("cpu", 2L, "gpu", 1L));
    private static final Amounts USED = Amounts.of(Map.of("cpu", 6L, "gpu", 4L));

    private static Strength of(String queue, int priority, Map<String, Long> guaranteed) {
        return Strength.of(queue, priority, priority, NEED, USED, Amounts.of(guaranteed));
    }

    @Test
    void withinAQueueItIsThePriorityWithWhatWaitingAdded() {
        var waited = Strength.of("a", 1, 5, NEED, USED, Amounts.of(Map.of("cpu", 1L)));
        assertThat(of("a", 4, Map.of("cpu", 8L)).isBelow(waited)).isTrue();
        assertThat(of("a", 5, Map.of()).isBelow(waited)).isFalse();
        assertThat(waited.isBelow(of("a", 5, Map.of()))).isFalse();
    }

    @Test
    void whoKeepsToAGuaranteeComesBeforeWhoBorrowsOfItWhateverTheNumbers() {
        var within = of("a", 0, Map.of("cpu", 6L));
        var borrower = of("b", 9, Map.of("cpu", 5L));
        assertThat(borrower.isBelow(within)).isTrue();
        assertThat(within.isBelow(borrower)).isFalse();
    }

    @Test
    void whoKeepsToAGuaranteeOfSomethingElseBorrowsAllTheSame() {
        var within = of("a", 0, Map.of("gpu", 4L));
        assertThat(of("b", 9, Map.of("pods", 9L)).isBelow(within)).isTrue();
    }

    @Test
    void amongThoseWhoAreAlikeItIsTheNumberAlone() {
        var within = Map.of("cpu", 6L);
        var beyond = Map.of("cpu", 5L);
        for (var guaranteed : List.of(within, beyond, Map.<String, Long>of())) {
            assertThat(of("a", 0, guaranteed).isBelow(of("b", 1, guaranteed))).isTrue();
            assertThat(of("a", 1, guaranteed).isBelow(of("b", 1, guaranteed))).isFalse();
            assertThat(of("a", 2, guaranteed).isBelow(of("b", 1, guaranteed))).isFalse();
        }
        assertThat(of("a", 2, beyond).isBelow(of("b", 1, Map.of()))).isFalse();
    }

    @Test
    void thoseOfWhomEachBorrowsWhatTheOtherWasGuaranteedAreAlike() {
        var cores = of("a", 1, Map.of("cpu", 6L));
        var devices = of("b", 2, Map.of("gpu", 4L));
        assertThat(cores.isBelow(devices)).isTrue();
        assertThat(devices.isBelow(cores)).isFalse();
    }

    @Test
    void whoPassesAnyOfHisGuaranteeKeepsToNone() {
        var passes = of("a", 0, Map.of("cpu", 5L, "gpu", 4L));
        assertThat(passes.isBelow(of("b", 1, Map.of()))).isTrue();
    }
}
