package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.contract.Limits;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Deployments set only what their service knows. */
class SettingsIT {
    @Test
    void everyVariableIsASettingOfItsService() throws Exception {
        var common = Manifests.settings(Manifests.all()).keySet();
        for (var deployment : Manifests.all(Deployment.class)) {
            var name = deployment.getMetadata().getName();
            var own =
                    deployment.getSpec().getTemplate().getSpec().getContainers().stream()
                            .flatMap(container -> container.getEnv().stream())
                            .map(EnvVar::getName);
            assertThat(Stream.concat(common.stream(), own))
                    .as("variables of %s", name)
                    .isSubsetOf(ServiceSettings.of(name).variables());
        }
    }

    @Test
    void servicesOfTheRepositoryAreTheOnesDeployed() throws Exception {
        try (var folders = Files.list(Path.of("..", "services"))) {
            assertThat(Manifests.all(Deployment.class))
                    .extracting(deployment -> deployment.getMetadata().getName())
                    .containsExactlyInAnyOrderElementsOf(
                            folders.filter(SettingsIT::isService)
                                    .map(folder -> folder.getFileName().toString())
                                    .toList());
        }
    }

    @Test
    void clientsSendAsMuchAsTheContractAllows() throws Exception {
        for (var deployment : Manifests.all(Deployment.class)) {
            var name = deployment.getMetadata().getName();
            var sizes = new TreeMap<>(ServiceSettings.of(name).defaults());
            sizes.keySet().removeIf(key -> !key.matches(".*(request.size|message.bytes)"));
            assertThat(sizes.values())
                    .as("sizes of %s", name)
                    .allMatch(String.valueOf(Limits.REQUEST_BYTES)::equals);
        }
    }

    /** What is deployed can be set; what services share cannot. */
    private static boolean isService(Path folder) {
        return Files.exists(folder.resolve("src/main/resources/application.yaml"));
    }
}
