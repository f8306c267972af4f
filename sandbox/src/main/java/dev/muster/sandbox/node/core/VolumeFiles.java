package dev.muster.sandbox.node.core;

import dev.muster.sandbox.node.core.Sources.Source;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFile;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What stands in one volume of a pod.
 *
 * @param hostPath the folder of the machine that the volume is; null for a folder of the pod
 * @param missing why it cannot be made; empty if it can
 */
public record VolumeFiles(
        String volume, @Nullable String hostPath, List<Content> files, String missing) {
    private static final int MODE = 0644;
    // Every pod gets it from the API server; nothing here could find its files at their path.
    private static final String API_ACCESS = "kube-api-access-";

    /**
     * One file.
     *
     * @param path relative to the volume
     * @param mode as in chmod
     */
    @SuppressWarnings("ArrayRecordComponent") // written to a file, never compared
    public record Content(String path, byte[] bytes, int mode) {}

    /** The volume's content, of which {@code sources} has what it refers to. */
    public static VolumeFiles of(
            Pod pod,
            Volume volume,
            Sources sources,
            Map<String, Quantity> allocatable,
            ServiceNames services) {
        var building = new Building(pod, sources, new DownwardFields(pod, allocatable), services);
        var lenient = volume.getName().startsWith(API_ACCESS);
        building.add(volume);
        return new VolumeFiles(
                volume.getName(),
                volume.getHostPath() == null ? null : volume.getHostPath().getPath(),
                building.files,
                lenient ? "" : String.join(", ", building.missing));
    }

    private static final class Building {
        final List<Content> files = new ArrayList<>();
        final List<String> missing = new ArrayList<>();
        private final Pod pod;
        private final Sources sources;
        private final DownwardFields fields;
        private final ClusterNames names;
        private final ServiceNames services;

        Building(Pod pod, Sources sources, DownwardFields fields, ServiceNames services) {
            this.pod = pod;
            this.sources = sources;
            this.fields = fields;
            this.names = new ClusterNames(pod, Map.of());
            this.services = services;
        }

        void add(Volume volume) {
            if (volume.getConfigMap() != null) {
                var map = volume.getConfigMap();
                var source = sources.configMap(map.getName());
                addKeys(source, map.getItems(), mode(map.getDefaultMode()), map.getOptional());
            } else if (volume.getSecret() != null) {
                var secret = volume.getSecret();
                var source = sources.secret(secret.getSecretName());
                addKeys(
                        source,
                        secret.getItems(),
                        mode(secret.getDefaultMode()),
                        secret.getOptional());
            } else if (volume.getDownwardAPI() != null) {
                var api = volume.getDownwardAPI();
                addFields(api.getItems(), mode(api.getDefaultMode()));
            } else if (volume.getProjected() != null) {
                int mode = mode(volume.getProjected().getDefaultMode());
                volume.getProjected().getSources().forEach(source -> add(source, mode));
            } else if (volume.getEmptyDir() == null && volume.getHostPath() == null) {
                missing.add("the sandbox has no volumes of this kind");
            }
        }

        private void add(VolumeProjection source, int mode) {
            if (source.getConfigMap() != null) {
                var map = source.getConfigMap();
                addKeys(sources.configMap(map.getName()), map.getItems(), mode, map.getOptional());
            }
            if (source.getSecret() != null) {
                var secret = source.getSecret();
                addKeys(
                        sources.secret(secret.getName()),
                        secret.getItems(),
                        mode,
                        secret.getOptional());
            }
            if (source.getDownwardAPI() != null) {
                addFields(source.getDownwardAPI().getItems(), mode);
            }
        }

        private void addKeys(
                Source source, List<KeyToPath> items, int mode, @Nullable Boolean optional) {
            boolean needed = !Boolean.TRUE.equals(optional);
            var data = source.data();
            if (data == null) {
                if (needed) {
                    missing.add(source.notFound());
                }
                return;
            }
            if (items.isEmpty()) {
                new TreeMap<>(data)
                        .forEach((key, value) ->
                                files.add(new Content(key, content(source, value), mode)));
            }
            for (var item : items) {
                var value = data.get(item.getKey());
                if (value != null) {
                    int own = item.getMode() == null ? mode : item.getMode();
                    files.add(new Content(item.getPath(), content(source, value), own));
                } else if (needed) {
                    missing.add(source.noKey(item.getKey()));
                }
            }
        }

        /**
         * A config map may name pods, as a host list does, or services; a secret is nobody's text.
         */
        private byte[] content(Source source, byte[] value) {
            if (!source.isConfigMap()) {
                return value;
            }
            var text = new String(value, StandardCharsets.UTF_8);
            var resolved = names.resolve(services.resolve(text));
            return resolved.equals(text) ? value : resolved.getBytes(StandardCharsets.UTF_8);
        }

        private void addFields(List<DownwardAPIVolumeFile> items, int mode) {
            for (var item : items) {
                var value =
                        item.getFieldRef() != null
                                ? fields.field(item.getFieldRef().getFieldPath())
                                : fields.resource(
                                        container(item.getResourceFieldRef().getContainerName()),
                                        item.getResourceFieldRef());
                int own = item.getMode() == null ? mode : item.getMode();
                files.add(new Content(item.getPath(), value.getBytes(StandardCharsets.UTF_8), own));
            }
        }

        private Container container(String name) {
            return pod.getSpec().getContainers().stream()
                    .filter(container -> Objects.equals(container.getName(), name))
                    .findFirst()
                    .orElseGet(Container::new);
        }

        private static int mode(@Nullable Integer stated) {
            return stated == null ? MODE : stated;
        }
    }
}
