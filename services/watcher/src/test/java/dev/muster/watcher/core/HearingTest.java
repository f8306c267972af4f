package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class HearingTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final Hearing hearing = new Hearing();

    @Test
    void whoDoesNotHearForFiveSecondsIsDeafForLong() {
        hearing.found(true, NOON);
        hearing.found(true, NOON.plusSeconds(4));
        assertThat(hearing.isDeaf()).isTrue();
        assertThat(hearing.isDeafForLong(NOON.plusMillis(4_999))).isFalse();
        assertThat(hearing.isDeafForLong(NOON.plusSeconds(5))).isTrue();
        hearing.found(false, NOON.plusSeconds(5));
        assertThat(hearing.isDeafForLong(NOON.plusSeconds(50))).isFalse();
    }

    /** As while a watch begins, is told that it is too far behind, and all is listed anew. */
    @Test
    void whoHearsForAMomentBetweenIsNotSure() {
        hearing.found(true, NOON);
        hearing.found(false, NOON.plusSeconds(3));
        assertThat(hearing.isSure(NOON.plusMillis(4_999))).isFalse();
        hearing.found(true, NOON.plusMillis(4_100));
        hearing.found(false, NOON.plusSeconds(7));
        assertThat(hearing.isSure(NOON.plusSeconds(8))).isFalse();
        assertThat(hearing.isSure(NOON.plusSeconds(9))).isTrue();
    }

    @Test
    void nobodyIsSureOfWhatWasNotFoundYet() {
        assertThat(hearing.isSure(NOON)).isFalse();
        assertThat(hearing.isDeafForLong(NOON)).isFalse();
    }
}
