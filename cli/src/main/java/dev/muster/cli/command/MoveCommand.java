package dev.muster.cli.command;

import dev.muster.cli.command.JobsOption.Change;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves jobs to another queue. */
@Command(
        name = "move",
        description = "Moves jobs to another queue of their pool.",
        mixinStandardHelpOptions = true)
final class MoveCommand implements Callable<Integer> {
    @Mixin private JobsOption jobs = new JobsOption();

    @Option(
            names = "--to",
            required = true,
            paramLabel = "QUEUE",
            description = "A queue of the same pool.")
    private String queue = "";

    @Override
    public Integer call() {
        return jobs.make(new Change("move", "Move", "moved to " + queue), Map.of("queue", queue));
    }
}
