package dev.muster.bench.report;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The same thing's times, measured often; the shortest first. */
public record Latencies(List<Duration> sorted) {
    public Latencies {
        sorted = sorted.stream().sorted().toList();
    }

    public static Latencies of(Collection<Duration> times) {
        return new Latencies(List.copyOf(times));
    }

    /**
     * The shortest of the times that at least {@code percent} of a hundred do not exceed.
     *
     * @throws IllegalStateException when nothing was measured
     */
    public Duration percentile(int percent) {
        if (sorted.isEmpty()) {
            throw new IllegalStateException("nothing was measured");
        }
        int rank = Math.ceilDiv(sorted.size() * percent, 100);
        return sorted.get(Math.max(rank, 1) - 1);
    }

    /** The mean; zero when nothing was measured. */
    public Duration mean() {
        var sum = sorted.stream().reduce(Duration.ZERO, Duration::plus);
        return sorted.isEmpty() ? sum : sum.dividedBy(sorted.size());
    }

    /** How many, and p50, p90, p99 and the longest in milliseconds. */
    public List<String> cells() {
        return Stream.concat(
                        Stream.of(Integer.toString(sorted.size())),
                        Stream.of(50, 90, 99, 100)
                                .map(p -> sorted.isEmpty() ? "-" : millis(percentile(p))))
                .toList();
    }

    /** What the cells are. */
    public static List<String> headings() {
        return List.of("n", "p50 ms", "p90 ms", "p99 ms", "max ms");
    }

    /** With one digit after the point. */
    public static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.1f", time.toNanos() / 1e6);
    }
}
