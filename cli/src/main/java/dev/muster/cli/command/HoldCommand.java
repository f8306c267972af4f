package dev.muster.cli.command;

import dev.muster.cli.command.JobsOption.Change;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Keeps jobs in their queue. */
@Command(
        name = "hold",
        description = "Keeps jobs that wait from starting, until they are released.",
        mixinStandardHelpOptions = true)
final class HoldCommand implements Callable<Integer> {
    @Mixin private JobsOption jobs = new JobsOption();
    @Mixin private MessageOption message = new MessageOption();

    @Override
    public Integer call() {
        return jobs.make(new Change("hold", "Hold", "held"), message.with(Map.of()));
    }
}
