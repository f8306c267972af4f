package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.stream.PoolTime.Stand;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PoolTimeTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Stand IDLE = new Stand(NOON, null, false, null);
    private static final Stand RINGS_IN_10 = new Stand(NOON, NOON.plusSeconds(10), false, null);
    private static final Stand BUSY = new Stand(NOON, null, true, null);

    @Test
    void poolWithoutAlarmIsToldNothing() {
        var time = new PoolTime(IDLE, 0);

        assertThat(time.nanosUntilDue(seconds(1000))).isEqualTo(PoolTime.NEVER);
        assertThat(time.due(seconds(1000))).isEmpty();
    }

    @Test
    void versionIsToldAtOnceAndAgainUntilThePoolHasHeard() {
        var outdated = new Stand(NOON, null, false, "2");
        var time = new PoolTime(outdated, 0);

        assertThat(time.nanosUntilDue(7)).isZero();
        assertThat(time.versionDue(7)).contains("2");
        assertThat(time.due(7)).isEmpty();
        assertThat(time.versionDue(8)).isEmpty();
        time.tookIn(outdated, null, 9);
        assertThat(time.versionDue(10)).isEmpty();
        assertThat(time.nanosUntilDue(7)).isEqualTo(PoolTime.RESEND.toNanos());
        assertThat(time.versionDue(7 + PoolTime.RESEND.toNanos())).contains("2");
        time.tookIn(IDLE, null, seconds(6));
        assertThat(time.nanosUntilDue(seconds(60))).isEqualTo(PoolTime.NEVER);
        assertThat(time.versionDue(seconds(60))).isEmpty();
    }

    @Test
    void versionThatIsNewAgainIsToldAtOnce() {
        var time = new PoolTime(new Stand(NOON, null, false, "2"), 0);
        time.versionDue(0);
        time.tookIn(IDLE, null, 1);

        time.tookIn(new Stand(NOON, null, false, "2"), null, 2);

        assertThat(time.versionDue(3)).contains("2");
    }

    @Test
    void alarmIsDueWhenSoMuchHasElapsed() {
        var time = new PoolTime(RINGS_IN_10, seconds(100));

        assertThat(time.nanosUntilDue(seconds(107))).isEqualTo(seconds(3));
        assertThat(time.due(seconds(109))).isEmpty();
        assertThat(time.due(seconds(112))).contains(NOON.plusSeconds(12));
    }

    @Test
    void elapsedTimeBeginsAnewWithEachRecordThatMovesTime() {
        var time = new PoolTime(RINGS_IN_10, 0);
        var later = new Stand(NOON.plusSeconds(8), NOON.plusSeconds(10), false, null);

        time.tookIn(later, null, seconds(9));

        assertThat(time.nanosUntilDue(seconds(9))).isEqualTo(seconds(2));
    }

    @Test
    void recordsOfABrokerWhoseClockWasSetBackStopNoTime() {
        var time = new PoolTime(RINGS_IN_10, 0);

        time.tookIn(RINGS_IN_10, null, seconds(9));
        time.tookIn(RINGS_IN_10, null, seconds(10));

        assertThat(time.due(seconds(11))).contains(NOON.plusSeconds(11));
    }

    /** Of a broker whose clock is behind the pool nothing but these messages moves its time. */
    @Test
    void wayOfAMessageIsNoTimeThatIsLost() {
        var time = new PoolTime(ringsAfter(NOON), 0);

        for (int round = 1; round <= 10; round++) {
            var sent = time.due(millis(200 * round)).orElseThrow();
            assertThat(sent).isEqualTo(NOON.plusMillis(200 * round));
            time.tookIn(ringsAfter(sent), sent, millis(200 * round + 50));
        }

        assertThat(time.nanosUntilDue(millis(2050))).isEqualTo(millis(150));
        assertThat(time.due(millis(2200))).contains(NOON.plusMillis(2200));
    }

    private static Stand ringsAfter(Instant now) {
        return new Stand(now, now.plusMillis(200), false, null);
    }

    /** The contract counts in microseconds, and a message says no less than was due. */
    @Test
    void whatIsRoundedUpIsNoTimeThatIsWon() {
        var time = new PoolTime(RINGS_IN_10, 0);
        var sent = time.due(seconds(10) + 1).orElseThrow();
        var told = sent.plusNanos(999);

        time.tookIn(new Stand(told, told.plusSeconds(1), false, null), told, seconds(10) + 2000);

        assertThat(time.due(seconds(12))).contains(NOON.plusSeconds(12));
    }

    /** As when a coordinator that was replaced had sent it by a clock that was ahead. */
    @Test
    void messageThatIsAheadOfWhatElapsedTakesNoTimeBack() {
        var time = new PoolTime(RINGS_IN_10, 0);
        time.due(seconds(10));
        var ahead = NOON.plusSeconds(60);

        time.tookIn(new Stand(ahead, ahead.plusSeconds(1), false, null), ahead, seconds(11));

        assertThat(time.nanosUntilDue(seconds(11))).isEqualTo(seconds(1));
        assertThat(time.due(seconds(15))).contains(ahead.plusSeconds(4));
    }

    @Test
    void oneMessageIsUnderWayAtMost() {
        var time = new PoolTime(RINGS_IN_10, 0);
        time.due(seconds(10));

        assertThat(time.due(seconds(11))).isEmpty();
        time.tookIn(RINGS_IN_10, null, seconds(12));
        assertThat(time.due(seconds(12))).isEmpty();
    }

    @Test
    void messageThatIsNotSeenIsSentAgain() {
        var time = new PoolTime(RINGS_IN_10, 0);
        time.due(seconds(10));

        assertThat(time.due(seconds(10) + PoolTime.RESEND.toNanos()))
                .contains(NOON.plusSeconds(10).plus(PoolTime.RESEND));
    }

    @Test
    void messageThatWasSeenIsNotWaitedFor() {
        var time = new PoolTime(BUSY, 0);
        var first = time.due(0).orElseThrow();

        time.tookIn(BUSY, first, 5);

        assertThat(time.due(6)).contains(NOON.plusNanos(6));
    }

    @Test
    void olderMessageIsNotTheOneThatIsWaitedFor() {
        var time = new PoolTime(BUSY, 0);
        time.due(seconds(1));

        time.tookIn(BUSY, NOON, seconds(1));

        assertThat(time.due(seconds(1))).isEmpty();
    }

    @Test
    void alarmOfLongAgoIsDueAtOnce() {
        var time = new PoolTime(new Stand(NOON, NOON.minusSeconds(9), false, null), 0);

        assertThat(time.due(0)).contains(NOON);
    }

    @Test
    void alarmInAThousandYearsIsNoOverflow() {
        var far = new Stand(NOON, NOON.plus(Duration.ofDays(365_000)), false, null);

        assertThat(new PoolTime(far, 0).nanosUntilDue(0)).isPositive();
    }

    @Test
    void appendTimeThatRunsAheadOfWhatElapsedHasJumped() {
        var time = new PoolTime(IDLE, 0);
        time.hasJumped(NOON, NOON, 0);

        assertThat(time.hasJumped(NOON.plusSeconds(62), NOON.plusSeconds(1), seconds(1))).isTrue();
    }

    @Test
    void recordsOfABacklogTellNothingOfTheClock() {
        var time = new PoolTime(IDLE, 0);
        time.hasJumped(NOON, NOON.plusSeconds(4000), 0);

        assertThat(time.hasJumped(NOON.plusSeconds(3600), NOON.plusSeconds(4000), seconds(1)))
                .isFalse();
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }
}
