package dev.muster.sandbox.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
    private static final Map<String, String> ENV = Map.of("PATH", "/no/such:/bin");

    @TempDir Path folder;

    @Test
    void programsAreFoundOnThePathAndByTheirFile() throws IOException {
        assertThat(folder.resolve("tool").toFile().createNewFile()).isTrue();
        assertThat(folder.resolve("tool").toFile().setExecutable(true)).isTrue();
        assertThat(fault("sh")).isEmpty();
        assertThat(fault("/bin/sh")).isEmpty();
        assertThat(fault("./tool")).isEmpty();
    }

    @Test
    void whatCannotBeRunIsSaidInARuntimesWords() throws IOException {
        Files.writeString(folder.resolve("text"), "no program");
        assertThat(fault("tool")).contains("exec: \"tool\": executable file not found in $PATH");
        assertThat(fault("./tool")).contains("exec: \"./tool\": no such file or directory");
        assertThat(fault("./text")).contains("exec: \"./text\": permission denied");
        assertThat(fault(".")).contains("exec: \".\": executable file not found in $PATH");
        assertThat(Commands.fault(List.of(), ENV, folder).orElseThrow())
                .contains("no command specified");
    }

    private Optional<String> fault(String program) {
        return Commands.fault(List.of(program, "-c", "true"), ENV, folder);
    }
}
