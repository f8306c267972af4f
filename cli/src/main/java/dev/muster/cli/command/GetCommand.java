package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.JobNames;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.QueueReasons;
import dev.muster.cli.text.JobTable;
import dev.muster.cli.text.StatusDocument;
import dev.muster.v1.JobStatus;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows jobs, from topic job-status. */
@Command(
        name = "get",
        description = "Shows jobs and where they stand.",
        mixinStandardHelpOptions = true)
final class GetCommand implements Callable<Integer> {
    /** How much is shown, and in which form. */
    enum Output {
        TABLE,
        WIDE,
        YAML,
        JSON
    }

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "One job; all if absent.")
    private @Nullable String name;

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Jobs of all namespaces.")
    private boolean everywhere;

    @Option(
            names = {"-w", "--watch"},
            description = "Then prints a line for each change until Ctrl-C.")
    private boolean watch;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "table, wide, yaml or json (default: table).")
    private Output output = Output.TABLE;

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var out = Terminal.out(spec);
        var at = context.read();
        var names = new JobNames(everywhere ? null : namespace.value(), name);
        try (var statuses = JobStatuses.open(at, names, this::kept);
                var queues = QueueReasons.open(at)) {
            var jobs = statuses.all().stream().map(queues::explained).toList();
            if (name != null && jobs.isEmpty() && !watch) {
                throw CommandFailedException.notFound(
                        "there is no job " + namespace.value() + "/" + name);
            }
            switch (output) {
                case YAML -> out.print(StatusDocument.yaml(jobs));
                case JSON -> out.print(StatusDocument.json(jobs, name == null));
                case TABLE, WIDE -> show(jobs, statuses, queues, out);
            }
            out.flush();
        }
        return ExitCode.OK;
    }

    private void show(
            List<JobStatus> jobs, JobStatuses statuses, QueueReasons queues, PrintWriter out) {
        if (jobs.isEmpty() && !watch) {
            out.println(everywhere ? "no jobs" : "no jobs in namespace " + namespace.value());
            return;
        }
        var table = new JobTable(everywhere, output == Output.WIDE, jobs, Instant.now());
        out.println(table.heading());
        jobs.forEach(job -> out.println(table.line(job, Instant.now())));
        while (watch) {
            out.flush();
            var news = statuses.news();
            queues.refresh();
            news.stream()
                    .map(queues::explained)
                    .forEach(job -> table.news(job, Instant.now()).forEach(out::println));
        }
    }

    /** A document has all of a job. */
    private JobStatus kept(JobStatus status) {
        return switch (output) {
            case TABLE, WIDE -> JobTable.shown(status, output == Output.WIDE);
            case YAML, JSON -> status;
        };
    }
}
