package dev.muster.sandbox.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.process.Executables;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs it as the scripts do: from its source, without any library. */
@Tag("only-in-profile-long")
class BuildAheadIT {
    private static final Path SANDBOX = Path.of("..").toAbsolutePath().normalize();
    private static final Path SOURCE =
            SANDBOX.resolve("src/main/java")
                    .resolve(BuildAhead.class.getName().replace('.', '/') + ".java");

    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir private Path folder;

    private Path classPath;

    @BeforeEach
    void linkTheModules() throws IOException {
        classPath = folder.resolve("ahead");
        var modules = classPath.resolve("dev/muster/sandbox/kube");
        Files.createDirectories(modules.getParent());
        Files.createSymbolicLink(modules, SANDBOX.resolve("kube"));
    }

    private Process run(Process caller, String... programs) throws IOException {
        var command = new ArrayList<>(List.of(Executables.java().toString()));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-Duser.home=" + folder, "-cp", classPath.toString()));
        command.add(SOURCE.toString());
        command.add(Long.toString(caller.pid()));
        command.addAll(List.of(programs));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(folder.resolve("ahead.log").toFile());
        builder.environment().remove("KUBEBUILDER_ASSETS");
        builder.environment().merge("PATH", "", (path, _) -> folder + File.pathSeparator + path);
        return builder.start();
    }

    private static Process caller() throws IOException {
        return new ProcessBuilder("sleep", "600").start();
    }

    @Test
    void programsAreBuiltIntoTheCache() throws Exception {
        StubGo.thatBuilds(folder);
        var caller = caller();
        try {
            var build = run(caller, "kube-apiserver", "kube-scheduler");
            assertThat(build.waitFor()).as(folder + "/ahead.log").isZero();
        } finally {
            caller.destroy();
        }
        assertThat(folder.resolve(".cache/muster/bin/kubernetes-v1.36.3"))
                .isDirectoryContaining("glob:**/kube-apiserver")
                .isDirectoryContaining("glob:**/kube-scheduler");
    }

    @Test
    void nothingIsLeftRunningWhenTheCallerIsKilled() throws Exception {
        StubGo.thatTakesLong(folder);
        var caller = caller();
        var build = run(caller, "kube-apiserver");
        var file = folder.resolve("compiler.pid");
        await().atMost(LONG).until(() -> Files.exists(file) && Files.size(file) > 1);
        var compiler =
                ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).orElseThrow();
        assertThat(compiler.isAlive()).isTrue();

        caller.destroyForcibly();
        await().atMost(LONG).until(() -> !build.isAlive() && !compiler.isAlive());
    }
}
