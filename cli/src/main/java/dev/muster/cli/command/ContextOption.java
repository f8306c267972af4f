package dev.muster.cli.command;

import dev.muster.cli.Context;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which system a command talks to. */
final class ContextOption {
    @Option(
            names = "--context",
            paramLabel = "FILE",
            description =
                    "Where the system is (default: MUSTER_CONTEXT, else"
                            + " ~/.config/muster/context.yaml).")
    private @Nullable Path file;

    /** The file, there or not. */
    Path file() {
        return file == null ? Context.file() : file;
    }

    Context read() {
        return Context.read(file());
    }
}
