package dev.muster.coordinator.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Seeds;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes, the answers are those that follow from what there is; the seed is the name. */
class CapacityWalkTest {
    private static final int STEPS = 30;

    static LongStream seeds() {
        return Seeds.first(200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void answersAreThoseOfTheNaiveOne(long seed) {
        var walk = new CapacityWalk(seed);
        for (int i = 0; i < STEPS; i++) {
            walk.step();
            for (var shape : walk.some()) {
                walk.answersAreRight(shape);
            }
            assertThat(walk.capacity.total()).isEqualTo(walk.naive.total());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void capacityMadeAnewAnswersTheSame(long seed) {
        var walk = new CapacityWalk(seed);
        for (int i = 0; i < STEPS; i++) {
            walk.step();
            walk.some().forEach(walk.capacity::fit);
        }
        var anew = walk.madeAnew();
        for (var shape : walk.shapes) {
            assertThat(walk.capacity.fit(shape)).isEqualTo(anew.fit(shape));
            assertThat(walk.capacity.fitEventually(shape)).isEqualTo(anew.fitEventually(shape));
            var extra = walk.extra(shape);
            assertThat(walk.capacity.fit(shape, extra)).isEqualTo(anew.fit(shape, extra));
        }
        assertThat(walk.capacity.nodes()).isEqualTo(anew.nodes());
        assertThat(walk.capacity.othersOf(0)).isEqualTo(anew.othersOf(0));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingBecomesStartableUnnoticed(long seed) {
        var walk = new CapacityWalk(seed);
        var missedAt = new TreeMap<Integer, Long>();
        for (int i = 0; i < STEPS; i++) {
            walk.step();
            for (int s = 0; s < walk.shapes.size(); s++) {
                var shape = walk.shapes.get(s);
                long now =
                        shape.parts().size() == 1 ? walk.capacity.grown() : walk.capacity.changed();
                if (!walk.capacity.fits(shape)) {
                    missedAt.put(s, now);
                } else if (missedAt.containsKey(s)) {
                    assertThat(now).as(shape.toString()).isGreaterThan(missedAt.remove(s));
                }
            }
        }
    }
}
