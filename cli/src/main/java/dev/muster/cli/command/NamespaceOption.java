package dev.muster.cli.command;

import picocli.CommandLine.Option;

/** The namespace that a command's job is in. */
final class NamespaceOption {
    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "The job's namespace (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    String value() {
        return namespace;
    }
}
