package dev.muster.cli.command;

import dev.muster.cli.Context;
import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.text.JobTable;
import dev.muster.cli.text.Words;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.schemas.trainjob.TrainJobForm.Read;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Submits a job by admission's HTTP. */
@Command(name = "submit", description = "Submits a job.", mixinStandardHelpOptions = true)
final class SubmitCommand implements Callable<Integer> {
    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "The job, YAML or JSON; - is the standard input.")
    private String file = "";

    @Option(names = "--wait", description = "Waits until the job has ended.")
    private boolean wait;

    @Mixin private RequestOption request = new RequestOption();

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var text = TextFile.read(file);
        var at = context.read();
        if (!wait || !(TrainJobForm.read(text) instanceof Read job)) {
            // What cannot be read admission refuses, in its words.
            var _ = submit(at, text);
            return ExitCode.OK;
        }
        // Opened first, so that nothing of the job is missed.
        try (var statuses = JobStatuses.open(at, job.namespace(), job.name())) {
            return await(statuses, submit(at, text));
        }
    }

    /** The submission's uid. */
    private String submit(Context at, String text) {
        var admission = request.admission(at);
        var answer = admission.submit(text);
        // Admission took it, so it can be read.
        var job = (Read) TrainJobForm.read(text);
        var called = job.namespace() + "/" + job.name();
        if (answer.isLate()) {
            throw admission.late(called);
        }
        TakenJob.say(Terminal.out(spec), called, answer);
        return answer.uid();
    }

    private int await(JobStatuses statuses, String uid) {
        var out = Terminal.out(spec);
        var shown = "";
        // Of a job that was submitted already the past counts too.
        var news = statuses.all();
        while (true) {
            for (var status : news) {
                if (!isOf(status, uid)) {
                    continue;
                }
                var line = line(status);
                if (!line.equals(shown)) {
                    out.println(line);
                    out.flush();
                    shown = line;
                }
                if (JobStatuses.isEnd(status.getPhase())) {
                    return status.getPhase() == Phase.SUCCEEDED ? ExitCode.OK : ExitCode.JOB_FAILED;
                }
            }
            news = statuses.news();
        }
    }

    private static boolean isOf(JobStatus status, String uid) {
        return status.getJob().getUid().equals(uid);
    }

    private static String line(JobStatus status) {
        var reason = JobTable.reason(status, true);
        return Words.constant(status.getPhase()) + (reason.isEmpty() ? "" : "  " + reason);
    }
}
