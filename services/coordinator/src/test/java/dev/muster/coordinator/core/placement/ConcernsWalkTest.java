package dev.muster.coordinator.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Seeds;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.WaitReason.Gist;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who is not concerned stands as before; the seed is the name. */
class ConcernsWalkTest {
    private static final int STEPS = 60;

    /** No node has them at first. */
    private static final List<String> LATE = List.of("late/0", "late/1");

    static LongStream seeds() {
        return Seeds.first(200);
    }

    /** What is not asked about again because of that would get the same answers. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whomNothingConcernsStandsAsBefore(long seed) {
        var walk = new CapacityWalk(seed);
        var asking =
                List.of(
                        new Asking(walk.capacity, View.NOW, View.EMPTY),
                        new Asking(walk.capacity, View.EMPTY));
        var all = new ArrayList<>(walk.shapes);
        for (int i = walk.random.nextInt(60); i > 0; i--) {
            all.add(alike(walk.random));
        }
        all.forEach(shape -> asking.forEach(one -> one.add(shape)));
        for (int i = 0; i < STEPS; i++) {
            for (int steps = walk.random.nextInt(4); steps > 0; steps--) {
                change(walk);
            }
            var one = asking.get(walk.random.nextInt(2));
            switch (walk.random.nextInt(6)) {
                case 0 -> one.add(all.get(walk.random.nextInt(all.size())));
                case 1 -> one.add(walk.random.nextBoolean() ? walk.shape() : late(walk.random));
                case 2 -> one.remove(walk.random);
                case 3, 4 -> one.move();
                default -> one.judge();
            }
        }
    }

    private static void change(CapacityWalk walk) {
        switch (walk.random.nextInt(16)) {
            case 0 -> walk.capacity.delegate(walk.random.nextInt(3) == 0);
            case 1 -> walk.late(LATE.get(walk.random.nextInt(2)));
            default -> walk.step();
        }
    }

    /** Of one order with many others. */
    private static Shape alike(Random random) {
        return shape(random, Map.of("pods", 1L, "cpu", 100L + random.nextInt(3900)));
    }

    private static Shape late(Random random) {
        var resource = LATE.get(random.nextInt(2));
        return shape(random, Map.of("pods", 1L, "cpu", 500L, resource, 1L + random.nextInt(2)));
    }

    private static Shape shape(Random random, Map<String, Long> demand) {
        var amounts = Amounts.of(new TreeMap<>(demand));
        int pods = 1 + random.nextInt(40);
        var role = Fixtures.role("worker", pods, amounts, NodeFilter.ANY);
        return Fixtures.shape(Fixtures.spec("q", role));
    }

    /** Who asks only about shapes that are concerned, and such as are not settled. */
    private static final class Asking {
        private final Capacity capacity;
        private final Concerns concerns;
        private final Stocks stocks;
        private final Set<Shape> shapes = new LinkedHashSet<>();

        /** Of those that were settled when they were asked about: whether they could ever fit. */
        private final Map<Shape, Boolean> ever = new LinkedHashMap<>();

        /** Of those why they do not, as was told last. */
        private final Map<Shape, Gist> told = new LinkedHashMap<>();

        /** Else only whether they could ever fit. */
        private final boolean isOfNow;

        Asking(Capacity capacity, View... views) {
            this.capacity = capacity;
            concerns = capacity.concerns(views);
            stocks = capacity.stocks();
            isOfNow = views.length > 1;
        }

        void add(Shape shape) {
            if (shapes.add(shape)) {
                concerns.add(shape);
                stocks.add(shape);
            }
        }

        void remove(Random random) {
            if (!shapes.isEmpty()) {
                var shape = List.copyOf(shapes).get(random.nextInt(shapes.size()));
                shapes.remove(shape);
                concerns.remove(shape);
                stocks.remove(shape);
                ever.remove(shape);
                told.remove(shape);
            }
        }

        void move() {
            var concerned = Set.copyOf(concerns.moved());
            for (var shape : shapes) {
                var known = ever.get(shape);
                if (known == null || concerned.contains(shape)) {
                    ask(shape);
                } else {
                    assertThat(capacity.couldEverFit(shape)).as(shape.toString()).isEqualTo(known);
                    assertThat(isOfNow && capacity.fits(shape)).as(shape.toString()).isFalse();
                }
            }
        }

        private void ask(Shape shape) {
            told.remove(shape);
            if (isSettled(shape)) {
                ever.put(shape, capacity.couldEverFit(shape));
            } else {
                ever.remove(shape);
            }
        }

        private boolean isSettled(Shape shape) {
            return isOfNow
                    ? !capacity.fits(shape) && capacity.isSettled(shape)
                    : capacity.isSettledForEver(shape);
        }

        void judge() {
            var judged = Set.copyOf(stocks.passed());
            move();
            for (var shape : isOfNow ? ever.keySet() : Set.<Shape>of()) {
                var gist = capacity.gist(shape);
                var before = told.put(shape, gist);
                if (before != null && !judged.contains(shape)) {
                    assertThat(gist).as(shape.toString()).isEqualTo(before);
                }
            }
        }
    }
}
