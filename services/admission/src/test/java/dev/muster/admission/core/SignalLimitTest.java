package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SignalLimitTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final SignalLimit limit = new SignalLimit();

    private long taken(int said, Instant now) {
        return IntStream.range(0, said).filter(_ -> limit.takes("ml/a", now)).count();
    }

    @Test
    void largeGangMayDrainAtOnce() {
        assertThat(taken(SignalLimit.BURST, NOON)).isEqualTo(SignalLimit.BURST);
    }

    @Test
    void whatIsMoreIsTakenAsTimePasses() {
        assertThat(taken(5_000, NOON)).isEqualTo(SignalLimit.BURST);
        assertThat(taken(5_000, NOON.plusSeconds(2))).isEqualTo(2 * SignalLimit.PER_SECOND);
        assertThat(taken(5_000, NOON.plusSeconds(10_000))).isEqualTo(SignalLimit.BURST);
    }

    @Test
    void oneJobDoesNotSilenceAnother() {
        taken(5_000, NOON);
        assertThat(limit.takes("ml/b", NOON)).isTrue();
    }
}
