package dev.muster.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Progress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

class SandboxIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    /** A command that starts a sandbox and then ends, as {@code muster up} does. */
    static final class Up {
        private Up() {}

        static void main(String[] arguments) {
            Sandbox.up(config(Path.of(arguments[0])), Progress.silent());
        }
    }

    private static SandboxConfig config(Path folder) {
        return SandboxConfig.usual().onFreePorts().in(folder);
    }

    @AfterEach
    void nothingIsLeft() {
        Sandbox.down(folder, Progress.silent());
    }

    @Test
    void sandboxOutlivesTheCommandAndEndsWithDown() {
        upInAnotherProcess();
        var started = Sandbox.status(folder);
        assertThat(started)
                .extracting(part -> part.process().part())
                .containsExactlyInAnyOrder(
                        "kafka",
                        "registry",
                        "etcd",
                        "kube-apiserver",
                        "kube-scheduler",
                        "kube-controller-manager");
        assertThat(started).allMatch(Sandbox.PartStatus::alive);

        var again = Sandbox.up(config(folder), Progress.silent());
        assertThat(Sandbox.status(folder)).isEqualTo(started);

        var schema = register(again.registryUrl());
        process("kafka").kill();
        process("registry").kill();
        var repaired = Sandbox.up(config(folder), Progress.silent());
        assertThat(repaired.bootstrapServers()).isEqualTo(again.bootstrapServers());
        assertThat(repaired.registryUrl()).isEqualTo(again.registryUrl());
        assertThat(register(repaired.registryUrl())).isEqualTo(schema);
        assertThat(Sandbox.status(folder)).allMatch(Sandbox.PartStatus::alive);
        assertThat(process("etcd")).isEqualTo(started(started, "etcd"));

        assertThat(Sandbox.down(folder, Progress.silent())).hasSize(6);
        assertThat(started).extracting(Sandbox.PartStatus::process).noneMatch(PartProcess::alive);
        assertThat(Sandbox.status(folder)).isEmpty();
    }

    @Test
    void takenPortEndsWhatThisUpStarted() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var config = config(folder).withPort("registry", "http", taken.getLocalPort());
            assertThatThrownBy(() -> Sandbox.up(config, Progress.silent()))
                    .isInstanceOf(PartFailedException.class)
                    .hasMessageStartingWith(
                            "port " + taken.getLocalPort() + ", wanted for registry");
        }
        assertThat(Sandbox.status(folder)).noneMatch(Sandbox.PartStatus::alive);
    }

    /** Registers always the same schema and gives the registry's answer, its id. */
    private static String register(String registry) {
        var request =
                HttpRequest.newBuilder(URI.create(registry + "/subjects/s/versions"))
                        .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"schema\": \"\\\"int\\\"\"}"));
        try (var client = HttpClient.newHttpClient()) {
            var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            return answer.body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void upInAnotherProcess() {
        var command =
                List.of(
                        Executables.java().toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Up.class.getName(),
                        folder.toString());
        var log = folder.resolve("up.log");
        new Launch("up", command, Map.of(), folder, log).run(Duration.ofMinutes(5));
    }

    private PartProcess process(String part) {
        return started(Sandbox.status(folder), part);
    }

    private static PartProcess started(List<Sandbox.PartStatus> parts, String name) {
        return parts.stream()
                .map(Sandbox.PartStatus::process)
                .filter(process -> process.part().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
