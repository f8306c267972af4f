package dev.muster.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Ports;
import dev.muster.sandbox.process.Progress;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {
    @TempDir private Path folder;

    private final List<String> said = new ArrayList<>();

    @AfterEach
    void endAll() {
        new StateFile(folder, Map.of()).running().forEach(PartProcess::kill);
    }

    private PartProcess start(StateFile state, String part) {
        var place = new Place(folder, state, true, Progress.silent());
        return place.start(new Launch(part, List.of("/bin/sleep", "1000"), place));
    }

    @Test
    void nextReaderKnowsWhatRunsAndWhere() {
        var state = new StateFile(folder, Map.of());
        int port = state.port("one", "http");
        var one = start(state, "one");
        var two = start(state, "two");

        var next = new StateFile(folder, Map.of());
        assertThat(next.running()).containsExactly(one, two);
        assertThat(next.ports("one")).isEqualTo(Map.of("http", port));
        assertThat(next.port("one", "http")).isEqualTo(port);
        assertThat(start(next, "one")).isEqualTo(one);
    }

    @Test
    void endedPartIsKnownUntilItIsStartedAnew() {
        var state = new StateFile(folder, Map.of());
        var first = start(state, "one").kill();
        assertThat(state.known()).containsExactly(first);
        assertThat(state.running()).isEmpty();

        var second = start(state, "one");
        assertThat(state.known()).containsExactly(second);
    }

    @Test
    void partThatIsWantedOtherwiseNowIsStartedAnewAndThatIsSaid() {
        var first = start(new StateFile(folder, Map.of()), "one");

        var same = renew("one", "1000");
        assertThat(same).isEqualTo(first);
        assertThat(said).isEmpty();

        var other = renew("one", "1001");
        assertThat(first.alive()).isFalse();
        assertThat(other.alive()).isTrue();
        assertThat(said)
                .containsExactly(
                        "one runs from an older build or other settings: starting it anew");
        assertThat(renew("one", "1001")).isEqualTo(other);
    }

    @Test
    void partOfAnEarlierVersionIsStartedAnew() throws Exception {
        var first = start(new StateFile(folder, Map.of()), "one");
        var file = folder.resolve("state.json");
        var text = Files.readString(file);
        Files.writeString(file, text.replaceFirst(",\\s*\"launch\" : \"[0-9a-f]*\"", ""));
        assertThat(Files.readString(file)).doesNotContain("launch");

        assertThat(renew("one", "1000")).isNotEqualTo(first);
        assertThat(first.alive()).isFalse();
    }

    /** As the next command would: it knows only what the file says. */
    private PartProcess renew(String part, String seconds) {
        var progress =
                new Progress() {
                    @Override
                    public void running(String step, long seconds) {}

                    @Override
                    public void ended(String step, long seconds) {}

                    @Override
                    public void say(String line) {
                        said.add(line);
                    }
                };
        var place = new Place(folder, new StateFile(folder, Map.of()), true, progress);
        var launch = new Launch(part, List.of("/bin/sleep", seconds), place);
        return place.renew(launch, PartProcess::kill);
    }

    @Test
    void takenPortOfAWishIsOneLine() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var port = taken.getLocalPort();
            var state = new StateFile(folder, Map.of("one.http", port));
            assertThatThrownBy(() -> state.port("one", "http"))
                    .isInstanceOf(PartFailedException.class)
                    .hasMessage(
                            "port "
                                    + port
                                    + ", wanted for one, is taken: end the process that has it, or"
                                    + " use free ports");
        }
    }

    @Test
    void wishedPortIsTaken() {
        int free = Ports.free();
        assertThat(new StateFile(folder, Map.of("one.http", free)).port("one", "http"))
                .isEqualTo(free);
    }
}
