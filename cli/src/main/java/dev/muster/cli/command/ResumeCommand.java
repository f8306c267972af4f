package dev.muster.cli.command;

import dev.muster.cli.command.JobsOption.Change;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Takes suspended jobs back into their queue. */
@Command(
        name = "resume",
        description = "Lets jobs that were suspended wait in their queue again.",
        mixinStandardHelpOptions = true)
final class ResumeCommand implements Callable<Integer> {
    @Mixin private JobsOption jobs = new JobsOption();

    @Override
    public Integer call() {
        return jobs.make(new Change("resume", "Resume", "resumed"), Map.of());
    }
}
