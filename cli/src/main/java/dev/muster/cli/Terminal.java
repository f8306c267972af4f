package dev.muster.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What a command writes to. */
public final class Terminal {
    private Terminal() {}

    static PrintWriter out(@Nullable CommandSpec spec) {
        return spec == null ? new PrintWriter(System.out, true) : spec.commandLine().getOut();
    }

    static PrintWriter err(@Nullable CommandSpec spec) {
        return spec == null ? new PrintWriter(System.err, true) : spec.commandLine().getErr();
    }

    /** True where lines can be rewritten: a person looks, not a file. */
    public static boolean isInteractive() {
        return System.console() != null
                && System.console().isTerminal()
                && System.getenv("NO_COLOR") == null
                && !"dumb".equals(System.getenv("TERM"));
    }
}
