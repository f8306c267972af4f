package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Submits a job that has ended once more. */
@Command(
        name = "retry",
        description = {
            "Submits a job that has ended once more, as it was submitted, as a new submission.",
            "What it asked for is kept for seven days."
        },
        mixinStandardHelpOptions = true)
final class RetryCommand implements Callable<Integer> {
    @Parameters(paramLabel = "JOB", description = "The job.")
    private String job = "";

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Mixin private SubmissionOption submission = new SubmissionOption();

    @Mixin private RequestOption request = new RequestOption();

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var at = context.read();
        var called = namespace.value() + "/" + job;
        var of = submission.of(at, namespace.value(), job);
        var admission = request.admission(at, SubmissionOption.again(of));
        var answer = admission.retry(namespace.value(), job, of);
        if (answer.isLate()) {
            throw admission.late(called);
        }
        Terminal.out(spec)
                .println(
                        "%s submitted again (uid %s, retry of %s)"
                                .formatted(called, answer.uid(), of));
        return ExitCode.OK;
    }
}
