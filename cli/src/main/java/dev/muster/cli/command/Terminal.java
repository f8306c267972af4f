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
