package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

class StandbyWarmUpTest {
    @Test
    void allRowsAreReadAndWhatIsNoRowIsPassedOver() {
        try (var stage = new Stage().with(4, 4)) {
            int rows = 0;
            try (var entries = Rows.entries(stage.rows)) {
                for (; entries.hasNext(); rows++) {
                    entries.next();
                }
            }
            assertThat(rows).isGreaterThan(3);
            assertThat(stage.rows.approximateNumEntries()).isGreaterThan(rows);
            assertThat(StandbyWarmUp.read(stage.rows, 1_000)).isEqualTo(rows);
            assertThat(StandbyWarmUp.read(stage.rows, 2)).isEqualTo(2);
        }
    }

    @Test
    void rowsAreDecodedAsATakeoverWould() {
        try (var stage = new Stage().with(4)) {
            try (var entries = Rows.entries(stage.rows)) {
                stage.rows.put(entries.next().key, new byte[] {1});
            }
            assertThatThrownBy(() -> StandbyWarmUp.read(stage.rows, 1_000))
                    .isInstanceOf(JacksonException.class);
        }
    }
}
