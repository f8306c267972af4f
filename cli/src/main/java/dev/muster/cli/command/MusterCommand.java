package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import dev.muster.sandbox.process.PartFailedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command without a subcommand: shows what there is. */
@Command(
        name = "muster",
        description = "Runs distributed training jobs on Kubernetes.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = MusterCommand.Version.class,
        subcommands = {
            QuickstartCommand.class,
            UpCommand.class,
            StatusCommand.class,
            DownCommand.class,
            SubmitCommand.class,
            GetCommand.class,
            ExplainCommand.class,
            EventsCommand.class,
            LogsCommand.class,
            CancelCommand.class,
            RetryCommand.class,
            CloneCommand.class,
            HoldCommand.class,
            ReleaseCommand.class,
            PriorityCommand.class,
            MoveCommand.class,
            ScaleCommand.class,
            SuspendCommand.class,
            ResumeCommand.class,
            ForceDeleteCommand.class,
            IncludeNodeCommand.class,
            QueueCommand.class,
            PoolCommand.class,
            ReplayCommand.class,
            WhatIfCommand.class,
            RehearseCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:done",
            " 1:something outside is missing, unreachable or broken",
            " 2:the command line is wrong",
            " 3:the request was refused",
            " 4:there is no such job, queue or pool",
            " 5:the job that was waited for did not succeed",
            " 6:what was only looked at would change"
        })
final class MusterCommand implements Runnable {
    @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Shows logs, and the stack trace of a failure.")
    @SuppressWarnings("UnusedVariable") // main looks for it before anything is parsed
    private boolean debug;

    @Override
    public void run() {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getOut());
        }
    }

    /** The command with its manners: one line per failure, no stack traces unless asked for. */
    static CommandLine commandLine(boolean debug) {
        return new CommandLine(new MusterCommand())
                .setOut(Terminal.standard())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, args) -> wrongUsage(e))
                .setExecutionExceptionHandler(
                        (e, commandLine, parsed) -> tell(e, commandLine, debug));
    }

    private static int wrongUsage(ParameterException e) {
        var commandLine = e.getCommandLine();
        var command = commandLine.getCommandSpec().qualifiedName();
        commandLine
                .getErr()
                .println("muster: " + oneLine(e.getMessage()) + " (see: " + command + " --help)");
        return ExitCode.USAGE;
    }

    private static int tell(Exception e, CommandLine commandLine, boolean debug) {
        var err = commandLine.getErr();
        int exitCode =
                switch (e) {
                    case CommandFailedException trouble -> {
                        err.println("muster: " + trouble.getMessage());
                        yield trouble.exitCode();
                    }
                    case PartFailedException failed -> {
                        err.println("muster: " + failed.getMessage());
                        yield ExitCode.FAILED;
                    }
                    default -> {
                        err.println("muster: unexpected: " + oneLine(e.toString()) + hint(debug));
                        yield ExitCode.FAILED;
                    }
                };
        if (debug) {
            var trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace, true));
            err.print(trace);
        }
        err.flush();
        return exitCode;
    }

    private static String hint(boolean debug) {
        return debug ? "" : " (--debug shows where)";
    }

    private static String oneLine(@Nullable String text) {
        return text == null ? "" : text.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** From the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            var version = MusterCommand.class.getPackage().getImplementationVersion();
            return new String[] {"muster " + (version == null ? "(not packaged)" : version)};
        }
    }
}
