package dev.muster.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HasteTest {
    private static final Duration LONG = Duration.ofMillis(100);

    private long nanos = -Duration.ofHours(1).toNanos();
    private final Haste haste = new Haste(() -> nanos);

    @Test
    void whereNothingWasTakenOverThereIsNoHaste() {
        assertThat(haste.patience(LONG)).isEqualTo(LONG);
    }

    @Test
    void roundsComeSoonWhileTasksAreTakenOver() {
        haste.begin();
        assertThat(haste.patience(LONG)).isEqualTo(Duration.ofMillis(5));

        nanos += Duration.ofMillis(1500).toNanos();
        haste.begin();
        nanos += Duration.ofMillis(1500).toNanos();
        assertThat(haste.patience(LONG)).isEqualTo(Duration.ofMillis(5));
        assertThat(haste.patience(Duration.ZERO)).isZero();
    }

    @Test
    void afterTheLastOneIsPatient() {
        haste.begin();
        nanos += Duration.ofSeconds(2).toNanos();
        assertThat(haste.patience(LONG)).isEqualTo(LONG);
    }

    @Test
    void brokersAnswerSoonUnlessTheSettingsSayOtherwise() {
        assertThat(ChangelogConsumer.prompt(Map.of())).containsEntry("fetch.max.wait.ms", 100);
        assertThat(ChangelogConsumer.prompt(Map.of("fetch.max.wait.ms", "250")))
                .containsEntry("fetch.max.wait.ms", "250");
    }
}
