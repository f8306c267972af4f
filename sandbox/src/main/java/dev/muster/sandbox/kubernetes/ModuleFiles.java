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

/** Files that a module has beside its programs, such as examples of what they read. */
final class ModuleFiles {
    private ModuleFiles() {}

    /**
     * Copies them.
     *
     * @param folders below the module's own
     * @param glob which of their files
     */
    static void copy(GoModule module, Path go, List<Path> folders, String glob, Path target)
            throws IOException {
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
            var root = Path.of(Files.readString(answer).strip());
            Files.createDirectories(target);
            for (var folder : folders) {
                copy(root.resolve(folder), glob, target);
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

    private static void copy(Path folder, String glob, Path target) throws IOException {
        try (var files = Files.newDirectoryStream(folder, glob)) {
            for (var file : files) {
                Files.copy(file, target.resolve(file.getFileName()));
            }
        }
    }
}
