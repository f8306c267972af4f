package dev.muster.sandbox.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminationMessageTest {
    private @TempDir Path root;
    private Path log = Path.of("");

    @BeforeEach
    void containerHasWrittenALog() throws IOException {
        log = root.resolve("log");
        Files.writeString(log, "first\nlast\n");
        TerminationMessage.prepare(container("File"), root);
    }

    private static Container container(String policy) {
        return new ContainerBuilder()
                .withName("main")
                .withTerminationMessagePath("/dev/termination-log")
                .withTerminationMessagePolicy(policy)
                .build();
    }

    private String message(String policy, int exitCode) {
        return TerminationMessage.of(container(policy), root, log, exitCode);
    }

    @Test
    void itIsWhatTheContainerWroteToItsFile() throws IOException {
        Files.writeString(root.resolve("dev/termination-log"), "told");
        assertThat(message("File", 0)).isEqualTo("told");
        assertThat(message("FallbackToLogsOnError", 1)).isEqualTo("told");
    }

    @Test
    void itIsTheEndOfTheLogOnlyOfAFailureThatAsksForThat() {
        assertThat(message("FallbackToLogsOnError", 1)).isEqualTo("first\nlast\n");
        assertThat(message("FallbackToLogsOnError", 0)).isEmpty();
        assertThat(message("File", 1)).isEmpty();
    }

    @Test
    void bothAreBounded() throws IOException {
        Files.writeString(root.resolve("dev/termination-log"), "x".repeat(5_000));
        assertThat(message("File", 0)).hasSize(4_096);
        TerminationMessage.prepare(container("File"), root);
        Files.writeString(log, "y".repeat(5_000));
        assertThat(message("FallbackToLogsOnError", 1)).hasSize(2_048);
        Files.writeString(
                log,
                IntStream.rangeClosed(1, 100)
                        .mapToObj(i -> i + "\n")
                        .collect(Collectors.joining()));
        assertThat(message("FallbackToLogsOnError", 1)).startsWith("21\n").endsWith("100\n");
    }

    @Test
    void fileOfAnEarlierRunIsEmptiedByTheNext() throws IOException {
        Files.writeString(root.resolve("dev/termination-log"), "told");
        TerminationMessage.prepare(container("File"), root);
        assertThat(message("File", 0)).isEmpty();
    }
}
