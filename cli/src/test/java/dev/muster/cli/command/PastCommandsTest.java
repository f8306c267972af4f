package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.ExitCode;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.history.replay.Replay;
import dev.muster.coordinator.history.whatif.Alteration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commands that look at a pool's past make of what is typed and of what comes back. */
class PastCommandsTest {
    @Test
    void whatIsAlteredIsWhatWasTyped() {
        assertThat(
                        whatIf(
                                "what-if --weight a=3 --limit a=cpu=10 --limit a=memory=2Gi"
                                        + " --policy Fifo --nodes +2 like n --nodes +1 like n"
                                        + " --without-node m"))
                .isEqualTo(
                        new Alteration(
                                new TreeMap<>(Map.of("a", 3)),
                                new TreeMap<>(
                                        Map.of(
                                                "a",
                                                new TreeMap<>(
                                                        Map.of(
                                                                "cpu", 10_000L, "memory",
                                                                2L << 30)))),
                                QueuePolicy.FIFO,
                                new TreeMap<>(Map.of("n", 3)),
                                new TreeSet<>(List.of("m"))));
    }

    @Test
    void nothingElseIsAltered() {
        assertThat(whatIf("what-if --without-node m"))
                .isEqualTo(
                        new Alteration(
                                new TreeMap<>(),
                                new TreeMap<>(),
                                null,
                                new TreeMap<>(),
                                new TreeSet<>(List.of("m"))));
        assertThat(whatIf("what-if")).isEqualTo(Alteration.none());
    }

    private static Alteration whatIf(String line) {
        return ((WhatIfCommand) command(line)).alteration();
    }

    private static Object command(String line) {
        var parsed = MusterCommand.commandLine(false).parseArgs(line.split(" "));
        return parsed.subcommand().commandSpec().userObject();
    }

    @ParameterizedTest
    @CsvSource({
        "same, 5, 0, 0, " + ExitCode.OK,
        "differs, 5, 1, 0, " + ExitCode.FAILED,
        "all differs, 0, 5, 0, " + ExitCode.FAILED,
        "by others, 0, 0, 5, " + ExitCode.REFUSED
    })
    void replayEndsWithWhatCameOfIt(
            String what, long same, long differences, long byOthers, int exitCode) {
        var result = new Replay.Result(10, same, differences, 0, byOthers, 0, 0, List.of());
        assertThat(ReplayCommand.exitCode(result)).as(what).isEqualTo(exitCode);
    }
}
