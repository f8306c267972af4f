package dev.muster.cli.command;

import java.util.Arrays;

/** Where the command begins and its exit code ends. */
public final class Main {
    private Main() {}

    /** Runs one command and leaves the JVM with its exit code. */
    public static void main(String[] args) {
        var debug = Arrays.asList(args).contains("--debug");
        // Before the first logger is made. What a person must know is said by the commands.
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", debug ? "info" : "off");
        System.exit(MusterCommand.commandLine(debug).execute(args));
    }
}
