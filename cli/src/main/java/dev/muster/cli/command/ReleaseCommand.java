package dev.muster.cli.command;

import dev.muster.cli.command.JobsOption.Change;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets held jobs go on waiting as the others do. */
@Command(
        name = "release",
        description = "Lets jobs that were held start again when it is their turn.",
        mixinStandardHelpOptions = true)
final class ReleaseCommand implements Callable<Integer> {
    @Mixin private JobsOption jobs = new JobsOption();

    @Override
    public Integer call() {
        return jobs.make(new Change("release", "Release", "released"), Map.of());
    }
}
