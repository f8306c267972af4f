package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whose turn it is by each policy; by weights: {@link SmoothWeightedRoundRobinTest}. */
class QueuePolicyTest {
    private static final Amounts TOTAL = Amounts.of(Map.of("cpu", 10_000L, "gpu", 4L));

    private record Of(int weight, long credit, long ticket, Amounts used)
            implements QueuePolicy.Contender {}

    private static Of using(int weight, Amounts used) {
        return new Of(weight, 0, 1, used);
    }

    private static int chosen(QueuePolicy policy, Of... contenders) {
        return policy.next(List.of(contenders), TOTAL, 9).chosen();
    }

    @ParameterizedTest
    @EnumSource
    void equalClaimsGoToTheFirst(QueuePolicy policy) {
        assertThat(chosen(policy, using(1, cpu(1)), using(1, cpu(1)), using(1, cpu(1)))).isZero();
    }

    @Test
    void fifoServesTheOldestJob() {
        var older = new Of(1, 9, 3, cpu(5));
        assertThat(chosen(QueuePolicy.FIFO, new Of(1, 0, 4, cpu(0)), older)).isEqualTo(1);
    }

    @Test
    void roundRobinServesWhoWasServedLongestAgoAndNumbersTheTurn() {
        var turn =
                QueuePolicy.ROUND_ROBIN.next(
                        List.of(
                                new Of(1, 7, 1, cpu(0)),
                                new Of(1, 5, 2, cpu(0)),
                                new Of(1, 6, 3, cpu(0))),
                        TOTAL,
                        11);
        assertThat(turn.chosen()).isEqualTo(1);
        assertThat(turn.credits()).containsExactly(7, 12, 6);
    }

    /** Debts are of the policy by weights. */
    @Test
    void whoComesFromAnotherPolicyHasNoDebts() {
        var both = List.of(new Of(1, -3, 1, cpu(0)), new Of(1, 2, 2, cpu(0)));
        assertThat(QueuePolicy.FIFO.paidBy(1, both, 2).credits()).containsExactly(0, 3);
    }

    @Test
    void dominantShareServesTheSmallestOfTheLargestSharesByWeight() {
        var policy = QueuePolicy.DOMINANT_SHARE;
        var half = Amounts.of(Map.of("cpu", 1_000L, "gpu", 2L));
        assertThat(chosen(policy, using(1, half), using(1, cpu(4)))).isEqualTo(1);
        assertThat(chosen(policy, using(2, half), using(1, cpu(4)))).isZero();
        var unknown = Amounts.of(Map.of("tpu", 100L));
        assertThat(chosen(policy, using(1, cpu(1)), using(1, unknown))).isEqualTo(1);
    }
}
