package dev.muster.deploy;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All settings of a service with their defaults, by their full names: its application.yaml. */
record ServiceSettings(Map<String, String> defaults) {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+):");

    static ServiceSettings of(String service) throws IOException {
        var file = Path.of("..", "services", service, "src/main/resources/application.yaml");
        Map<?, ?> settings = Serialization.unmarshal(Files.readString(file), Map.class);
        var defaults = new TreeMap<String, String>();
        flatten("", settings, defaults);
        return new ServiceSettings(defaults);
    }

    /** Names as Spring reads them from the environment, and those that a default asks for. */
    Set<String> variables() {
        var settings =
                defaults.keySet().stream()
                        .map(name ->
                                name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT));
        var asked =
                defaults.values().stream()
                        .flatMap(value -> VARIABLE.matcher(value).results())
                        .map(match -> match.group(1));
        return Stream.concat(settings, asked).collect(Collectors.toSet());
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
