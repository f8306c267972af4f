package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.schemas.trainjob.TrainJobForm.Read;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The training script of the example by itself: three processes on loopback. */
class RingExampleIT {
    private static final Pattern LOSS = Pattern.compile("step +\\d+  loss (\\d+\\.\\d+)");
    private static final Pattern WEIGHTS = Pattern.compile("trained, weights ([0-9a-f]{12})");

    /** What each rank printed. */
    private static List<String> printed = List.of();

    @BeforeAll
    static void train(@TempDir Path logs) throws IOException, InterruptedException {
        var ranks = new ArrayList<Process>();
        try {
            var port = freePort();
            for (var rank : List.of(2, 0, 1)) {
                ranks.add(start(rank, port, logs.resolve(rank + ".log")));
            }
            for (var rank : ranks) {
                assertThat(rank.waitFor()).isZero();
            }
            printed = IntStream.range(0, 3).mapToObj(rank -> read(logs, rank)).toList();
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }

    @Test
    void theLossGoesDown() {
        var losses = LOSS.matcher(printed.getFirst()).results().map(m -> m.group(1)).toList();
        var values = losses.stream().map(Double::valueOf).toList();
        assertThat(values).hasSize(13).isSortedAccordingTo((a, b) -> b.compareTo(a));
        assertThat(values.getLast()).isLessThan(values.getFirst() / 4);
    }

    @Test
    void everyRankEndsWithTheSameWeights() {
        var weights =
                printed.stream()
                        .map(log -> WEIGHTS.matcher(log).results().map(m -> m.group(1)).toList())
                        .toList();
        assertThat(weights).allSatisfy(each -> assertThat(each).hasSize(1));
        assertThat(weights).containsOnly(weights.getFirst());
    }

    private static Process start(int rank, int port, Path log) throws IOException {
        var text = Files.readString(ExamplesTest.EXAMPLES.resolve("ring.yaml"));
        var job = (Read) TrainJobForm.read(text);
        var container =
                new JsonMapper()
                        .readTree(job.spec().getRoles().getFirst().getTemplate())
                        .at("/spec/containers/0");
        var command = new ArrayList<String>();
        container.get("command").forEach(word -> command.add(word.asString()));
        container.get("args").forEach(word -> command.add(word.asString()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(log.toFile());
        builder.environment()
                .putAll(
                        Map.of(
                                "RANK",
                                "" + rank,
                                "WORLD_SIZE",
                                "3",
                                "MASTER_ADDR",
                                "127.0.0.1",
                                "MASTER_PORT",
                                "" + port));
        return builder.start();
    }

    private static String read(Path logs, int rank) {
        try {
            return Files.readString(logs.resolve(rank + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
