package dev.muster.podmanager.core;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFile;
import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFileBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.VolumeProjectionBuilder;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a hook's container finds of a rank's volumes and variables. Some of them tell the resources
 * of a container by its name: a kubelet starts no container where that one is not in the pod.
 */
final class HookVolumes {
    private HookVolumes() {}

    /** Those that the main container has; those of others may not be there for the hook. */
    static List<Volume> of(PodSpec rank, Container main) {
        var names =
                Stream.concat(
                                main.getVolumeMounts().stream().map(mount -> mount.getName()),
                                main.getVolumeDevices().stream().map(device -> device.getName()))
                        .collect(Collectors.toSet());
        return rank.getVolumes().stream()
                .filter(volume -> names.contains(volume.getName()))
                .map(volume -> of(volume, main.getName()))
                .toList();
    }

    private static Volume of(Volume volume, String main) {
        var builder = new VolumeBuilder(volume);
        if (volume.getDownwardAPI() != null) {
            builder.editDownwardAPI()
                    .withItems(files(volume.getDownwardAPI().getItems(), main))
                    .endDownwardAPI();
        }
        if (volume.getProjected() != null) {
            builder.editProjected()
                    .withSources(
                            volume.getProjected().getSources().stream()
                                    .map(source -> source(source, main))
                                    .toList())
                    .endProjected();
        }
        return builder.build();
    }

    private static VolumeProjection source(VolumeProjection source, String main) {
        return source.getDownwardAPI() == null
                ? source
                : new VolumeProjectionBuilder(source)
                        .editDownwardAPI()
                        .withItems(files(source.getDownwardAPI().getItems(), main))
                        .endDownwardAPI()
                        .build();
    }

    private static List<DownwardAPIVolumeFile> files(
            List<DownwardAPIVolumeFile> files, String main) {
        return files.stream()
                .filter(file -> isKnown(file.getResourceFieldRef(), main))
                .map(file ->
                        names(file.getResourceFieldRef())
                                ? new DownwardAPIVolumeFileBuilder(file)
                                        .editResourceFieldRef()
                                        .withContainerName(Rank.HOOK.role())
                                        .endResourceFieldRef()
                                        .build()
                                : file)
                .toList();
    }

    /** The main container's own variables. */
    static Stream<EnvVar> variables(Container main) {
        return main.getEnv().stream()
                .filter(variable -> isKnown(resource(variable), main.getName()))
                .map(variable ->
                        names(resource(variable))
                                ? new EnvVarBuilder(variable)
                                        .editValueFrom()
                                        .editResourceFieldRef()
                                        .withContainerName(Rank.HOOK.role())
                                        .endResourceFieldRef()
                                        .endValueFrom()
                                        .build()
                                : variable);
    }

    private static @Nullable ResourceFieldSelector resource(EnvVar variable) {
        var source = variable.getValueFrom();
        return source == null ? null : source.getResourceFieldRef();
    }

    /** It names a container. */
    private static boolean names(@Nullable ResourceFieldSelector resource) {
        return resource != null && resource.getContainerName() != null;
    }

    private static boolean isKnown(@Nullable ResourceFieldSelector resource, String main) {
        return resource == null
                || resource.getContainerName() == null
                || resource.getContainerName().equals(main);
    }
}
