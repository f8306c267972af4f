package dev.muster.coordinator.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Seeds;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.SmoothWeightedRoundRobin;
import dev.muster.coordinator.core.queue.Credits.Purse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CreditsTest {
    private final Credits credits = new Credits();

    /** A queue as the rule itself sees it, which adds to every credit in every turn. */
    private record Plain(String name, int weight, long credit)
            implements QueuePolicy.Contender, Comparable<Plain> {
        @Override
        public long ticket() {
            return 0;
        }

        @Override
        public Amounts used() {
            return Amounts.NONE;
        }

        @Override
        public int compareTo(Plain other) {
            return name.compareTo(other.name);
        }
    }

    static LongStream seeds() {
        return Seeds.first(60);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keptCreditsAreThoseOfTheRule(long seed) {
        var random = new Random(seed);
        var purses = new TreeMap<String, Purse>();
        for (int i = 0; i < 2 + random.nextInt(12); i++) {
            purses.put("q" + i, new Purse("q" + i, weight(random), credit(random)));
        }
        for (int i = 0; i < 300; i++) {
            var any = new ArrayList<>(purses.values()).get(random.nextInt(purses.size()));
            switch (random.nextInt(12)) {
                case 0 -> change(any);
                case 1 -> credits.set(any, weight(random), credits.of(any));
                case 2 -> credits.set(any, any.weight(), credit(random));
                default -> {
                    if (purses.values().stream().anyMatch(Purse::takesPart)) {
                        takeTurn(purses);
                    }
                }
            }
        }
    }

    private void change(Purse purse) {
        if (purse.takesPart()) {
            credits.leave(purse);
        } else {
            credits.join(purse);
        }
    }

    /** Few weights, so that some are alike, and large ones, so that others are clamped. */
    private static int weight(Random random) {
        return random.nextInt(8) == 0 ? 1 + random.nextInt(1_000) : 1 + random.nextInt(3);
    }

    /** Within what is clamped, on its edge, and far beyond it. */
    private static long credit(Random random) {
        return random.nextBoolean() ? random.nextInt(21) - 10 : random.nextInt(20_001) - 10_000;
    }

    private void takeTurn(SortedMap<String, Purse> purses) {
        var before = all(purses);
        var parts = before.values().stream().filter(p -> purses.get(p.name).takesPart()).toList();
        var expected = SmoothWeightedRoundRobin.next(parts);
        assertThat(credits.shown()).isEqualTo(richest(parts));
        var turn = credits.next();
        var chosen = parts.get(expected.chosen());
        assertThat(turn).isEqualTo(new Credits.Turn(purses.get(chosen.name), chosen.credit));
        for (int i = 0; i < parts.size(); i++) {
            var part = parts.get(i);
            before.put(part.name, new Plain(part.name, part.weight, expected.credits()[i]));
        }
        assertThat(all(purses)).isEqualTo(before);
    }

    private SortedMap<String, Plain> all(SortedMap<String, Purse> purses) {
        var all = new TreeMap<String, Plain>();
        purses.forEach((name, purse) -> all.put(name, plain(purse)));
        return all;
    }

    private Plain plain(Purse purse) {
        return new Plain(purse.name(), purse.weight(), credits.of(purse));
    }

    private static Map<String, Long> richest(List<Plain> parts) {
        return parts.stream()
                .sorted(
                        Comparator.comparingLong((Plain part) -> -part.credit)
                                .thenComparing(p -> p))
                .limit(5)
                .collect(Collectors.toMap(Plain::name, Plain::credit));
    }

    @Test
    void queueThatWasAwayKeepsItsCredit() {
        var away = new Purse("away", 2, 1);
        var other = new Purse("other", 1, 0);
        credits.join(away);
        credits.join(other);
        credits.next();
        credits.leave(away);
        credits.next();
        assertThat(credits.of(away)).isZero();
        credits.join(away);
        assertThat(credits.of(away)).isZero();
    }

    @Test
    void queueHasTheWeightAndTheCreditThatItWasGivenLast() {
        var purse = new Purse("a", 1, 3);
        credits.set(purse, 2, 3);
        assertThat(purse.weight()).isEqualTo(2);
        assertThat(credits.of(purse)).isEqualTo(3);
        credits.set(purse, 2, 5);
        assertThat(credits.of(purse)).isEqualTo(5);
        credits.join(purse);
        credits.set(purse, 7, 5);
        assertThat(purse.weight()).isEqualTo(7);
        assertThat(credits.of(purse)).isEqualTo(5);
    }

    @Test
    void creditsOfAnyQueuesAreShownLikeThoseThatTakePart() {
        var purses = List.of(new Purse("a", 1, 3), new Purse("b", 1, 7), new Purse("c", 1, 7));
        assertThat(credits.shown(purses)).isEqualTo(Map.of("a", 3L, "b", 7L, "c", 7L));
        purses.forEach(credits::join);
        assertThat(credits.shown()).isEqualTo(credits.shown(purses));
    }
}
