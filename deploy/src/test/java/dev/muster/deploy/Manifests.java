package dev.muster.deploy;

import dev.muster.sandbox.kubernetes.GoProgram;
import dev.muster.sandbox.kubernetes.KubernetesBinaries;
import dev.muster.sandbox.process.Progress;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The manifests of this module, and kubectl to ask about them. */
final class Manifests {
    static final Path BASE = Path.of("kustomize", "base").toAbsolutePath();

    /** The overlay that users copy. */
    static final Path EXAMPLE = BASE.resolveSibling("example");

    private Manifests() {}

    /** What a command printed, both streams, and how it ended. */
    record Answer(int exitCode, String text) {}

    static List<HasMetadata> all() throws IOException, InterruptedException {
        return built(BASE);
    }

    /** All objects that a folder's kustomization makes. */
    static List<HasMetadata> built(Path folder) throws IOException, InterruptedException {
        var answer = kubectl("kustomize", folder.toString());
        if (answer.exitCode() != 0) {
            throw new AssertionError(answer.text());
        }
        Object objects = Serialization.unmarshal(answer.text());
        var list = new ArrayList<HasMetadata>();
        ((Collection<?>) objects).forEach(object -> list.add((HasMetadata) object));
        return list;
    }

    static <T extends HasMetadata> List<T> all(Class<T> kind)
            throws IOException, InterruptedException {
        return all().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    static <T extends HasMetadata> T named(Class<T> kind, String name)
            throws IOException, InterruptedException {
        return all(kind).stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The settings of all services; the rest of its name is a hash of them. */
    static Map<String, String> settings(List<HasMetadata> objects) {
        return objects.stream()
                .filter(ConfigMap.class::isInstance)
                .map(ConfigMap.class::cast)
                .filter(map -> map.getMetadata().getName().startsWith("muster-"))
                .findFirst()
                .orElseThrow()
                .getData();
    }

    static Answer kubectl(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(new KubernetesBinaries(Progress.silent()).find(GoProgram.KUBECTL).toString());
        command.addAll(List.of(arguments));
        return run(command);
    }

    static Answer run(List<String> command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Answer(process.waitFor(), text);
    }
}
