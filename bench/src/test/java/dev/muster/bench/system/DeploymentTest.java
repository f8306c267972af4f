package dev.muster.bench.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeploymentTest {
    private final Deployment deployment = new Deployment(Path.of(".."));

    @ParameterizedTest
    @ValueSource(strings = {"admission", "coordinator", "pod-manager", "watcher"})
    void flagsAreThoseOfTheImageAndTheMemoryThatOfTheManifest(String service) {
        assertThat(deployment.jvmFlags(service))
                .contains("-XX:MaxRAMPercentage=70")
                .anyMatch(flag -> flag.matches("-XX:MaxRAM=\\d{9,}"));
    }

    @Test
    void smallContainersCollectSerially() {
        assertThat(deployment.jvmFlags("admission"))
                .contains("-XX:MaxRAM=" + (768 << 20), "-XX:+UseSerialGC");
    }
}
