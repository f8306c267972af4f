package dev.muster.sandbox.node.core;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The names of the config maps and secrets that a pod refers to. */
public record References(Set<String> configMaps, Set<String> secrets) {

    public static References of(Pod pod) {
        var found = new References(new TreeSet<>(), new TreeSet<>());
        Stream.concat(
                        pod.getSpec().getInitContainers().stream(),
                        pod.getSpec().getContainers().stream())
                .forEach(found::add);
        pod.getSpec().getVolumes().forEach(found::add);
        return found;
    }

    private void add(Container container) {
        container
                .getEnvFrom()
                .forEach(from -> {
                    if (from.getConfigMapRef() != null) {
                        configMaps.add(from.getConfigMapRef().getName());
                    }
                    if (from.getSecretRef() != null) {
                        secrets.add(from.getSecretRef().getName());
                    }
                });
        container.getEnv().stream()
                .map(variable -> variable.getValueFrom())
                .filter(Objects::nonNull)
                .forEach(this::add);
    }

    private void add(EnvVarSource from) {
        if (from.getConfigMapKeyRef() != null) {
            configMaps.add(from.getConfigMapKeyRef().getName());
        }
        if (from.getSecretKeyRef() != null) {
            secrets.add(from.getSecretKeyRef().getName());
        }
    }

    private void add(Volume volume) {
        if (volume.getConfigMap() != null) {
            configMaps.add(volume.getConfigMap().getName());
        }
        if (volume.getSecret() != null) {
            secrets.add(volume.getSecret().getSecretName());
        }
        if (volume.getProjected() != null) {
            volume.getProjected().getSources().forEach(this::add);
        }
    }

    private void add(VolumeProjection source) {
        if (source.getConfigMap() != null) {
            configMaps.add(source.getConfigMap().getName());
        }
        if (source.getSecret() != null) {
            secrets.add(source.getSecret().getName());
        }
    }
}
