package dev.muster.bench.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.sandbox.process.PartFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Without a measurement's name: shows what there is. */
@Command(
        name = "bench/run",
        description = "Measures Muster. Each measurement prints a table and keeps it.",
        synopsisSubcommandLabel = "MEASUREMENT",
        mixinStandardHelpOptions = true,
        subcommands = {
            QuickstartCommand.class,
            MemoryCommand.class,
            OneByOneCommand.class,
            RateCommand.class,
            TakeoverCommand.class,
            RestartsCommand.class,
            WatcherCommand.class,
            KueueShapeCommand.class,
            GangsCommand.class,
            ScaleCommand.class,
            DeciderCommand.class
        })
public final class Main implements Runnable {
    @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getOut());
        }
    }

    /** Runs one measurement and leaves the JVM with its exit code: 1 where it failed. */
    public static void main(String[] args) {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
        var commandLine =
                new CommandLine(new Main())
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .setExecutionExceptionHandler((e, line, _) -> tell(e, line));
        System.exit(commandLine.execute(args));
    }

    private static int tell(Exception e, CommandLine line) {
        if (e instanceof CommandFailedException || e instanceof PartFailedException) {
            line.getErr().println("bench: " + e.getMessage());
        } else {
            e.printStackTrace(line.getErr());
        }
        return 1;
    }
}
