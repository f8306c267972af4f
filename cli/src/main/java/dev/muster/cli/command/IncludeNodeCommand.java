package dev.muster.cli.command;

import dev.muster.cli.command.JobsOption.Change;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lets jobs use nodes again on which they failed. */
@Command(
        name = "include-node",
        description = {
            "Lets jobs use nodes again that they avoid since they failed there.",
            "With --pool, and neither --namespace nor --label, the pool forgets what it holds against"
                    + " nodes, too."
        },
        mixinStandardHelpOptions = true)
final class IncludeNodeCommand implements Callable<Integer> {
    @Mixin private JobsOption jobs = new JobsOption();

    @Option(
            names = "--node",
            paramLabel = "NODE",
            description = "One node (default: all that the job avoids).")
    private @Nullable String node;

    @Override
    public Integer call() {
        return jobs.make(
                new Change("include-node", "IncludeNode", "changed"),
                node == null ? Map.of() : Map.of("node", node));
    }
}
