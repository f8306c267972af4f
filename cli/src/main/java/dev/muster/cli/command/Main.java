package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import java.util.Arrays;

/** Where the command begins and its exit code ends. */
public final class Main {
    private Main() {}

    /** Runs one command and leaves the JVM with its exit code. */
    public static void main(String[] args) {
        var debug = Arrays.asList(args).contains("--debug");
        // Before the first logger is made. What a person must know is said by the commands.
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", debug ? "info" : "off");
        int exitCode;
        try {
            exitCode = MusterCommand.commandLine(debug).execute(args);
        } catch (OutOfMemoryError e) {
            // What is played again of a large pool is as large as that pool.
            System.err.printf(
                    "muster: %d MiB are not enough for this pool; say how much it may be, as in"
                            + " MUSTER_MEMORY=4g muster …%n",
                    Runtime.getRuntime().maxMemory() >> 20);
            exitCode = ExitCode.FAILED;
        }
        System.exit(exitCode);
    }
}
