package dev.muster.coordinator.core.hold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is let off of those that were chosen, the weakest of whom is 0. */
class PreemptionOrderTest {
    private final List<List<Integer>> asked = new ArrayList<>();

    private List<Integer> needed(int count, Predicate<List<Integer>> areEnough) {
        var chosen = IntStream.range(0, count).boxed().toList();
        return PreemptionOrder.needed(
                chosen,
                some -> {
                    asked.add(some);
                    return areEnough.test(some);
                });
    }

    @Test
    void whoseLeavingIsNotNeededIsLetOffTheBestClaimFirst() {
        assertThat(needed(7, some -> some.size() >= 3)).containsExactly(0, 1, 2);
    }

    @Test
    void whoeverIsNeededStaysWhereverHeStands() {
        assertThat(needed(9, some -> some.containsAll(List.of(1, 4, 8)))).containsExactly(1, 4, 8);
    }

    @Test
    void allStayWhereAllAreNeeded() {
        assertThat(needed(5, some -> some.size() == 5)).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void oneStaysAtLeastAndNobodyAsksWhetherNoneIsEnough() {
        assertThat(needed(4, some -> true)).hasSize(1);
        assertThat(needed(1, some -> true)).containsExactly(0);
        assertThat(asked).allMatch(some -> !some.isEmpty());
    }

    @Test
    void nothingIsAskedTwiceWhereAllAreNeeded() {
        needed(9, some -> some.size() == 9);
        assertThat(asked).doesNotHaveDuplicates().allMatch(some -> some.size() < 9);
    }

    @ParameterizedTest
    @CsvSource({"100, 198", "201, 199", "1000, 40", "40000, 20"})
    void theMoreThereAreTheFewerQuestionsAreAsked(int count, int questions) {
        needed(count, some -> some.size() == count);
        assertThat(asked).hasSize(questions);
    }
}
