package dev.muster.schemas.demand;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrownRequestTest {
    private static final long TEBI = 1L << 40;

    @ParameterizedTest
    @CsvSource({"8, 64, 96, 12", "64, 64, 96, 96", "0, 64, 96, 0", "1, 3, 4, 2", "3, 3, 3, 3"})
    void requestKeepsItsProportionToTheLimit(long request, long limit, long grown, long now) {
        assertThat(GrownRequest.of(request, limit, grown)).isEqualTo(now);
    }

    @ParameterizedTest
    @CsvSource({"12, 8, 64, 96", "96, 64, 64, 96", "2, 1, 3, 6", "1, 2, 3, 1", "0, 8, 64, 0"})
    void limitGrowsAsFarAsItsRequestFinds(long room, long request, long limit, long most) {
        assertThat(GrownRequest.limitWithin(room, request, limit)).isEqualTo(most);
        assertThat(GrownRequest.of(request, limit, most)).isLessThanOrEqualTo(room);
        assertThat(GrownRequest.of(request, limit, most + 1)).isGreaterThan(room);
    }

    @Test
    void largeAmountsAreExactAndWhatNothingBoundsIsTheMost() {
        assertThat(GrownRequest.of(8 * TEBI, 64 * TEBI, 96 * TEBI)).isEqualTo(12 * TEBI);
        assertThat(GrownRequest.limitWithin(12 * TEBI, 8 * TEBI, 64 * TEBI)).isEqualTo(96 * TEBI);
        assertThat(GrownRequest.limitWithin(1, 0, 64)).isEqualTo(Long.MAX_VALUE);
        assertThat(GrownRequest.limitWithin(TEBI, 1, TEBI << 20)).isEqualTo(Long.MAX_VALUE);
    }
}
