package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MadeOnce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The life of pretended nodes and pods, as files of KWOK's module. */
final class KwokStages {
    /** Both kinds go through their life at once, without invented delays. */
    private static final List<Path> FOLDERS =
            List.of(Path.of("node", "fast"), Path.of("pod", "fast"));

    private KwokStages() {}

    static void copy(GoModule module, Path go, Path target) throws IOException {
        var source = Files.createTempDirectory("muster-" + module.name());
        try {
            module.copyInto(source);
            var answer = source.resolve("answer");
            for (var arguments :
                    List.of(
                            List.of("mod", "download", module.required()),
                            List.of("list", "-m", "-f", "{{.Dir}}", module.required()))) {
                Files.deleteIfExists(answer);
                run(go, arguments, source, answer);
            }
            var stages = Path.of(Files.readString(answer).strip(), "kustomize", "stage");
            Files.createDirectories(target);
            for (var folder : FOLDERS) {
                copyStages(stages.resolve(folder), target);
            }
        } finally {
            MadeOnce.remove(source);
        }
    }

    private static void run(Path go, List<String> arguments, Path source, Path answer) {
        var command = new ArrayList<>(List.of(go.toString()));
        command.addAll(arguments);
        new Launch("go " + arguments.getFirst(), command, Map.of("GOWORK", "off"), source, answer)
                .run(Duration.ofMinutes(5));
    }

    private static void copyStages(Path folder, Path target) throws IOException {
        try (var files = Files.newDirectoryStream(folder, "{node,pod}-*.yaml")) {
            for (var file : files) {
                Files.copy(file, target.resolve(file.getFileName()));
            }
        }
    }
}
