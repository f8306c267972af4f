package dev.muster.coordinator.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ThresholdsTest {
    private final Thresholds<String> all = new Thresholds<>();

    @Test
    void levelPassesWhatItReachesAndWhatItFallsBelow() {
        all.set("a", "cpu", 8L, 4L);
        all.set("b", "cpu", 9L, 8L);
        all.set("c", "gpu", 1L, null);
        assertThat(all.passed("cpu", 7)).containsExactly("b");
        assertThat(all.passed("cpu", 4)).isEmpty();
        assertThat(all.passed("cpu", 8)).containsExactly("a");
        assertThat(all.passed("gpu", 5)).containsExactly("c");
    }

    @Test
    void whoWasFoundIsFoundNoMoreUntilItIsSetAgain() {
        all.set("a", "cpu", 8L, 4L);
        all.set("a", "gpu", null, 2L);
        assertThat(all.passed("cpu", 3)).containsExactly("a");
        assertThat(all.passed("cpu", 9)).isEmpty();
        assertThat(all.passed("gpu", 0)).isEmpty();
        all.set("a", "cpu", 8L, null);
        assertThat(all.passed("cpu", 9)).containsExactly("a");
    }

    @ParameterizedTest
    @MethodSource
    void findsWhomAWalkOverAllWouldFind(long seed) {
        var random = new Random(seed);
        var naive = new TreeMap<String, long[]>();
        for (int i = 0; i < 300; i++) {
            var queue = "q" + random.nextInt(10);
            switch (random.nextInt(4)) {
                case 0 -> {
                    all.forget(queue);
                    naive.remove(queue);
                }
                case 1, 2 -> {
                    all.forget(queue);
                    long from = random.nextInt(20);
                    long below = random.nextInt(20);
                    all.set(queue, "cpu", from, below);
                    naive.put(queue, new long[] {from, below});
                }
                default -> {
                    long level = random.nextInt(20);
                    var found = new ArrayList<String>();
                    naive.forEach((name, of) -> {
                        if (of[0] <= level || level < of[1]) {
                            found.add(name);
                        }
                    });
                    found.forEach(naive::remove);
                    assertThat(all.passed("cpu", level)).containsExactlyElementsOf(found);
                }
            }
        }
    }

    static List<Long> findsWhomAWalkOverAllWouldFind() {
        return List.of(1L, 2L, 3L, 4L, 5L);
    }
}
