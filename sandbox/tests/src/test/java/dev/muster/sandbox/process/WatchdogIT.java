package dev.muster.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchdogIT {
    @TempDir private Path folder;

    /** A JVM that starts a process and then waits for its own end. */
    static final class Parent {
        private Parent() {}

        static void main(String[] arguments) throws Exception {
            var folder = Path.of(arguments[0]);
            var place = new Place(folder, new UntilJvmEnds(), false, Progress.silent());
            Watchdog.get().removeAfterwards(folder.resolve("data"));
            var ended = place.start(new Launch("ended", List.of("/bin/true"), place));
            ended.awaitEnd(java.time.Duration.ofSeconds(20));
            var child = place.start(new Launch("child", List.of("/bin/sleep", "1000"), place));
            Files.writeString(folder.resolve("child.unfinished"), "" + child.pid());
            Files.move(folder.resolve("child.unfinished"), folder.resolve("child"));
            System.in.read();
        }
    }

    @Test
    void killedJvmLeavesNoChildAndNoData() throws Exception {
        var parent = startParent();
        try {
            var child = ProcessHandle.of(childOf(parent)).orElseThrow();
            assertThat(child.isAlive()).isTrue();
            parent.destroyForcibly();
            await().untilAsserted(() -> assertThat(child.isAlive()).isFalse());
            await().untilAsserted(() -> assertThat(folder.resolve("data")).doesNotExist());
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void jvmThatEndsByItselfLeavesNoChild() throws Exception {
        var parent = startParent();
        try {
            var child = ProcessHandle.of(childOf(parent)).orElseThrow();
            parent.getOutputStream().close();
            await().untilAsserted(() -> assertThat(child.isAlive()).isFalse());
        } finally {
            parent.destroyForcibly();
        }
    }

    private Process startParent() throws Exception {
        return new ProcessBuilder(
                        Executables.java().toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parent.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("parent.log").toFile())
                .start();
    }

    private long childOf(Process parent) throws Exception {
        await().untilAsserted(() -> {
            assertThat(parent.isAlive()).isTrue();
            assertThat(folder.resolve("child")).exists();
        });
        return Long.parseLong(Files.readString(folder.resolve("child")));
    }
}
