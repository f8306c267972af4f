package dev.muster.sandbox.node.core;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The config maps and secrets of a pod's namespace that it refers to, as far as they are there.
 *
 * @param configMaps by name, then by key
 * @param secrets by name, then by key; not Base64
 */
public record Sources(
        Map<String, Map<String, byte[]>> configMaps, Map<String, Map<String, byte[]>> secrets) {
    private static final String CONFIG_MAP = "configmap";

    public static final Sources NONE = new Sources(Map.of(), Map.of());

    /**
     * One of them, there or not.
     *
     * @param kind as Kubernetes' messages call it
     * @param data null if it is not there
     */
    record Source(String kind, String name, @Nullable Map<String, byte[]> data) {
        boolean isConfigMap() {
            return kind.equals(CONFIG_MAP);
        }

        String notFound() {
            return "%s \"%s\" not found".formatted(kind, name);
        }

        String noKey(String key) {
            return "couldn't find key %s in %s %s".formatted(key, kind, name);
        }
    }

    Source configMap(String name) {
        return new Source(CONFIG_MAP, name, configMaps.get(name));
    }

    Source secret(String name) {
        return new Source("secret", name, secrets.get(name));
    }
}
