package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClockworkTest {
    private static final Duration OFTEN = Duration.ofMillis(1);

    private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    private final Clockwork clockwork =
            new Clockwork((name, cause) -> ended.add(name + ": " + cause.getMessage()));
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
                "task",
                OFTEN,
                () -> {
                    began.countDown();
                    wait(forEver);
                });
        began.await();
        clockwork.every("another", OFTEN, threeTimes::countDown);
        assertThat(threeTimes.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatGoesWrongIsDoneAgain() throws InterruptedException {
        clockwork.every(
                "task",
                OFTEN,
                () -> {
                    threeTimes.countDown();
                    throw new IllegalStateException("wrong");
                });
        assertThat(threeTimes.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ended).isEmpty();
    }

    /** Whatever an Error leaves behind, nobody is to wait for a task that never comes again. */
    @Test
    void taskThatMeetsAnErrorEndsAndSaysSoByItsName() throws InterruptedException {
        clockwork.every(
                "sweep",
                OFTEN,
                () -> {
                    throw new LinkageError("no such class");
                });
        assertThat(ended.poll(10, TimeUnit.SECONDS)).isEqualTo("sweep: no such class");
        clockwork.every("another", OFTEN, threeTimes::countDown);
        assertThat(threeTimes.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ended).isEmpty();
    }

    @Test
    void whatIsUnderWayIsInterruptedWhenItStops() throws InterruptedException {
        var began = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        clockwork.every(
                "task",
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
