package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.podmanager.kafka.Tenure.PartitionLostException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TenureTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

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
}
