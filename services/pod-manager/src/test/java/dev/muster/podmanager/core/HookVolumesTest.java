package dev.muster.podmanager.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFile;
import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFileBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What names a container that the pod of a hook has not. */
class HookVolumesTest {
    private static final PodSpec RANK =
            new PodSpecBuilder()
                    .addNewContainer()
                    .withName("main")
                    .addNewVolumeMount()
                    .withName("told")
                    .withMountPath("/told")
                    .endVolumeMount()
                    .addNewVolumeMount()
                    .withName("all")
                    .withMountPath("/all")
                    .endVolumeMount()
                    .addNewVolumeDevice()
                    .withName("disk")
                    .withDevicePath("/dev/x")
                    .endVolumeDevice()
                    .endContainer()
                    .addNewVolume()
                    .withName("told")
                    .withNewDownwardAPI()
                    .withItems(files())
                    .endDownwardAPI()
                    .endVolume()
                    .addNewVolume()
                    .withName("all")
                    .withNewProjected()
                    .addNewSource()
                    .withNewDownwardAPI()
                    .withItems(files())
                    .endDownwardAPI()
                    .endSource()
                    .addNewSource()
                    .withNewConfigMap()
                    .withName("settings")
                    .endConfigMap()
                    .endSource()
                    .endProjected()
                    .endVolume()
                    .addNewVolume()
                    .withName("disk")
                    .endVolume()
                    .addNewVolume()
                    .withName("of-side")
                    .withNewEmptyDir()
                    .endEmptyDir()
                    .endVolume()
                    .build();

    private static List<DownwardAPIVolumeFile> files() {
        var labels =
                new DownwardAPIVolumeFileBuilder()
                        .withPath("labels")
                        .withNewFieldRef()
                        .withFieldPath("metadata.labels")
                        .endFieldRef()
                        .build();
        return List.of(file("main"), file("side"), labels);
    }

    private static DownwardAPIVolumeFile file(String container) {
        return new DownwardAPIVolumeFileBuilder()
                .withPath(container)
                .withNewResourceFieldRef()
                .withContainerName(container)
                .withResource("limits.memory")
                .endResourceFieldRef()
                .build();
    }

    private static List<Volume> volumes() {
        return HookVolumes.of(RANK, RANK.getContainers().getFirst());
    }

    @Test
    void hookHasTheVolumesOfTheMainContainer() {
        assertThat(volumes()).extracting(Volume::getName).containsExactly("told", "all", "disk");
    }

    @Test
    void filesTellOfTheHookWhatTheyTellOfTheMainContainer() {
        var told = volumes().getFirst().getDownwardAPI().getItems();
        var sources = volumes().get(1).getProjected().getSources();
        assertThat(sources).hasSize(2);
        assertThat(Stream.of(told, sources.getFirst().getDownwardAPI().getItems()))
                .allSatisfy(files -> {
                    assertThat(files)
                            .extracting(DownwardAPIVolumeFile::getPath)
                            .containsExactly("main", "labels");
                    assertThat(files.getFirst().getResourceFieldRef())
                            .extracting("containerName", "resource")
                            .containsExactly("hook", "limits.memory");
                });
    }

    @Test
    void variablesTellOfTheHookWhatTheyTellOfTheMainContainer() {
        var main =
                new ContainerBuilder()
                        .withName("main")
                        .withEnv(variable("MEMORY", "main"), variable("OTHERS", "side"))
                        .addNewEnv()
                        .withName("OWN")
                        .withNewValueFrom()
                        .withNewResourceFieldRef()
                        .withResource("limits.cpu")
                        .endResourceFieldRef()
                        .endValueFrom()
                        .endEnv()
                        .addNewEnv()
                        .withName("PLAIN")
                        .withValue("1")
                        .endEnv()
                        .build();
        assertThat(HookVolumes.variables(main))
                .extracting(EnvVar::getName, HookVolumesTest::container)
                .containsExactly(tuple("MEMORY", "hook"), tuple("OWN", ""), tuple("PLAIN", ""));
    }

    private static EnvVar variable(String name, String container) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewResourceFieldRef()
                .withContainerName(container)
                .withResource("limits.memory")
                .endResourceFieldRef()
                .endValueFrom()
                .build();
    }

    private static String container(EnvVar variable) {
        var source = variable.getValueFrom();
        var name = source == null ? null : source.getResourceFieldRef().getContainerName();
        return name == null ? "" : name;
    }
}
