package dev.muster.cli.command;

import dev.muster.cli.command.JobsOption.Change;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sets the priority of jobs. */
@Command(
        name = "priority",
        description = "Sets the priority of jobs; the larger goes first within its queue.",
        mixinStandardHelpOptions = true)
final class PriorityCommand implements Callable<Integer> {
    @Mixin private JobsOption jobs = new JobsOption();

    @Option(
            names = "--to",
            required = true,
            paramLabel = "N",
            description = "-1000000000 to 1000000000; aging comes on top.")
    private int priority;

    @Override
    public Integer call() {
        return jobs.make(
                new Change("priority", "SetPriority", "set to priority " + priority),
                Map.of("priority", priority));
    }
}
