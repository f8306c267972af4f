package dev.muster.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What a command writes to. */
public final class Terminal {
    private Terminal() {}

    /** The standard output, as a writer that says when nobody reads it any more. */
    static PrintWriter standard() {
        // Made of a stream, not of a writer: else it would not ask the stream.
        return new PrintWriter(System.out, true, System.out.charset());
    }

    static PrintWriter out(@Nullable CommandSpec spec) {
        return spec == null
                ? new PrintWriter(System.out, true, UTF_8)
                : spec.commandLine().getOut();
    }

    static PrintWriter err(@Nullable CommandSpec spec) {
        return spec == null
                ? new PrintWriter(System.err, true, UTF_8)
                : spec.commandLine().getErr();
    }

    /** True where lines can be rewritten: a person looks, not a file. */
    public static boolean isInteractive() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
                && System.getenv("NO_COLOR") == null
                && !"dumb".equals(System.getenv("TERM"));
    }
}
