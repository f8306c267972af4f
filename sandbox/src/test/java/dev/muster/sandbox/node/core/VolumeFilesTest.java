package dev.muster.sandbox.node.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class VolumeFilesTest {
    private static final ServiceNames SERVICES =
            new ServiceNames(Map.of("web.shop", "127.0.0.1:18080"));

    private static final Sources SOURCES =
            new Sources(
                    Map.of("m", Map.of("b", bytes("B"), "a", bytes("A"))),
                    Map.of("s", Map.of("key", bytes("K"))));

    @Test
    void aConfigMapIsAFilePerKey() {
        var volume = volume().withNewConfigMap().withName("m").withDefaultMode(0755).endConfigMap();
        assertThat(files(volume.build()))
                .containsExactly(file("a", "A", 0755), file("b", "B", 0755));
    }

    @Test
    void namesOfPodsInAConfigMapAreAddresses() {
        var sources =
                new Sources(
                        Map.of("m", Map.of("hosts", bytes("net-worker-0.net:2\n"))),
                        Map.of("s", Map.of("hosts", bytes("net-worker-0.net:2\n"))));
        var address = PodAddress.of("ml", "net-worker-0");
        var map = volume().withNewConfigMap().withName("m").endConfigMap().build();
        var secret = volume().withNewSecret().withSecretName("s").endSecret().build();
        assertThat(files(map, sources)).containsExactly(file("hosts", address + ":2\n", 0644));
        assertThat(files(secret, sources))
                .containsExactly(file("hosts", "net-worker-0.net:2\n", 0644));
    }

    @Test
    void namesOfServicesInAConfigMapAreAddressesToo() {
        var text = Map.of("url", bytes("http://web.shop/v1"));
        var sources = new Sources(Map.of("m", text), Map.of("s", text));
        var map = volume().withNewConfigMap().withName("m").endConfigMap().build();
        var secret = volume().withNewSecret().withSecretName("s").endSecret().build();
        assertThat(files(map, sources))
                .containsExactly(file("url", "http://127.0.0.1:18080/v1", 0644));
        assertThat(files(secret, sources)).containsExactly(file("url", "http://web.shop/v1", 0644));
    }

    @Test
    void chosenKeysGoWhereTheyAreWanted() {
        var volume =
                volume().withNewSecret()
                        .withSecretName("s")
                        .withItems(new KeyToPath("key", 0400, "deep/down"))
                        .endSecret();
        assertThat(files(volume.build())).containsExactly(file("deep/down", "K", 0400));
    }

    @Test
    void aProjectionHasAllItsSources() {
        var volume =
                volume().withNewProjected()
                        .addNewSource()
                        .withNewConfigMap()
                        .withName("m")
                        .addNewItem("a", null, "x")
                        .endConfigMap()
                        .endSource()
                        .addNewSource()
                        .withNewDownwardAPI()
                        .addNewItem()
                        .withPath("me")
                        .withNewFieldRef("v1", "metadata.name")
                        .endItem()
                        .endDownwardAPI()
                        .endSource()
                        .endProjected();
        assertThat(files(volume.build()))
                .containsExactly(file("x", "A", 0644), file("me", "net-worker-1", 0644));
    }

    @Test
    void whatIsMissingIsNamedUnlessItIsOptional() {
        assertThat(of(volume().withNewConfigMap().withName("no").endConfigMap()).missing())
                .isEqualTo("configmap \"no\" not found");
        assertThat(
                        of(volume().withNewConfigMap()
                                        .withName("m")
                                        .addNewItem("no", null, "x")
                                        .endConfigMap())
                                .missing())
                .isEqualTo("couldn't find key no in configmap m");
        assertThat(
                        of(volume().withNewSecret()
                                        .withSecretName("no")
                                        .withOptional(true)
                                        .endSecret())
                                .missing())
                .isEmpty();
    }

    @Test
    void theAccessThatEveryPodGetsFromTheApiServerIsNeverMissed() {
        var volume =
                new VolumeBuilder()
                        .withName("kube-api-access-x1")
                        .withNewProjected()
                        .addNewSource()
                        .withNewConfigMap()
                        .withName("kube-root-ca.crt")
                        .endConfigMap()
                        .endSource()
                        .endProjected();
        assertThat(of(volume).missing()).isEmpty();
    }

    @Test
    void anotherKindOfVolumeIsMissing() {
        var volume = volume().withNewPersistentVolumeClaim().endPersistentVolumeClaim();
        assertThat(of(volume).missing()).isEqualTo("the sandbox has no volumes of this kind");
    }

    @Test
    void emptyFoldersAndFoldersOfTheMachineHaveNoFilesOfOurs() {
        assertThat(of(volume().withNewEmptyDir().endEmptyDir()))
                .isEqualTo(new VolumeFiles("v", null, java.util.List.of(), ""));
        assertThat(of(volume().withNewHostPath("/srv", "")).hostPath()).isEqualTo("/srv");
    }

    private static VolumeBuilder volume() {
        return new VolumeBuilder().withName("v");
    }

    private static VolumeFiles of(VolumeBuilder volume) {
        return VolumeFiles.of(
                Fixtures.pod().build(),
                volume.build(),
                SOURCES,
                Fixtures.node(),
                ServiceNames.NONE);
    }

    private static java.util.List<Tuple> files(Volume volume) {
        return files(volume, SOURCES);
    }

    private static java.util.List<Tuple> files(Volume volume, Sources sources) {
        return VolumeFiles.of(Fixtures.pod().build(), volume, sources, Fixtures.node(), SERVICES)
                .files()
                .stream()
                .map(file ->
                        tuple(
                                file.path(),
                                new String(file.bytes(), StandardCharsets.UTF_8),
                                file.mode()))
                .toList();
    }

    private static Tuple file(String path, String content, int mode) {
        return tuple(path, content, mode);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
