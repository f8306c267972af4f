package dev.muster.cli.command;

import dev.muster.cli.system.Wanted;
import dev.muster.sandbox.SandboxConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which sandbox a command means. */
final class SandboxOption {
    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description =
                    "Another sandbox than the usual one, on free ports; its state is in this folder.")
    private @Nullable Path folder;

    SandboxConfig config() {
        return folder == null
                ? Wanted.usual()
                : Wanted.usual().in(folder.toAbsolutePath()).onFreePorts();
    }
}
