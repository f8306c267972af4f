package dev.muster.cli.command;

import dev.muster.cli.command.JobsOption.Change;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Takes jobs out of their queue, with their pods. */
@Command(
        name = "suspend",
        description = "Takes jobs back, with their pods, until they are resumed.",
        mixinStandardHelpOptions = true)
final class SuspendCommand implements Callable<Integer> {
    @Mixin private JobsOption jobs = new JobsOption();
    @Mixin private MessageOption message = new MessageOption();

    @Option(
            names = "--grace-period",
            paramLabel = "DURATION",
            description = "How long pods may take to end, as in 30s (default: the job's own).")
    private @Nullable String grace;

    @Override
    public Integer call() {
        return jobs.make(
                new Change("suspend", "Suspend", "suspended"),
                message.with(grace == null ? Map.of() : Map.of("gracePeriod", grace)));
    }
}
