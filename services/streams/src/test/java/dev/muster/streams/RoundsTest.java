package dev.muster.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final Duration LONG = Duration.ofMillis(100);
    private final Rounds rounds = new Rounds();
    private final MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>();
    private final AtomicInteger done = new AtomicInteger();

    @Test
    void threadThatNobodyWaitsForIsPatient() {
        assertThat(rounds.patience(LONG)).isEqualTo(LONG);
    }

    @Test
    void whatWaitsIsDoneInEachRoundAndRoundsComeSoon() {
        var _ = rounds.each(context, done::incrementAndGet);

        assertThat(rounds.patience(LONG)).isEqualTo(Duration.ofMillis(5));
        var schedule = context.scheduledPunctuators().getFirst();
        schedule.getPunctuator().punctuate(1);
        schedule.getPunctuator().punctuate(2);
        assertThat(done).hasValue(2);
    }

    @Test
    void nobodyWaitsLongerThanAsked() {
        var _ = rounds.each(context, done::incrementAndGet);

        assertThat(rounds.patience(Duration.ZERO)).isZero();
    }

    @Test
    void afterTheLastOneWasCancelledTheThreadIsPatientAgain() {
        var one = rounds.each(context, done::incrementAndGet);
        var other = rounds.each(context, done::incrementAndGet);

        one.cancel();
        one.cancel();
        assertThat(rounds.patience(LONG)).isLessThan(LONG);
        other.cancel();
        assertThat(rounds.patience(LONG)).isEqualTo(LONG);
        assertThat(context.scheduledPunctuators()).allMatch(schedule -> schedule.cancelled());
    }
}
