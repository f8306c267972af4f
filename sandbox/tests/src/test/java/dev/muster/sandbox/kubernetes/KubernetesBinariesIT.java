package dev.muster.sandbox.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesBinariesIT {
    @TempDir private Path folder;

    private KubernetesBinaries binaries(Optional<Path> go) {
        return new KubernetesBinaries(
                folder.resolve("bin"),
                Optional.of(folder.resolve("assets")),
                go,
                Progress.silent());
    }

    @Test
    void etcdIsBuiltWithGoAndRuns() throws Exception {
        var go = Executables.find("go");
        assumeTrue(go.isPresent(), "Go is not installed");
        var etcd = binaries(go).find(GoProgram.ETCD);
        assertThat(etcd).isEqualTo(folder.resolve("bin").resolve("etcd-v3.6.8").resolve("etcd"));

        var log = folder.resolve("version.log");
        new Launch("etcd", List.of(etcd.toString(), "--version"), Map.of(), folder, log)
                .run(Duration.ofMinutes(1));
        assertThat(log).content().startsWith("etcd Version: 3.6.8");
    }

    @Test
    void stagesOfKwokAreCopiedFromItsModule() {
        var go = Executables.find("go");
        assumeTrue(go.isPresent(), "Go is not installed");
        assertThat(binaries(go).kwokStages())
                .isDirectoryContaining("glob:**/node-initialize.yaml")
                .isDirectoryContaining("glob:**/pod-ready.yaml");
    }

    @Test
    void severalOfOneModuleAreBuiltByOneCommand() throws Exception {
        var both = List.of(GoProgram.KUBE_SCHEDULER, GoProgram.KUBECTL);
        var found = binaries(Optional.of(StubGo.thatBuilds(folder))).find(both);
        assertThat(found).containsOnlyKeys(both);
        assertThat(found.values())
                .allSatisfy(file ->
                        assertThat(file)
                                .content()
                                .contains("cmd/kube-scheduler k8s.io/kubernetes/cmd/kubectl"));
        assertThat(folder.resolve("bin").resolve("kubernetes-v1.36.3").resolve("unfinished"))
                .doesNotExist();
    }

    @Test
    void failedBuildNamesItsLog() {
        var log = folder.resolve("bin").resolve("etcd-v3.6.8").resolve("build.log");
        var broken = binaries(Executables.find("false"));
        assertThatThrownBy(() -> broken.find(GoProgram.ETCD))
                .isInstanceOf(PartFailedException.class)
                .hasMessage("go build failed with exit code 1; see " + log);
    }

    @Test
    void withoutGoTheMessageSaysWhatToInstall() {
        var alone = binaries(Optional.empty());
        assertThatThrownBy(() -> alone.find(GoProgram.KUBE_APISERVER))
                .isInstanceOf(PartFailedException.class)
                .hasMessage(
                        "kube-apiserver is not there, and without Go it cannot be built: install Go"
                                + " 1.26 or newer, or let KUBEBUILDER_ASSETS name its folder");
    }

    @Test
    void assetsComeBeforeTheCache() throws Exception {
        var assets = Files.createDirectories(folder.resolve("assets"));
        var given = Files.createFile(assets.resolve("etcd"));
        assertThat(given.toFile().setExecutable(true)).isTrue();
        assertThat(binaries(Optional.empty()).find(GoProgram.ETCD)).isEqualTo(given);
    }
}
