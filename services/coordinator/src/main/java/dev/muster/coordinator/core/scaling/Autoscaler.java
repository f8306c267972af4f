package dev.muster.coordinator.core.scaling;

import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.Throughput.Code;
import dev.muster.coordinator.core.model.Throughput.Point;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which size a job should have by how fast it trains: larger as long as the workers that came last
 * were worth it, else back to the best size known.
 *
 * <p>What a worker is worth: by how much the job became faster for each one that was added, in
 * thousandths of what each did on average before. Linear growth is 1000, none is 0.
 */
final class Autoscaler {
    /** From here on the job grows on. */
    static final int GROW_ABOVE_PERMILLE = 500;

    /** Below it is rolled back; in between it stays where it is. */
    static final int SHRINK_BELOW_PERMILLE = 250;

    private Autoscaler() {}

    sealed interface Choice {
        /**
         * @param message one sentence for people
         */
        record Stay(Code code, String message) implements Choice {}

        /**
         * @param message why, the rest of a sentence
         */
        record Resize(int to, String message) implements Choice {}
    }

    /**
     * By what is known of the size that it has and of others.
     *
     * @param most that its limits allow, at most the most of its range
     */
    static Choice choose(Throughput known, JobSpec.Elastic range, int most) {
        int size = known.size();
        var here = known.point(size).orElse(new Point(size, List.of()));
        if (!here.isSure()) {
            return new Choice.Stay(
                    Code.MEASURING,
                    "%d of %d measurements with %d"
                            .formatted(here.speeds().size(), Throughput.LEAST_DIGESTS, size));
        }
        var sure = known.points().stream().filter(Point::isSure).toList();
        var below = sure.stream().filter(point -> point.size() <= size).toList();
        var best = best(below.stream().filter(point -> point.size() >= range.min()).toList());
        if (best.size() < size) {
            return new Choice.Resize(best.size(), compared(best, here));
        }
        var before = below.size() < 2 ? null : below.get(below.size() - 2);
        if (before != null && worth(before, here) < GROW_ABOVE_PERMILLE) {
            return new Choice.Stay(
                    Code.BEST_SIZE, "%d is enough: %s".formatted(size, compared(before, here)));
        }
        if (size >= most) {
            var bound = most < range.max() ? "that resourceLimits allow" : "it may have";
            return new Choice.Stay(Code.AT_MAXIMUM, "%d is the most %s".formatted(size, bound));
        }
        var limit =
                sure.stream()
                        .filter(point ->
                                point.size() > size && worth(here, point) < GROW_ABOVE_PERMILLE)
                        .findFirst();
        if (limit.isEmpty()) {
            int next = Math.min(most, size + Math.max(1, size / 2));
            return new Choice.Resize(next, grown(before, here));
        }
        int gap = limit.get().size() - size;
        return gap <= Math.max(1, size / 4)
                ? new Choice.Stay(
                        Code.BEST_SIZE,
                        "%d is best: %s".formatted(size, compared(here, limit.get())))
                : new Choice.Resize(size + gap / 2, compared(here, limit.get()));
    }

    /** The largest whose workers were not poor beside the next smaller good one. */
    private static Point best(List<Point> points) {
        var best = points.getFirst();
        for (var point : points) {
            if (point.size() > best.size() && worth(best, point) >= SHRINK_BELOW_PERMILLE) {
                best = point;
            }
        }
        return best;
    }

    /** In thousandths; below 0: the job became slower. */
    static long worth(Point before, Point after) {
        long largest = Math.max(before.median(), after.median());
        // So that no product overflows; the rest is precise to a part in a thousand million.
        int shift = Math.max(0, 33 - Long.numberOfLeadingZeros(largest));
        long was = Math.max(1, before.median() >> shift);
        long gain = (after.median() >> shift) - (before.median() >> shift);
        return gain * before.size() * 1000 / (was * (after.size() - before.size()));
    }

    private static String compared(Point before, Point after) {
        return "%s, so that each of the %d more brought %d%% of what each did before"
                .formatted(
                        both(before, after),
                        after.size() - before.size(),
                        worth(before, after) / 10);
    }

    private static String both(Point before, Point after) {
        return "%d do %s/s, %d do %s/s"
                .formatted(before.size(), rate(before), after.size(), rate(after));
    }

    private static String grown(@Nullable Point before, Point here) {
        return before == null
                ? "%d do %s/s, and more were not tried".formatted(here.size(), rate(here))
                : compared(before, here);
    }

    private static String rate(Point point) {
        long hundredths = point.median() / 10_000;
        return String.format(Locale.ROOT, "%d.%02d", hundredths / 100, hundredths % 100);
    }
}
