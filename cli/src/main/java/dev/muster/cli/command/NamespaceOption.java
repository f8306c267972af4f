package dev.muster.cli.command;

import dev.muster.cli.text.Hints;
import picocli.CommandLine.Option;

/** The namespace that a command's job is in. */
final class NamespaceOption {
    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "The job's namespace (default: ${DEFAULT-VALUE}).")
    private String namespace = Hints.DEFAULT_NAMESPACE;

    String value() {
        return namespace;
    }
}
