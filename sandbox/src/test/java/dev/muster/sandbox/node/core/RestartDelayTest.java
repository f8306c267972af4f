package dev.muster.sandbox.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.node.core.RestartDelay.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestartDelayTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final RestartDelay DELAY = RestartDelay.KUBELET;

    @Test
    void theFirstRestartIsAtOnceAndTheOthersWaitTwiceAsLongEachUpToFiveMinutes() {
        var waits = new ArrayList<Long>();
        Backoff backoff = null;
        var end = NOON;
        for (int restart = 0; restart < 8; restart++) {
            var at = DELAY.retryAt(backoff, end);
            waits.add(Duration.between(end, at).toSeconds());
            backoff = DELAY.next(backoff, end, at);
            end = at.plusSeconds(1);
        }
        assertThat(waits).isEqualTo(List.of(0L, 10L, 20L, 40L, 80L, 160L, 300L, 300L));
    }

    @Test
    void whoRanForTenMinutesBeginsAnew() {
        var backoff = new Backoff(Duration.ofSeconds(300), NOON);
        var end = NOON.plusSeconds(601);
        assertThat(DELAY.retryAt(backoff, end)).isEqualTo(end);
        assertThat(DELAY.next(backoff, end, end))
                .isEqualTo(new Backoff(Duration.ofSeconds(10), end));
    }

    @Test
    void whoRanForTenMinutesAndNoMoreDoesNot() {
        var backoff = new Backoff(Duration.ofSeconds(300), NOON);
        var end = NOON.plusSeconds(600);
        assertThat(DELAY.retryAt(backoff, end)).isEqualTo(end.plusSeconds(300));
    }
}
