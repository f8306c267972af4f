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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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
        var base = data(Manifests.all(), "muster");
        var example = data(Manifests.built(Manifests.EXAMPLE), "muster");
        assertThat(example.keySet()).isEqualTo(base.keySet());
        assertThat(example.keySet())
                .filteredOn(name -> !example.get(name).equals(base.get(name)))
                .containsExactlyInAnyOrder(
                        "SPRING_KAFKA_BOOTSTRAP_SERVERS",
                        "SPRING_KAFKA_PROPERTIES_SCHEMA_REGISTRY_URL");
    }

    @Test
    void exampleHasQueuesThatCanBeApplied() throws Exception {
        var text = data(Manifests.built(Manifests.EXAMPLE), "queues").get("queues.yaml");
        assertThat(SettingsForm.read(text))
                .isInstanceOfSatisfying(
                        SettingsForm.Read.class,
                        read ->
                                assertThat(read.settings())
                                        .extracting(Setting::name)
                                        .containsExactly("default", "default", "research"));
    }

    private static List<String> names(List<HasMetadata> objects) {
        return objects.stream()
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .toList();
    }

    private static Map<String, String> data(List<HasMetadata> objects, String name) {
        return objects.stream()
                .filter(ConfigMap.class::isInstance)
                .map(ConfigMap.class::cast)
                .filter(map -> map.getMetadata().getName().equals(name))
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
