package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cli.kafka.Statuses;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class FilterOptionTest {
    private static final JobStatus RUNNING =
            JobStatus.newBuilder(Statuses.status(new JobRef("ml", "ring", "3-7"), Phase.RUNNING))
                    .setQueue("research")
                    .setLabels(Map.of("team", "vision", "kind", "eval"))
                    .build();

    @Command
    private static final class Shown {
        @Mixin private FilterOption filter = new FilterOption();
    }

    private static FilterOption filter(String words) {
        var shown = new Shown();
        new CommandLine(shown).parseArgs(words.isEmpty() ? new String[0] : words.split(" "));
        return shown.filter;
    }

    @ParameterizedTest
    @CsvSource({
        "'', true",
        "--queue research, true",
        "--queue default, false",
        "--phase Running, true",
        "--phase queued --phase running, true",
        "--phase Failed, false",
        "-l team=vision, true",
        "-l team=vision --label kind=eval, true",
        "-l team=vision -l kind=train, false",
        "-l team=speech, false",
        "-l user=ada, false",
        "--living, true",
        "--ended, false",
        "--living --queue research --phase Running -l kind=eval, true"
    })
    void jobIsShownThatIsAllThatIsAskedFor(String words, boolean shown) {
        assertThat(filter(words).takes(RUNNING)).isEqualTo(shown);
    }

    @Test
    void ofOneJobByItsNameNothingElseIsAskedFor() {
        filter("").check("ring");
        filter("--living").check(null);
        assertThatThrownBy(() -> filter("--phase Running").check("ring"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("not with NAME");
    }

    @Test
    void nothingIsBothLivingAndEnded() {
        assertThatThrownBy(() -> filter("--living --ended").check(null))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("exclude each other");
    }

    @Test
    void phaseThatThereIsNotIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> filter("--phase Pending"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("'Pending' is no phase: known are Suspended, Queued, ");
        assertThatThrownBy(() -> filter("--phase Unknown")).hasMessageContaining("is no phase");
    }
}
