package dev.muster.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.replay.Finding;
import dev.muster.coordinator.history.replay.Replay;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayTextTest {
    private static final Finding DIFFERENCE = new Finding.NotTaken(7, "it is cut off");
    private static final Finding OTHER_VERSION = new Finding.OtherVersion(8, "1", "2");

    private static Replay.Result result(long differences) {
        return new Replay.Result(
                10, 5, differences, 0, 0, 0, 0, List.of(DIFFERENCE, OTHER_VERSION));
    }

    @Test
    void saysThatThereIsMoreThanIsShown() {
        assertThat(ReplayText.of("default", result(2)).getLast()).contains("not shown");
        assertThat(ReplayText.of("default", result(1)).getLast())
                .isEqualTo(OTHER_VERSION.sentence());
    }
}
