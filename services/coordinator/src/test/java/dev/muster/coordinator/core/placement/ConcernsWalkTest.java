package dev.muster.coordinator.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Seeds;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.WaitReason.Gist;
import java.util.LinkedHashSet;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who is not concerned stands as before; the seed is the name. */
class ConcernsWalkTest {
    private static final int STEPS = 60;

    static LongStream seeds() {
        return Seeds.first(200);
    }

    /** What is not asked about again because of that would get the same answers. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whomNothingConcernsStandsAsBefore(long seed) {
        var walk = new CapacityWalk(seed);
        var concerns = walk.capacity.concerns(View.NOW, View.EMPTY);
        walk.shapes.forEach(concerns::add);
        var known = new TreeMap<Integer, Stand>();
        for (int i = 0; i < STEPS; i++) {
            walk.step();
            var concerned = new LinkedHashSet<>(concerns.moved());
            concerned.addAll(concerns.judged());
            for (int s = 0; s < walk.shapes.size(); s++) {
                var shape = walk.shapes.get(s);
                var before = known.get(s);
                var now = Stand.of(walk.capacity, shape);
                if (before != null && !concerned.contains(shape)) {
                    assertThat(now.of(before)).as(shape.toString()).isEqualTo(before);
                }
                known.put(s, now);
            }
        }
    }

    /**
     * How a shape stands; null: that may be another at any time.
     *
     * @param gist null: it fits, too
     */
    private record Stand(@Nullable Boolean fits, @Nullable Boolean ever, @Nullable Gist gist) {
        static Stand of(Capacity capacity, Shape shape) {
            boolean ever = capacity.couldEverFit(shape);
            boolean settled = !capacity.fits(shape) && capacity.isSettled(shape);
            return new Stand(
                    settled ? false : null,
                    capacity.isSettledForEver(shape) ? ever : null,
                    settled ? capacity.gist(shape) : null);
        }

        /** Of what was known before. */
        Stand of(Stand before) {
            return new Stand(
                    before.fits == null ? null : fits,
                    before.ever == null ? null : ever,
                    before.fits == null ? null : gist);
        }
    }
}
