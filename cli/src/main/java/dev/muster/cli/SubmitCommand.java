package dev.muster.cli;

import dev.muster.cli.http.Admission;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.text.JobTable;
import dev.muster.cli.text.Words;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.schemas.trainjob.TrainJobForm.Read;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.Set;
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
    private static final Set<Phase> ENDS =
            EnumSet.of(Phase.SUCCEEDED, Phase.FAILED, Phase.CANCELLED, Phase.REFUSED);

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "The job, YAML or JSON; - is the standard input.")
    private String file = "";

    @Option(names = "--wait", description = "Waits until the job has ended.")
    private boolean wait;

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var text = TextFile.read(file);
        var at = context.read();
        var answer = new Admission(at).submit(text);
        // Admission took it, so it can be read.
        var job = (Read) TrainJobForm.read(text);
        var called = job.namespace() + "/" + job.name();
        var out = Terminal.out(spec);
        if (answer.isLate()) {
            throw Trouble.failed(
                    called
                            + " was sent, but nobody answered in time; see: muster get "
                            + job.name(),
                    null);
        }
        out.println(
                called
                        + (answer.isDuplicate() ? " was submitted already" : " submitted")
                        + " (uid "
                        + answer.uid()
                        + ")");
        answer.warnings().forEach(warning -> out.println("warning: " + warning));
        out.flush();
        return wait ? await(at, job, answer.uid(), out) : ExitCode.OK;
    }

    private static int await(Context context, Read job, String uid, PrintWriter out) {
        try (var statuses = JobStatuses.open(context)) {
            var shown = "";
            while (true) {
                var status = statuses.of(job.namespace(), job.name()).filter(s -> isOf(s, uid));
                if (status.isPresent()) {
                    var line = line(status.get());
                    if (!line.equals(shown)) {
                        out.println(line);
                        out.flush();
                        shown = line;
                    }
                    if (ENDS.contains(status.get().getPhase())) {
                        return status.get().getPhase() == Phase.SUCCEEDED
                                ? ExitCode.OK
                                : ExitCode.JOB_FAILED;
                    }
                }
                var _ = statuses.news();
            }
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
