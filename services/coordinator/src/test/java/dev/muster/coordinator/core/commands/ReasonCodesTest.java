package dev.muster.coordinator.core.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.StateReason;
import dev.muster.coordinator.core.model.WaitReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever code users are shown, the guide says what it means and what changes it. */
class ReasonCodesTest {
    private static final Path GUIDE = Path.of("..", "..", "docs", "guide", "explain.md");
    private static final Pattern ROW = Pattern.compile("^\\| `([A-Za-z]+)` \\|", Pattern.MULTILINE);

    /** A pool has nothing of what it could not read: the stream says so. */
    private static final String PARKED = "Parked";

    @Test
    void everyReasonToWaitIsInTheGuide() throws IOException {
        var codes = Arrays.stream(WaitReason.Code.values()).map(WaitReason.Code::label);
        assertThat(rows("While a job\nwaits"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(codes, Stream.of(StateReason.SUSPENDED)).toList());
    }

    @Test
    void everyReasonOfARefusalIsInTheGuide() throws IOException {
        var codes = Arrays.stream(Refusals.Code.values()).map(Refusals.Code::label);
        assertThat(rows("Of a job that its pool refused"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(codes, Stream.of(PARKED)).toList());
    }

    /** The first column of the table after these words. */
    private static List<String> rows(String words) throws IOException {
        var page = Files.readString(GUIDE);
        assertThat(page).contains(words);
        var table = page.substring(page.indexOf("|---|", page.indexOf(words)));
        return ROW.matcher(table.substring(0, table.indexOf("\n\n")))
                .results()
                .map(row -> row.group(1))
                .toList();
    }
}
