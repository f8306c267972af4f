package dev.muster.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Progress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

class SandboxIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @AfterEach
    void nothingIsLeft() {
        Sandbox.down(folder, Progress.silent());
    }

    @Test
    void secondUpChangesNothingAndDownEndsAll() {
        var config = SandboxConfig.usual().onFreePorts().in(folder);
        var first = Sandbox.up(config, Progress.silent());
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

        var second = Sandbox.up(config, Progress.silent());
        assertThat(second.bootstrapServers()).isEqualTo(first.bootstrapServers());
        assertThat(second.registryUrl()).isEqualTo(first.registryUrl());
        assertThat(Sandbox.status(folder)).isEqualTo(started);

        Sandbox.down(folder, Progress.silent());
        assertThat(started).extracting(Sandbox.PartStatus::process).noneMatch(PartProcess::alive);
        assertThat(Sandbox.status(folder)).isEmpty();
    }
}
