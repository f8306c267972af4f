package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Sums that do not forget what passes a long. */
class SumsTest {
    private final Sums sums = new Sums();

    @Test
    void whatWasAddedIsTakenOffInAnyOrderThoughItPassedALong() {
        sums.add(0, Long.MAX_VALUE, 3);
        sums.add(0, 7, 1);
        assertThat(sums.get(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(sums.isZero()).isFalse();
        sums.add(0, Long.MAX_VALUE, -3);
        assertThat(sums.get(0)).isEqualTo(7);
        sums.add(0, 7, -1);
        assertThat(sums.isZero()).isTrue();
    }

    @Test
    void whatIsBelowTheSmallestLongIsToldAsThat() {
        sums.add(0, Long.MAX_VALUE, -3);
        assertThat(sums.get(0)).isEqualTo(Long.MIN_VALUE);
        sums.add(0, Long.MAX_VALUE, 3);
        assertThat(sums.get(0)).isZero();
        sums.add(0, Long.MIN_VALUE, 1);
        sums.add(0, -1, 1);
        assertThat(sums.get(0)).isEqualTo(Long.MIN_VALUE);
        sums.add(0, 1, 1);
        sums.add(0, Long.MAX_VALUE, 1);
        assertThat(sums.get(0)).isEqualTo(-1);
    }

    @Test
    void sumOfAResourceThatWasNeverAddedIsNothing() {
        sums.add(1, 5, 2);
        assertThat(sums.get(0)).isZero();
        assertThat(sums.get(1)).isEqualTo(10);
        assertThat(sums.get(2)).isZero();
        assertThat(sums.get(Resources.UNKNOWN)).isZero();
    }

    @Test
    void moreOfAnyResourceIsMore() {
        var other = new Sums();
        other.add(0, 5, 1);
        sums.add(0, 5, 1);
        assertThat(sums.exceeds(other)).isFalse();
        sums.add(3, 1, 1);
        assertThat(sums.exceeds(other)).isTrue();
        assertThat(other.exceeds(sums)).isFalse();
    }

    @Test
    void copyGoesItsOwnWay() {
        sums.add(0, 5, 1);
        var copy = new Sums(sums);
        sums.add(0, 5, 1);
        assertThat(copy.get(0)).isEqualTo(5);
        assertThat(sums.get(0)).isEqualTo(10);
    }
}
