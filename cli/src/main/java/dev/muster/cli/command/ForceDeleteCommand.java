package dev.muster.cli.command;

import dev.muster.cli.command.JobsOption.Change;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives one's word that nothing of jobs runs any more on nodes that are not heard of. */
@Command(
        name = "force-delete",
        description = {
            "Deletes what dead nodes hold of jobs without the word of their kubelets.",
            "Only for nodes that are off for certain: a pod that still runs there is not stopped."
        },
        mixinStandardHelpOptions = true)
final class ForceDeleteCommand implements Callable<Integer> {
    @Mixin private JobsOption jobs = new JobsOption();

    @Option(
            names = "--uid",
            paramLabel = "UID",
            converter = UidText.class,
            description =
                    "An older submission of this name (default: the newest); status and explain of"
                            + " a job that waits for its pods name it.")
    private String uid = "";

    @Override
    public Integer call() {
        return jobs.make(new Change("force-delete", "ForceDelete", "forced"), Map.of(), uid);
    }
}
