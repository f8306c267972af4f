package dev.muster.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MadeOnceIT {
    @TempDir private Path folder;

    private static final int ALL = 3;

    /** A JVM that wants the thing. It makes it only when all others want it too. */
    static final class Wanting {
        private Wanting() {}

        static void main(String[] arguments) throws Exception {
            var folder = Path.of(arguments[0]);
            note(folder.resolve("wanting"));
            MadeOnce.at(
                    folder.resolve("thing"),
                    unfinished -> {
                        note(folder.resolve("making"));
                        while (Files.readAllLines(folder.resolve("wanting")).size() < ALL) {
                            Thread.onSpinWait();
                        }
                        LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
                        Files.createFile(unfinished);
                    });
        }

        private static void note(Path file) throws IOException {
            var line = ProcessHandle.current().pid() + "\n";
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    @Test
    void processesThatWantItAtOnceMakeItOnce() {
        try (var together = new Together()) {
            for (int i = 0; i < ALL; i++) {
                var log = folder.resolve("log-" + i);
                var launch = new Launch("wanting", command(), Map.of(), folder, log);
                var _ =
                        together.begin(() -> {
                            launch.run(Duration.ofMinutes(1));
                            return launch;
                        });
            }
        }
        assertThat(folder.resolve("thing")).exists();
        assertThat(folder.resolve("making")).content().hasLineCount(1);
    }

    private List<String> command() {
        return List.of(
                Executables.java().toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Wanting.class.getName(),
                folder.toString());
    }
}
