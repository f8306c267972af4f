package dev.muster.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends a command: lines for people, an exit code for scripts. */
public final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    /**
     * @param exitCode one of {@link ExitCode}
     * @param lines what happened and what to do, the first without the command's name
     */
    public CommandFailedException(int exitCode, List<String> lines, @Nullable Throwable cause) {
        super(String.join("\n", lines), cause);
        this.exitCode = exitCode;
    }

    /** Something outside is missing, unreachable or broken. */
    public static CommandFailedException failed(String line, @Nullable Throwable cause) {
        return new CommandFailedException(ExitCode.FAILED, List.of(line), cause);
    }

    /** There is no such job, queue or pool. */
    public static CommandFailedException notFound(String line) {
        return new CommandFailedException(ExitCode.NOT_FOUND, List.of(line), null);
    }

    /** One of {@link ExitCode}. */
    public int exitCode() {
        return exitCode;
    }
}
