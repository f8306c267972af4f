package dev.muster.podmanager.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script that elastic Horovod asks for hosts, by a real shell. Its {@code sleep} is one that
 * takes no time and writes down that it was called.
 */
class DiscoverHostsTest {
    private static final String TWO = "resnet-worker-0.resnet:2\nresnet-worker-1.resnet:4\n";
    private static final String NOBODY = "muster: no host of this job is ready\n";

    @TempDir Path folder;

    private Path sleeps = Path.of("");
    private Path list = Path.of("");
    private String whileItSleeps = "";

    /** What the script said, and how it ended. */
    private record Answer(int code, String lines, String errors, long sleeps) {}

    @BeforeEach
    void begin() throws IOException {
        sleeps = Files.createFile(folder.resolve("sleeps"));
        list = Files.createDirectory(folder.resolve("a list")).resolve("hosts");
    }

    private Answer ask() throws Exception {
        var script = program(list.resolveSibling("discover_hosts.sh"), HostList.DISCOVER);
        var bin = Files.createDirectory(folder.resolve("bin"));
        program(
                bin.resolve("sleep"),
                "#!/bin/sh\necho \"$1\" >> '%s'\n%s\n".formatted(sleeps, whileItSleeps));
        var errors = folder.resolve("errors");
        var builder = new ProcessBuilder(script.toString()).redirectError(errors.toFile());
        builder.environment().compute("PATH", (_, path) -> bin + ":" + path);
        var process = builder.start();
        var lines = new String(process.getInputStream().readAllBytes());
        return new Answer(
                process.waitFor(), lines, Files.readString(errors), Files.lines(sleeps).count());
    }

    private static Path program(Path path, String text) throws IOException {
        Files.writeString(path, text);
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void listIsPrintedAtOnce() throws Exception {
        Files.writeString(list, TWO);
        assertThat(ask()).isEqualTo(new Answer(0, TWO, "", 0));
    }

    /** horovodrun takes no lines for a host without a name, and hears of no host any more. */
    @Test
    void emptyListIsAnErrorAfterAWhile() throws Exception {
        Files.createFile(list);
        assertThat(ask()).isEqualTo(new Answer(1, "", NOBODY, 30));
    }

    @Test
    void listThatIsNotThereIsAsEmpty() throws Exception {
        assertThat(ask()).isEqualTo(new Answer(1, "", NOBODY, 30));
    }

    /** Horovod takes an error of its first question for a mistake of its user's. */
    @Test
    void whoComesMeanwhileIsWaitedFor() throws Exception {
        Files.createFile(list);
        whileItSleeps =
                "[ $(wc -l < '%s') -lt 3 ] || printf 'resnet-worker-0.resnet:2\\n' > '%s'"
                        .formatted(sleeps, list);
        assertThat(ask()).isEqualTo(new Answer(0, "resnet-worker-0.resnet:2\n", "", 3));
    }
}
