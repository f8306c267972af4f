package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.Entry;
import dev.muster.admission.core.Phase;
import dev.muster.admission.core.SettingsRules.Sent;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows of the directory, as this release and those before wrote them. */
class RowsTest {
    @Test
    void rowComesBackAsItWas() {
        var entry =
                new Entry(
                        "3-10",
                        "gpus",
                        7,
                        "d",
                        Phase.RUNNING,
                        List.of(),
                        List.of(new Entry.Earlier("3-3", "cpus", 2)),
                        List.of(new Entry.Commanded("r", Instant.EPOCH, "3-10")),
                        true);
        assertThat(Rows.entry(Rows.entry(entry))).isEqualTo(entry);
    }

    @Test
    void rowOfAReleaseThatKnewLessIsRead() {
        var row =
                """
                {"uid":"3-10","pool":"gpus","number":7,"digest":"d","phase":"FAILED","submits":[]}
                """;
        assertThat(Rows.entry(row.getBytes(UTF_8)))
                .isEqualTo(
                        new Entry(
                                "3-10",
                                "gpus",
                                7,
                                "d",
                                Phase.FAILED,
                                List.of(),
                                List.of(),
                                List.of(),
                                false));
    }

    @Test
    void rowOfAReleaseThatDidNotSayWhetherAQueueWasDrainedIsRead() {
        assertThat(Rows.sent("{\"pool\":\"gpus\",\"deleted\":true}".getBytes(UTF_8)))
                .isEqualTo(new Sent("gpus", true, false));
        var leaving = new Sent("gpus", true, true);
        assertThat(Rows.sent(Rows.sent(leaving))).isEqualTo(leaving);
    }
}
