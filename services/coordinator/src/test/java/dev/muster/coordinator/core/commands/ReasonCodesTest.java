package dev.muster.coordinator.core.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.StateReason;
import dev.muster.coordinator.core.model.End;
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
    private static final Path CORE = Path.of("src/main/java/dev/muster/coordinator/core");
    private static final Pattern ROW = Pattern.compile("^\\|([^|]+)\\|", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("`([A-Za-z]+)`");

    /** An end, or what leads to one, whose code is written out. */
    private static final Pattern WRITTEN_OUT =
            Pattern.compile("new (\\w+\\.)?(End|Requeue|RestartDecided)\\([^\";]*\"[A-Z]\\w+\"");

    /** A pool has nothing of what it could not read: the stream says so. */
    private static final String PARKED = "Parked";

    /** Nor of what pod-manager finds in its way. */
    private static final String NAME_TAKEN = "NameTaken";

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

    @Test
    void everyReasonOfAnEndIsInTheGuide() throws IOException {
        var codes = Arrays.stream(End.Code.values()).map(End.Code::label);
        assertThat(rows("Of a job that has ended or restarts"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(codes, Stream.of(NAME_TAKEN)).toList());
    }

    /** Else that would be a code of which the guide's test does not know. */
    @Test
    void noReasonOfAnEndIsWrittenOutWhereItIsUsed() throws IOException {
        try (var files = Files.walk(CORE)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(WRITTEN_OUT.matcher(Files.readString(file)).results())
                        .as(file.toString())
                        .isEmpty();
            }
        }
    }

    /** The codes in the first column of the table after these words. */
    private static List<String> rows(String words) throws IOException {
        var page = Files.readString(GUIDE);
        assertThat(page).contains(words);
        var table = page.substring(page.indexOf("|---|", page.indexOf(words)));
        return ROW.matcher(table.substring(0, table.indexOf("\n\n")))
                .results()
                .flatMap(row -> CODE.matcher(row.group(1)).results())
                .map(code -> code.group(1))
                .toList();
    }
}
