package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.trainjob.SettingsForm;
import dev.muster.schemas.trainjob.SettingsForm.Setting;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The overlay that users copy changes what they have to change, and nothing else. */
class OverlayIT {
    private static final String REGISTRY = "registry.example.com/ml/";

    @Test
    void exampleHasTheObjectsOfTheBaseAndEveryImageFromItsRegistry() throws Exception {
        var base = Manifests.all();
        var example = Manifests.built(Manifests.EXAMPLE);
        assertThat(names(example)).isEqualTo(names(base));
        assertThat(images(example))
                .isEqualTo(images(base).stream().map(image -> REGISTRY + image).toList());
    }

    @Test
    void exampleHasAddressesOfItsOwn() throws Exception {
        var base = Manifests.settings(Manifests.all());
        var example = Manifests.settings(Manifests.built(Manifests.EXAMPLE));
        assertThat(example.keySet()).isEqualTo(base.keySet());
        assertThat(example.keySet())
                .filteredOn(name -> !example.get(name).equals(base.get(name)))
                .containsExactlyInAnyOrder(
                        "SPRING_KAFKA_BOOTSTRAP_SERVERS",
                        "SPRING_KAFKA_PROPERTIES_SCHEMA_REGISTRY_URL");
    }

    @Test
    void exampleHasQueuesThatCanBeApplied() throws Exception {
        var text = queues(Manifests.built(Manifests.EXAMPLE)).get("queues.yaml");
        assertThat(SettingsForm.read(text))
                .isInstanceOfSatisfying(
                        SettingsForm.Read.class,
                        read ->
                                assertThat(read.settings())
                                        .extracting(Setting::name)
                                        .containsExactly("default", "default", "research"));
    }

    @Test
    void anotherSettingRollsThePodsOfEveryService(@TempDir Path folder) throws Exception {
        var before = templates(overlay(folder, "6s"));
        var after = templates(overlay(folder, "7s"));
        assertThat(before).containsOnlyKeys(templates(Manifests.all()).keySet()).hasSize(5);
        assertThat(templates(overlay(folder, "6s"))).isEqualTo(before);
        assertThat(after).allSatisfy((name, pod) -> assertThat(pod).isNotEqualTo(before.get(name)));
    }

    /** One that says of all settings but one the same as the base. */
    private static List<HasMetadata> overlay(Path folder, String session) throws Exception {
        Files.writeString(
                folder.resolve("kustomization.yaml"),
                """
                resources: [%s]
                patches:
                - patch: |
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: muster, namespace: muster-system}
                    data: {COORDINATOR_SESSION_TIMEOUT: %s}
                """
                        .formatted(folder.toRealPath().relativize(Manifests.BASE), session));
        return Manifests.built(folder);
    }

    /** The pods of what stays: those of the services, and the snapshotter's. */
    private static Map<String, PodSpec> templates(List<HasMetadata> objects) {
        return objects.stream()
                .filter(object -> !(object instanceof Job))
                .flatMap(object ->
                        pods(object).map(pod -> Map.entry(object.getMetadata().getName(), pod)))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Without the hash of its settings. */
    private static List<String> names(List<HasMetadata> objects) {
        return objects.stream()
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .map(name -> name.replaceFirst("^(ConfigMap muster)-.*", "$1"))
                .toList();
    }

    private static Map<String, String> queues(List<HasMetadata> objects) {
        return objects.stream()
                .filter(ConfigMap.class::isInstance)
                .map(ConfigMap.class::cast)
                .filter(map -> map.getMetadata().getName().equals("queues"))
                .findFirst()
                .orElseThrow()
                .getData();
    }

    private static List<String> images(List<HasMetadata> objects) {
        return objects.stream()
                .flatMap(OverlayIT::pods)
                .flatMap(pod -> pod.getContainers().stream())
                .map(Container::getImage)
                .toList();
    }

    private static Stream<PodSpec> pods(HasMetadata object) {
        return switch (object) {
            case Deployment of -> Stream.of(of.getSpec().getTemplate().getSpec());
            case Job of -> Stream.of(of.getSpec().getTemplate().getSpec());
            case CronJob of ->
                    Stream.of(of.getSpec().getJobTemplate().getSpec().getTemplate().getSpec());
            default -> Stream.empty();
        };
    }
}
