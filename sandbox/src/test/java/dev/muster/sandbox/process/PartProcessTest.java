package dev.muster.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartProcessTest {
    @TempDir private Path folder;

    private Place place;

    @BeforeEach
    void makePlace() {
        place = new Place(folder, new UntilJvmEnds(), false, Progress.silent());
    }

    private PartProcess start(String script) {
        return place.start(new Launch("part", List.of("/bin/sh", "-c", script), place));
    }

    @Test
    void outputAndErrorsGoToTheLog() throws Exception {
        var part = start("echo out; echo err >&2");
        assertThat(part.awaitEnd(Duration.ofSeconds(20))).isTrue();
        assertThat(Files.readString(place.log("part"))).isEqualTo("out\nerr\n");
    }

    @Test
    void endBeforeReadyNamesTheLog() {
        var part = start("exit 3");
        assertThatThrownBy(() -> part.awaitReady(() -> false))
                .isInstanceOf(PartFailedException.class)
                .hasMessage("part ended before it was ready; see " + place.log("part"));
    }

    @Test
    void neverReadyNamesTheLogAndEndsTheProcess() {
        var part = start("exec sleep 1000");
        assertThatThrownBy(() -> part.awaitReady(Duration.ZERO, () -> false))
                .isInstanceOf(PartFailedException.class)
                .hasMessage("part was not ready within 0 s; see " + place.log("part"));
        assertThat(part.alive()).isFalse();
    }

    @Test
    void missingProgramSaysSoInTheLog() throws Exception {
        var part = place.start(new Launch("part", List.of("/no/such/program"), place));
        assertThatThrownBy(() -> part.awaitReady(() -> false))
                .isInstanceOf(PartFailedException.class);
        assertThat(Files.readString(place.log("part"))).contains("/no/such/program");
    }

    @Test
    void partThatRunsIsNotStartedTwice() {
        var first = start("exec sleep 1000");
        assertThat(start("exec sleep 1000")).isEqualTo(first);
        first.kill();
        assertThat(start("exec sleep 1000").pid()).isNotEqualTo(first.pid());
    }

    @Test
    void temporaryFilesOfAKilledPartAreGoneWithTheNextStart() throws Exception {
        var flag = place.temporaryFiles("part");
        var left = Path.of(flag.substring("-Djava.io.tmpdir=".length())).resolve("unpacked");
        var first = start("exec sleep 1000");
        Files.writeString(left, "library");
        start("exec sleep 1000");
        assertThat(left).exists();

        first.kill();
        start("exec sleep 1000");
        assertThat(left.getParent()).isEmptyDirectory();
    }

    @Test
    void processThatIgnoresTheRequestIsKilledAfterTheGrace() {
        var part = start("trap '' TERM; echo deaf; while :; do sleep 1; done");
        part.awaitReady(() -> says("deaf"));
        part.stop(Duration.ofMillis(50));
        assertThat(part.alive()).isFalse();
    }

    @Test
    void otherProcessThatGotTheIdIsLeftAlone() {
        var part = start("exec sleep 1000");
        var earlier =
                new PartProcess("old", part.pid(), part.started().minusSeconds(60), part.log(), "");
        assertThat(earlier.alive()).isFalse();
        earlier.stop(Duration.ZERO);
        assertThat(part.alive()).isTrue();
    }

    private boolean says(String word) {
        try {
            return Files.readString(place.log("part")).contains(word);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
