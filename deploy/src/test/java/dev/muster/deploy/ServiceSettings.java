package dev.muster.deploy;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All settings of a service with their defaults, by their full names: its application.yaml. */
record ServiceSettings(Map<String, String> defaults) {
    static ServiceSettings of(String service) throws IOException {
        var file = Path.of("..", "services", service, "src/main/resources/application.yaml");
        Map<?, ?> settings = Serialization.unmarshal(Files.readString(file), Map.class);
        var defaults = new TreeMap<String, String>();
        flatten("", settings, defaults);
        return new ServiceSettings(defaults);
    }

    /** Names as Spring reads them from the environment. */
    Set<String> variables() {
        return defaults.keySet().stream()
                .map(name -> name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    private static void flatten(String prefix, Map<?, ?> settings, Map<String, String> into) {
        settings.forEach((key, value) -> {
            if (value instanceof Map<?, ?> inner) {
                flatten(prefix + key + ".", inner, into);
            } else {
                into.put(prefix + key, String.valueOf(value));
            }
        });
    }
}
