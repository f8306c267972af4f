package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Seeds;
import java.math.BigInteger;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AmountsTest {
    private static final Amounts POD = Amounts.of(Map.of("cpu", 1500L, "pods", 1L));

    @Test
    void amountOfNothingIsNotNamed() {
        assertThat(Amounts.of(Map.of("gpu", 0L))).isEqualTo(Amounts.NONE);
        assertThat(POD.minus(POD)).isEqualTo(Amounts.NONE);
        assertThat(POD.times(0).byName()).isEmpty();
        assertThat(POD.get("gpu")).isZero();
    }

    @Test
    void sumsGoByName() {
        var gpu = Amounts.of(Map.of("gpu", 2L, "cpu", 500L));
        assertThat(POD.plus(gpu))
                .isEqualTo(Amounts.of(Map.of("cpu", 2000L, "gpu", 2L, "pods", 1L)));
        assertThat(POD.minus(gpu).byName())
                .isEqualTo(new TreeMap<>(Map.of("cpu", 1000L, "gpu", -2L, "pods", 1L)));
        assertThat(POD.minus(gpu).isNowhereNegative()).isFalse();
        assertThat(POD.times(3)).hasToString("{cpu=4500, pods=3}");
    }

    @Test
    void equalOnesAreOneKey() {
        var same = Amounts.of(new TreeMap<>(POD.byName()));
        assertThat(same).isEqualTo(POD).hasSameHashCodeAs(POD);
        assertThat(Amounts.of(Map.of("cpu", 1500L, "gpu", 1L))).isNotEqualTo(POD);
    }

    @Test
    void demandGoesIntoWhatIsFreeAsOftenAsItsScarcestResourceDoes() {
        assertThat(POD.timesIn(Amounts.of(Map.of("cpu", 4600L, "pods", 9L)))).isEqualTo(3);
        assertThat(POD.timesIn(Amounts.of(Map.of("cpu", -1L, "pods", 9L)))).isZero();
        assertThat(Amounts.NONE.timesIn(Amounts.NONE)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void sumThatNoLongHoldsEndsThereWhenReadAndIsKeptExact() {
        var most = Amounts.of(Map.of("disk", Long.MAX_VALUE, "cpu", 1L));
        var sum = most.plus(most);
        assertThat(sum).isEqualTo(most.times(2)).hasSameHashCodeAs(most.times(2));
        assertThat(sum).isNotEqualTo(most.times(3)).isNotEqualTo(most.with("cpu", 2));
        assertThat(sum.byName())
                .isEqualTo(new TreeMap<>(Map.of("disk", Long.MAX_VALUE, "cpu", 2L)));
        assertThat(sum.minus(most)).isEqualTo(most).hasSameHashCodeAs(most);
        assertThat(sum.minus(most.times(3)).get("disk")).isEqualTo(-Long.MAX_VALUE);
        assertThat(sum.minus(most.times(4)).get("disk")).isEqualTo(Long.MIN_VALUE);
        assertThat(sum.minus(most.times(4)).isNowhereNegative()).isFalse();
        assertThat(sum.with("disk", 3)).isEqualTo(Amounts.of(Map.of("disk", 3L, "cpu", 2L)));
        assertThat(sum.beyond(most.with("cpu", 9))).isEqualTo(Amounts.of(disk(Long.MAX_VALUE)));
        assertThat(most.times(4).beyond(POD.plus(most)).minus(most.times(3)))
                .isEqualTo(Amounts.of(Map.of("cpu", -3L)));
        assertThat(sum.timesIn(most)).isZero();
        assertThat(most.timesIn(sum)).isEqualTo(1);
    }

    private static Map<String, Long> disk(long bytes) {
        return Map.of("disk", bytes);
    }

    @Test
    void whatIsOnlyComparedEndsAtALong() {
        long most = Long.MAX_VALUE;
        assertThat(Wide.sum(most, 1)).isEqualTo(most);
        assertThat(Wide.sum(-2, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(Wide.sum(most, Long.MIN_VALUE)).isEqualTo(-1);
        assertThat(Wide.difference(-2, most)).isEqualTo(Long.MIN_VALUE);
        assertThat(Wide.difference(0, Long.MIN_VALUE)).isEqualTo(most);
        assertThat(Wide.difference(5, 7)).isEqualTo(-2);
        assertThat(Wide.product(most, 3)).isEqualTo(most);
        assertThat(Wide.product(-most, 3)).isEqualTo(Long.MIN_VALUE);
        assertThat(Wide.product(-4, 3)).isEqualTo(-12);
        assertThat(new WaitReason.Shortage(5, Long.MIN_VALUE).shortBy()).isEqualTo(most);
    }

    static LongStream seeds() {
        return Seeds.first(50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void sumsAreExactAndEndAtALongWhenRead(long seed) {
        var random = new Random(seed);
        var sums = new Sums();
        var amounts = Amounts.NONE;
        var exact = BigInteger.ZERO;
        for (int i = 0; i < 200; i++) {
            long amount = random.nextLong() >> random.nextInt(64);
            long times = random.nextBoolean() ? 1 : random.nextInt(20_000) - 10_000;
            sums.add(0, amount, times);
            amounts = amounts.plus(Amounts.of(disk(amount)).times(times));
            exact = exact.add(BigInteger.valueOf(amount).multiply(BigInteger.valueOf(times)));
            var read =
                    exact.min(BigInteger.valueOf(Long.MAX_VALUE))
                            .max(BigInteger.valueOf(Long.MIN_VALUE));
            assertThat(sums.get(0)).isEqualTo(read.longValueExact());
            assertThat(amounts.get("disk")).isEqualTo(read.longValueExact());
            assertThat(amounts.size()).isEqualTo(exact.signum() == 0 ? 0 : 1);
            assertThat(sums.isZero()).isEqualTo(exact.signum() == 0);
        }
        var down = exact.negate();
        sums.add(0, Long.MIN_VALUE, 1);
        sums.add(0, Long.MIN_VALUE, -1);
        while (down.signum() != 0) {
            var step =
                    down.min(BigInteger.valueOf(Long.MAX_VALUE))
                            .max(BigInteger.valueOf(-Long.MAX_VALUE));
            if (step.bitLength() > 62 && down.bitLength() > 80) {
                // The rest in one go: a product may be far beyond a long.
                var factor = down.divide(step);
                sums.add(0, step.longValueExact(), factor.longValueExact());
                down = down.subtract(step.multiply(factor));
            } else {
                sums.add(0, step.longValueExact(), 1);
                down = down.subtract(step);
            }
        }
        assertThat(sums.isZero()).isTrue();
    }
}
