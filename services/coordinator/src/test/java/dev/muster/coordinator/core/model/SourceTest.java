package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Source.Kind;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How long somebody who sees for the pool was blind. */
class SourceTest {
    private static final Source WATCHER = Source.first(Kind.WATCHER, 0, 1, NOON).ends(second(10));

    private static Instant second(int second) {
        return NOON.plusSeconds(second);
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Test
    void newcomerIsBlindUntilItHasToldWhatIsThere() {
        var first = Source.first(Kind.WATCHER, 0, 1, NOON);
        assertThat(first.isBlind(NOON)).isTrue();
        assertThat(first.blindUntil(second(10))).isEqualTo(seconds(10));
        assertThat(WATCHER.isBlind(second(10))).isFalse();
        assertThat(WATCHER.blindUntil(second(12))).isEqualTo(seconds(10));
    }

    @Test
    void silenceOfFifteenSecondsIsNoneAndALongerOneIsBlindFromItsBeginning() {
        assertThat(WATCHER.isBlind(second(15))).isFalse();
        assertThat(WATCHER.isBlind(second(16))).isTrue();
        assertThat(WATCHER.blindUntil(second(16))).isEqualTo(seconds(26));
    }

    @Test
    void sameEpochGoesOnWhereItWas() {
        var back = WATCHER.heard(1, second(40));
        assertThat(back.isBlind(second(41))).isFalse();
        assertThat(back.blindUntil(second(41))).isEqualTo(seconds(50));
    }

    @Test
    void anotherEpochIsBlindUntilItHasToldAndSinceTheLastOneWasHeard() {
        var next = WATCHER.heard(2, second(40));
        assertThat(next.isBlind(second(41))).isTrue();
        assertThat(next.ends(second(45)).blindUntil(second(45))).isEqualTo(seconds(55));
        var atOnce = WATCHER.heard(1, second(20)).heard(2, second(25));
        assertThat(atOnce.ends(second(27)).blindUntil(second(27))).isEqualTo(seconds(32));
    }

    @Test
    void whoWasBlindBeforeStaysSoWhateverEpochItHas() {
        var before = Source.first(Kind.WATCHER, 0, 1, NOON);
        for (int epoch : new int[] {1, 2}) {
            var heard = before.heard(epoch, second(5));
            assertThat(heard.isBlind(second(6))).isTrue();
            assertThat(heard.blindUntil(second(6))).isEqualTo(seconds(6));
        }
    }

    @Test
    void whoMakesPodsHasNothingToTell() {
        var plans = Source.first(Kind.PLANS, 3, 1, NOON).heard(2, second(5));
        assertThat(plans.isBlind(second(6))).isFalse();
        assertThat(plans.blindUntil(second(6))).isEqualTo(seconds(5));
    }

    @Test
    void whatItSaysMeansSomethingElseFromWhenItWasHeardIfItIsSilent() {
        var heard = WATCHER.heard(1, second(20));
        assertThat(heard.anew(second(30)).blindUntil(second(31))).isEqualTo(seconds(31));
        assertThat(heard.anew(second(40)).blindUntil(second(41))).isEqualTo(seconds(51));
        assertThat(heard.blindFor(seconds(4)).blindUntil(second(21))).isEqualTo(seconds(34));
    }
}
