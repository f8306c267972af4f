package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import dev.muster.cli.Trouble;
import dev.muster.cli.http.Admission;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Cancels a job by admission's HTTP. */
@Command(name = "cancel", description = "Ends a job.", mixinStandardHelpOptions = true)
final class CancelCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The job.")
    private String name = "";

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var answer = new Admission(context.read()).cancel(namespace.value(), name);
        var called = namespace.value() + "/" + name;
        if (answer.isLate()) {
            throw Trouble.failed(
                    "the request to cancel " + called + " was sent, but nobody answered in time",
                    null);
        }
        Terminal.out(spec).println(called + " is being cancelled");
        return ExitCode.OK;
    }
}
