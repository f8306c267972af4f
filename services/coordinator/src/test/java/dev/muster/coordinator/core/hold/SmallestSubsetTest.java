package dev.muster.coordinator.core.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Seeds;
import dev.muster.coordinator.core.hold.SmallestSubset.One;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SmallestSubsetTest {
    /** All sets there are, by size and then by who comes first. */
    @ParameterizedTest
    @MethodSource("seeds")
    void ofFewTheFewestAreFoundAndOfThoseTheFirst(long seed) {
        var random = new Random(seed);
        int count = 1 + random.nextInt(8);
        var gives = random.longs(count, 0, 5).toArray();
        long lack = 1 + random.nextInt(12);
        int odd = random.nextInt(3);
        var found = find(gives, lack, some -> sum(gives, some) >= lack && some.size() != odd);
        List<Integer> best = null;
        for (int bits = 1; bits < 1 << count; bits++) {
            int set = bits;
            var some = IntStream.range(0, count).filter(i -> (set >> i & 1) == 1).boxed().toList();
            boolean isEnough = sum(gives, some) >= lack && some.size() != odd;
            if (isEnough && (best == null || isBetter(some, best))) {
                best = some;
            }
        }
        assertThat(found).isEqualTo(best);
    }

    static LongStream seeds() {
        return Seeds.first(500);
    }

    @Test
    void ofManyAsFewAreFoundAsAQuickSearchFinds() {
        var gives = IntStream.range(0, 2000).mapToLong(i -> 1 + i % 3).toArray();
        var asked = new ArrayList<Integer>();
        var found =
                find(
                        gives,
                        1500,
                        some -> {
                            asked.add(some.size());
                            return sum(gives, some) >= 1500 && some.contains(3);
                        });
        assertThat(found).isNotNull().contains(3);
        assertThat(sum(gives, found)).isGreaterThanOrEqualTo(1500);
        assertThat(asked).hasSizeLessThan(700);
    }

    private static boolean isBetter(List<Integer> some, List<Integer> best) {
        if (some.size() != best.size()) {
            return some.size() < best.size();
        }
        for (int i = 0; i < some.size(); i++) {
            if (!some.get(i).equals(best.get(i))) {
                return some.get(i) < best.get(i);
            }
        }
        return false;
    }

    private static List<Integer> find(long[] gives, long lack, Predicate<List<Integer>> areEnough) {
        var all = IntStream.range(0, gives.length).boxed().toList();
        var each = all.stream().map(i -> new One<>(i, new long[] {gives[i]})).toList();
        return new SmallestSubset<>(each, areEnough).find(all, new long[] {lack});
    }

    private static long sum(long[] gives, List<Integer> some) {
        return some.stream().mapToLong(i -> gives[i]).sum();
    }
}
