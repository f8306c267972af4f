package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import dev.muster.cli.kubernetes.PodLogs;
import dev.muster.cli.kubernetes.PodLogs.Wanted;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a job's pods print. */
@Command(
        name = "logs",
        description = "Shows what a job's pods print, through the API server.",
        mixinStandardHelpOptions = true)
final class LogsCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The job.")
    private String name = "";

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Option(names = "--role", paramLabel = "ROLE", description = "Only pods of this role.")
    private @Nullable String role;

    @Option(names = "--index", paramLabel = "N", description = "Only the pod of this index.")
    private @Nullable Integer index;

    @Option(names = "--tail", paramLabel = "N", description = "Only the last lines of each pod.")
    private @Nullable Integer tail;

    @Option(
            names = {"-f", "--follow"},
            description =
                    "Goes on until the pods have ended, and with those of the job that start meanwhile.")
    private boolean follow;

    @Option(
            names = {"-p", "--previous"},
            description =
                    "What was printed before the container was started again in its pod, of pods in"
                            + " which it was.")
    private boolean previous;

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        if (spec != null && follow && previous) {
            throw new ParameterException(
                    spec.commandLine(), "--previous and --follow exclude each other");
        }
        var out = Terminal.out(spec);
        var wanted = new Wanted(namespace.value(), name, role, index, tail, previous);
        boolean all;
        try (var logs = PodLogs.open(context.read().kubeconfig())) {
            all =
                    follow
                            ? logs.follow(wanted, line -> shown(line, out))
                            : logs.print(wanted, out::println);
        }
        out.flush();
        return all ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Whether somebody still reads what is written. */
    static boolean shown(String line, PrintWriter out) {
        out.println(line);
        return !out.checkError();
    }
}
