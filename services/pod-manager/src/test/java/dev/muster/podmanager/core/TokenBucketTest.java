package dev.muster.podmanager.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final TokenBucket bucket = new TokenBucket(10, 3, NOON);

    @Test
    void aBurstIsFreeAndTheRestFollowsAtTheRate() {
        assertThat(Stream.generate(() -> bucket.take(NOON).toMillis()).limit(5))
                .containsExactly(0L, 0L, 0L, 100L, 200L);
    }

    @Test
    void aRestSavesUpNoMoreThanABurst() {
        bucket.take(NOON);
        var later = NOON.plusSeconds(60);
        assertThat(Stream.generate(() -> bucket.take(later).toMillis()).limit(4))
                .containsExactly(0L, 0L, 0L, 100L);
    }

    @Test
    void aPauseHoldsEverybodyUp() {
        bucket.pause(NOON.plusSeconds(5));
        assertThat(bucket.take(NOON)).isEqualTo(Duration.ofSeconds(5));
        assertThat(bucket.take(NOON)).isEqualTo(Duration.ofMillis(5_100));
    }
}
