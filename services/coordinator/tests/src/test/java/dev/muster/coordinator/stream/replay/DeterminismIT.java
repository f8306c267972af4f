package dev.muster.coordinator.stream.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.simulation.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Same inbox, same decisions, bit for bit: in two processes whose hash codes and immutable sets are
 * in different orders, one of which is made again from its rows many times.
 */
class DeterminismIT {
    private static final int EVENTS = 5_000;

    /** One of each kind: all that a simulation can have is in some of them. */
    private static final long[] SIMULATIONS = {
        0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20, 22, 23, 24, 25, 28, 31,
        36, 39, 44, 45, 46, 49, 50, 52, 54, 55, 67, 73, 76, 80, 81, 85, 101, 104, 107, 110, 112, 121
    };

    @TempDir Path folder;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void twoProcessesMakeTheSameOfTheSameInbox(long seed) throws Exception {
        var inbox = folder.resolve("inbox");
        new RandomInbox(seed).of(EVENTS).write(inbox);

        var one = start(List.of(inbox), "one", 0, "-XX:hashCode=2");
        var other = start(List.of(inbox), "other", 251, "-XX:hashCode=5");

        var lines = linesOf(one, "one");
        assertThat(linesOf(other, "other")).isEqualTo(lines);
        assertThat(lines.getLast())
                .matches(
                        "\\d{4,} events, \\d{4,} effects, [1-9]\\d* queues deleted, \\d{2,} rows: .*");
    }

    @Test
    void twoProcessesMakeTheSameOfTheInboxesOfSimulations() throws Exception {
        var inboxes = new ArrayList<Path>();
        for (long seed : SIMULATIONS) {
            var inbox = folder.resolve("inbox-" + seed);
            SimulatedInbox.of(seed).write(inbox);
            inboxes.add(inbox);
        }

        var one = start(inboxes, "one", 0, "-XX:hashCode=2");
        var other = start(inboxes, "other", 83, "-XX:hashCode=5");

        var lines = linesOf(one, "one");
        assertThat(linesOf(other, "other")).isEqualTo(lines);
        assertThat(lines).hasSizeGreaterThan(5 * SIMULATIONS.length);
        assertThat(lines.getLast()).matches("\\d{3,} events, \\d{3,} effects, .*");
    }

    @Test
    void simulationsOfEachKindAreAmongThem() {
        assertThat(kinds(LongStream.of(SIMULATIONS)))
                .isEqualTo(kinds(LongStream.range(0, Simulation.PERIOD)));
    }

    /** Together, by which each is told from what has other pieces beside the same. */
    private static Set<Set<String>> kinds(LongStream seeds) {
        return seeds.mapToObj(Simulation::kinds).collect(Collectors.toSet());
    }

    private Process start(List<Path> inboxes, String name, int restoreEvery, String hashCode)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.addAll(List.of("-XX:+UnlockExperimentalVMOptions", hashCode));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Replay.class.getName(), Integer.toString(restoreEvery)));
        inboxes.forEach(inbox -> command.add(inbox.toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name).toFile())
                .start();
    }

    private List<String> linesOf(Process process, String name) throws Exception {
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        var lines = Files.readAllLines(folder.resolve(name));
        assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
        return lines;
    }
}
