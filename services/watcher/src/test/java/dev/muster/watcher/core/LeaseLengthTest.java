package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LeaseLengthTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final LeaseLength length =
            new LeaseLength(Duration.ofSeconds(2), Duration.ofMillis(400));

    @Test
    void whileAnswersAreQuickItIsAsConfigured() {
        assertThat(length.given()).hasSeconds(2);
        length.answered(Duration.ofMillis(400), NOON);
        assertThat(length.given()).hasSeconds(2);
        assertThat(length.patience()).hasMillis(1600);
    }

    @Test
    void threeAnswersAsSlowAsTheSlowestAndTwoPausesFitIntoItInWholeSeconds() {
        length.answered(Duration.ofMillis(700), NOON);
        length.answered(Duration.ofMillis(20), NOON.plusSeconds(1));
        assertThat(length.given()).hasSeconds(3);
        length.answered(Duration.ofMillis(1_400), NOON.plusSeconds(2));
        assertThat(length.given()).hasSeconds(5);
        length.answered(Duration.ofMillis(1_401), NOON.plusSeconds(2));
        assertThat(length.given()).hasSeconds(6);
    }

    /** Each answer that is waited for in vain lets the next one take longer. */
    @Test
    void itGrowsUpToWhatKubernetesItselfUses() {
        for (int i = 0; i < 9; i++) {
            length.answered(length.patience(), NOON);
        }
        assertThat(length.given()).hasSeconds(15);
        assertThat(new LeaseLength(Duration.ofSeconds(60), Duration.ofSeconds(5)).given())
                .hasSeconds(60);
    }

    @Test
    void aSlowAnswerIsForgottenAfterTenToTwentySeconds() {
        length.answered(Duration.ofMillis(20), NOON);
        length.answered(Duration.ofSeconds(2), NOON.plusSeconds(9));
        length.answered(Duration.ofSeconds(1), NOON.plusSeconds(19));
        length.answered(Duration.ofMillis(20), NOON.plusSeconds(28));
        assertThat(length.given()).hasSeconds(7);
        length.answered(Duration.ofMillis(20), NOON.plusSeconds(29));
        assertThat(length.given()).hasSeconds(4);
        length.answered(Duration.ofMillis(20), NOON.plusSeconds(39));
        assertThat(length.given()).hasSeconds(2);
    }

    @Test
    void afterALongPauseNothingSlowIsRemembered() {
        length.answered(Duration.ofSeconds(2), NOON);
        length.answered(Duration.ofMillis(20), NOON.plusSeconds(20));
        assertThat(length.given()).hasSeconds(2);
    }
}
