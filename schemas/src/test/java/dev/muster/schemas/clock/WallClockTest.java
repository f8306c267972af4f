package dev.muster.schemas.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WallClockTest {
    private static final long HOUR = 3_600_000;
    private final AtomicLong wall = new AtomicLong(1_767_268_800_000L);
    private final AtomicLong monotonic = new AtomicLong(-7);
    private final AtomicInteger told = new AtomicInteger();
    private final WallClock clock = new WallClock(wall::get, monotonic::get, told::incrementAndGet);

    @Test
    void timeThatPassesIsNoNews() {
        clock.look();
        passes(HOUR);
        clock.look();

        assertThat(told).hasValue(0);
    }

    @Test
    void clockThatIsSetBackIsToldOnce() {
        clock.look();
        wall.addAndGet(-HOUR);
        clock.look();
        clock.look();
        passes(10);
        clock.look();

        assertThat(told).hasValue(1);
    }

    @Test
    void clockThatWasSetAheadAndIsRightAgainWasSetBack() {
        clock.look();
        wall.addAndGet(HOUR);
        clock.look();
        assertThat(told).hasValue(0);
        wall.addAndGet(-HOUR);
        clock.look();

        assertThat(told).hasValue(1);
    }

    @Test
    void whatWasSetBackStaysSoUntilARestart() {
        assertThat(clock.wasSetBack()).isFalse();
        wall.addAndGet(-HOUR);
        assertThat(clock.wasSetBack()).isTrue();
        wall.addAndGet(HOUR);
        assertThat(clock.wasSetBack()).isTrue();
        assertThat(told).hasValue(1);
    }

    @Test
    void fewSecondsAreBearable() {
        clock.look();
        wall.addAndGet(-5_000);
        clock.look();
        assertThat(told).hasValue(0);
        wall.addAndGet(-1);
        clock.look();

        assertThat(told).hasValue(1);
    }

    private void passes(long millis) {
        wall.addAndGet(millis);
        monotonic.addAndGet(millis * 1_000_000);
    }
}
