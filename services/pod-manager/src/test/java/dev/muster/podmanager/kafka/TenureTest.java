package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.podmanager.kafka.Tenure.PartitionLostException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TenureTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final Duration LONG = Duration.ofMinutes(10);

    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicBoolean written = new AtomicBoolean();
    private Instant now = NOON;
    private final Tenure tenure = new Tenure(Duration.ofSeconds(6), () -> now);

    @Test
    void nothingIsWrittenBeforeThePartitionIsOpenAndProven() throws IOException {
        assertThatThrownBy(() -> tenure.write(1, () -> "written"))
                .isInstanceOf(PartitionLostException.class);
        tenure.open(List.of(1));
        assertThatThrownBy(() -> tenure.write(1, () -> "written"))
                .isInstanceOf(PartitionLostException.class);
        tenure.prove(NOON);
        assertThat(tenure.write(1, () -> "written")).isEqualTo("written");
        assertThatThrownBy(() -> tenure.write(2, () -> "written"))
                .isInstanceOf(PartitionLostException.class);
    }

    @Test
    void whoeverSleptForHalfASessionWritesNothingUntilItIsProvenAnew() {
        tenure.open(List.of(1));
        tenure.prove(NOON);
        now = NOON.plusMillis(2_999);
        assertThat(tenure.holds(1)).isTrue();
        now = NOON.plusSeconds(3);
        assertThat(tenure.holds(1)).isFalse();
        tenure.prove(now);
        assertThat(tenure.holds(1)).isTrue();
    }

    @Test
    void partitionsThatWereTakenOverLatelyAreKnownAsThat() {
        assertThat(tenure.takenOverWithin(Duration.ofMinutes(5))).isEmpty();
        tenure.open(List.of(1));
        now = NOON.plusSeconds(299);
        tenure.open(List.of(2));
        assertThat(tenure.takenOverWithin(Duration.ofMinutes(5))).containsExactly(1, 2);
        now = NOON.plusSeconds(300);
        assertThat(tenure.takenOverWithin(Duration.ofMinutes(5))).containsExactly(2);
        tenure.open(List.of());
        now = NOON.plusSeconds(600);
        assertThat(tenure.takenOverWithin(Duration.ofMinutes(5))).isEmpty();
    }

    @Test
    void proofIsAskedForWellBeforeItIsNeeded() {
        assertThat(tenure.isProofDue()).isTrue();
        tenure.prove(NOON);
        assertThat(tenure.isProofDue()).isFalse();
        now = NOON.plusSeconds(1);
        assertThat(tenure.isProofDue()).isTrue();
    }

    @Test
    void proofThatIsAskedForWhenItIsDueComesInTime() {
        tenure.open(List.of(1));
        tenure.prove(NOON);
        now = NOON.plusSeconds(1);
        var asked = now;
        now = asked.plus(tenure.patience()).minusMillis(1);
        assertThat(tenure.holds(1)).isTrue();
        tenure.prove(asked);
        assertThat(tenure.holds(1)).isTrue();
    }

    @Test
    void aClosedPartitionIsNotOurs() throws InterruptedException {
        tenure.open(List.of(1, 2));
        tenure.prove(NOON);
        tenure.close(List.of(1), Duration.ofSeconds(1));
        assertThat(tenure.holds(1)).isFalse();
        assertThat(tenure.holds(2)).isTrue();
        assertThat(tenure.partitions()).containsExactly(2);
    }

    /** Whoever gets the partition next begins once our last write was answered. */
    @Test
    @Timeout(60)
    void whoClosesWaitsForTheWriteThatHasBegun() throws Exception {
        var writing = beginToWrite();
        var answered = new AtomicBoolean();
        var closing =
                Thread.ofPlatform()
                        .start(() -> {
                            close(LONG);
                            answered.set(written.get());
                        });
        assertThat(closing.join(Duration.ofMillis(100))).isFalse();

        answer.countDown();
        closing.join();
        assertThat(answered).isTrue();
        writing.join();
        assertThat(tenure.write(2, () -> "written")).isEqualTo("written");
    }

    @Test
    @Timeout(60)
    void whoClosesDoesNotWaitForeverForAWrite() throws Exception {
        var writing = beginToWrite();
        close(Duration.ofMillis(1));
        assertThat(written).isFalse();
        assertThat(tenure.holds(1)).isFalse();
        answer.countDown();
        writing.join();
        assertThat(written).isTrue();
    }

    /** A write of partition 1 that is on its way until it is answered. */
    private Thread beginToWrite() throws InterruptedException {
        tenure.open(List.of(1, 2));
        tenure.prove(NOON);
        var begun = new CountDownLatch(1);
        var writing =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                tenure.write(
                                        1,
                                        () -> {
                                            begun.countDown();
                                            awaitAnswer();
                                            written.set(true);
                                            return "written";
                                        });
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        begun.await();
        return writing;
    }

    private void awaitAnswer() {
        try {
            answer.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void close(Duration patience) {
        try {
            tenure.close(List.of(1), patience);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
