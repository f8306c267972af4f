package dev.muster.streams;

import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/**
 * What waits for the next round of one stream thread, and not for a record. A round looks at every
 * task of its thread, whether it has work or not, so without cause there are few.
 *
 * <p>For one thread.
 */
final class Rounds {
    /** Every round, whenever it comes. */
    private static final Duration EACH = Duration.ofMillis(1);

    /** Until the next one where something waits for it. */
    private static final Duration SOON = Duration.ofMillis(5);

    private int waiting;

    /** Until the answer is cancelled, does this in each round, and rounds come soon. */
    Cancellable each(ProcessingContext context, Runnable work) {
        waiting++;
        return new Wish(context.schedule(EACH, PunctuationType.WALL_CLOCK_TIME, _ -> work.run()));
    }

    /** For so long records may be waited for, where the caller would wait for {@code patience}. */
    Duration patience(Duration patience) {
        return waiting > 0 ? soon(patience) : patience;
    }

    /** The same where the next round is waited for. */
    static Duration soon(Duration patience) {
        return patience.compareTo(SOON) > 0 ? SOON : patience;
    }

    private final class Wish implements Cancellable {
        private final Cancellable schedule;
        private boolean isOver;

        Wish(Cancellable schedule) {
            this.schedule = schedule;
        }

        @Override
        public void cancel() {
            if (!isOver) {
                isOver = true;
                waiting--;
                schedule.cancel();
            }
        }
    }
}
