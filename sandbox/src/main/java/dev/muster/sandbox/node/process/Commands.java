package dev.muster.sandbox.node.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Commands of containers, looked for as execvp(3) does. */
public final class Commands {
    private Commands() {}

    /** Why a command cannot be run, in a container runtime's words; empty if it can. */
    public static Optional<String> fault(
            List<String> argv, Map<String, String> env, Path workingDir) {
        if (argv.isEmpty()) {
            return Optional.of("no command specified, and the sandbox has no images to name one");
        }
        var program = argv.getFirst();
        if (!program.contains("/")) {
            boolean found =
                    Stream.of(env.getOrDefault("PATH", "").split(":", -1))
                            .anyMatch(folder -> isProgram(workingDir.resolve(folder, program)));
            return found ? Optional.empty() : fault(program, "executable file not found in $PATH");
        }
        var file = workingDir.resolve(program);
        if (!Files.exists(file)) {
            return fault(program, "no such file or directory");
        }
        return isProgram(file) ? Optional.empty() : fault(program, "permission denied");
    }

    private static Optional<String> fault(String program, String why) {
        return Optional.of("exec: \"%s\": %s".formatted(program, why));
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
