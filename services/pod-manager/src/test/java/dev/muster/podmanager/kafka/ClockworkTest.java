package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClockworkTest {
    private static final Duration OFTEN = Duration.ofMillis(1);

    private final Clockwork clockwork = new Clockwork();
    private final CountDownLatch threeTimes = new CountDownLatch(3);

    @AfterEach
    void stop() {
        clockwork.stop();
    }

    @Test
    void whatTakesLongHoldsNothingElseUp() throws InterruptedException {
        var began = new CountDownLatch(1);
        var forEver = new CountDownLatch(1);
        clockwork.every(
                OFTEN,
                () -> {
                    began.countDown();
                    wait(forEver);
                });
        began.await();
        clockwork.every(OFTEN, threeTimes::countDown);
        assertThat(threeTimes.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatGoesWrongIsDoneAgain() throws InterruptedException {
        clockwork.every(
                OFTEN,
                () -> {
                    threeTimes.countDown();
                    throw new IllegalStateException("wrong");
                });
        assertThat(threeTimes.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatIsUnderWayIsInterruptedWhenItStops() throws InterruptedException {
        var began = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        clockwork.every(
                OFTEN,
                () -> {
                    began.countDown();
                    wait(new CountDownLatch(1));
                    interrupted.countDown();
                });
        began.await();
        clockwork.stop();
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private static void wait(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
