package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SmoothWeightedRoundRobinTest {
    @ParameterizedTest
    @MethodSource
    void turnsComeByWeightWithoutBursts(List<Integer> weights, List<Integer> turns) {
        assertThat(play(weights, turns.size())).isEqualTo(turns);
    }

    static Stream<Arguments> turnsComeByWeightWithoutBursts() {
        return Stream.of(
                Arguments.of(List.of(5, 1, 1), List.of(0, 0, 1, 0, 2, 0, 0)),
                Arguments.of(List.of(4, 3, 2), List.of(0, 1, 2, 0, 1, 0, 2, 1, 0)),
                Arguments.of(List.of(6, 3), List.of(0, 1, 0)),
                Arguments.of(List.of(2, 4), List.of(1, 0, 1)));
    }

    @Test
    void queueThatWasAwayComesBackWithAtMostOneRoundOfCredit() {
        var turn = SmoothWeightedRoundRobin.next(List.of(new Part(1, 1_000_000), new Part(1, 0)));
        assertThat(turn.credits()).containsExactly(1L, 1L);
    }

    /** Written again in the most naive way: whoever is furthest behind his share so far. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void everyPrefixGivesEachItsShareWithinOne(long seed) {
        var random = new Random(seed);
        int queues = 2 + random.nextInt(6);
        var weights = random.ints(queues, 1, 10).boxed().toList();
        int sum = weights.stream().mapToInt(Integer::intValue).sum();
        var got = new int[queues];
        var turns = play(weights, 3 * sum);
        for (int turn = 0; turn < turns.size(); turn++) {
            got[turns.get(turn)]++;
            for (int queue = 0; queue < queues; queue++) {
                double share = (turn + 1.0) * weights.get(queue) / sum;
                assertThat(Math.abs(got[queue] - share))
                        .as("queue %s after %s turns of %s", queue, turn + 1, weights)
                        .isLessThan(queues - 1 + 0.001)
                        .isLessThan(2.0);
            }
        }
        for (int queue = 0; queue < queues; queue++) {
            assertThat(got[queue]).as(Arrays.toString(got)).isEqualTo(3 * weights.get(queue));
        }
    }

    private record Part(int weight, long credit) implements QueuePolicy.Contender {
        @Override
        public long ticket() {
            return 0;
        }

        @Override
        public Amounts used() {
            return Amounts.NONE;
        }
    }

    private static List<Integer> play(List<Integer> weights, int turns) {
        var parts = new ArrayList<>(weights.stream().map(weight -> new Part(weight, 0)).toList());
        var chosen = new ArrayList<Integer>();
        for (int i = 0; i < turns; i++) {
            var turn = SmoothWeightedRoundRobin.next(parts);
            chosen.add(turn.chosen());
            for (int k = 0; k < parts.size(); k++) {
                parts.set(k, new Part(parts.get(k).weight(), turn.credits()[k]));
            }
        }
        return chosen;
    }
}
