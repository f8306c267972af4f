package dev.muster.coordinator.core.queue;

import dev.muster.coordinator.core.model.Amounts;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is, written a second time from the words of the rule alone: queues have names, and
 * what is noted of one stays with it while it takes no part.
 */
final class NaiveShares {
    private final SortedMap<String, BigInteger> noted = new TreeMap<>();

    /** All turns there were, in order, whoever took part. */
    private final List<String> served = new ArrayList<>();

    /** A queue that could start something. */
    record Part(String name, int weight, long ticket, Amounts used) {}

    /** Everybody earns his weight; the richest goes, and pays what all have earned. */
    String smoothly(List<Part> parts) {
        var all = BigInteger.valueOf(parts.stream().mapToLong(Part::weight).sum());
        for (var part : parts) {
            var before = noted.getOrDefault(part.name(), BigInteger.ZERO);
            var clamped = before.min(all).max(all.negate());
            noted.put(part.name(), clamped.add(BigInteger.valueOf(part.weight())));
        }
        var chosen = first(parts, Comparator.comparing((Part part) -> credit(part)).reversed());
        noted.merge(chosen, all.negate(), BigInteger::add);
        return chosen;
    }

    private BigInteger credit(Part part) {
        return noted.getOrDefault(part.name(), BigInteger.ZERO);
    }

    /** Who was served longest ago, or never. */
    String inTurn(List<Part> parts) {
        var chosen = first(parts, Comparator.comparingInt(part -> served.lastIndexOf(part.name())));
        served.add(chosen);
        return chosen;
    }

    static String oldest(List<Part> parts) {
        return first(parts, Comparator.comparingLong(Part::ticket));
    }

    /** Who has the least of what he has most of, each unit of weight being one who shares. */
    static String poorest(List<Part> parts, Amounts total) {
        return first(parts, (a, b) -> share(a, total).compareTo(share(b, total)));
    }

    private record Fraction(BigInteger over, BigInteger under) implements Comparable<Fraction> {
        @Override
        public int compareTo(Fraction other) {
            return over.multiply(other.under).compareTo(other.over.multiply(under));
        }
    }

    private static Fraction share(Part part, Amounts total) {
        @Nullable Fraction most = null;
        for (var resource : total.byName().entrySet()) {
            var share =
                    new Fraction(
                            BigInteger.valueOf(part.used().get(resource.getKey())),
                            BigInteger.valueOf(resource.getValue())
                                    .multiply(BigInteger.valueOf(part.weight())));
            most = most == null || share.compareTo(most) > 0 ? share : most;
        }
        return most == null ? new Fraction(BigInteger.ZERO, BigInteger.ONE) : most;
    }

    /** Of equal ones the first by name. */
    private static String first(List<Part> parts, Comparator<Part> order) {
        return parts.stream().min(order.thenComparing(Part::name)).orElseThrow().name();
    }
}
