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
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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

    @Mixin private FilterOption filter = new FilterOption();

    @Option(
            names = {"-w", "--watch"},
            description = {
                "Then prints a line for each change until Ctrl-C, also for that with which a job is"
                        + " none of those any more that were asked for.",
                "With -o yaml or json: a document for each job and each change, in json one line."
            })
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
        filter.check(name);
        var out = Terminal.out(spec);
        var at = context.read();
        var names = new JobNames(everywhere ? null : namespace.value(), name);
        try (var statuses = JobStatuses.open(at, names, filter::takes, this::kept);
                var queues = QueueReasons.open(at)) {
            var jobs = statuses.all().stream().map(queues::explained).toList();
            if (name != null && jobs.isEmpty() && !watch) {
                throw CommandFailedException.notFound("there is no job " + asked(name));
            }
            var changes = show(jobs, out);
            if (watch) {
                follow(
                        () -> {
                            var news = statuses.news();
                            queues.refresh();
                            return news.stream().map(queues::explained).toList();
                        },
                        changes,
                        out);
            }
            out.flush();
        }
        return ExitCode.OK;
    }

    /** As it may be told that there is none. */
    String asked(String name) {
        return everywhere ? name : namespace.value() + "/" + name;
    }

    /** Each namespace may have one of the name. */
    private boolean isOfOne() {
        return name != null && !everywhere;
    }

    /**
     * Shows what is there now.
     *
     * @return how a change is shown
     */
    Function<JobStatus, String> show(List<JobStatus> jobs, PrintWriter out) {
        return switch (output) {
            case YAML -> yaml(jobs, out);
            case JSON -> json(jobs, out);
            case TABLE, WIDE -> table(jobs, out);
        };
    }

    /** Of a watch there is no last one, so each stands for itself. */
    private Function<JobStatus, String> yaml(List<JobStatus> jobs, PrintWriter out) {
        if (watch) {
            jobs.forEach(job -> out.print(StatusDocument.yamlOfMany(job)));
        } else {
            StatusDocument.yaml(jobs, out);
        }
        return StatusDocument::yamlOfMany;
    }

    private Function<JobStatus, String> json(List<JobStatus> jobs, PrintWriter out) {
        if (watch) {
            jobs.forEach(job -> out.print(StatusDocument.jsonOfMany(job)));
        } else {
            StatusDocument.json(jobs, !isOfOne(), out);
        }
        return StatusDocument::jsonOfMany;
    }

    private Function<JobStatus, String> table(List<JobStatus> jobs, PrintWriter out) {
        var table = new JobTable(everywhere, output == Output.WIDE, jobs, Instant.now());
        if (jobs.isEmpty() && !watch) {
            out.println(none());
        } else {
            out.println(table.heading());
            jobs.forEach(job -> out.println(table.line(job, Instant.now())));
        }
        return job ->
                table.news(job, Instant.now()).stream()
                        .map(line -> line + "\n")
                        .collect(Collectors.joining());
    }

    private String none() {
        var such = filter.isGiven() ? "no such jobs" : "no jobs";
        return everywhere ? such : such + " in namespace " + namespace.value();
    }

    /** Goes on until nobody reads what is written. */
    static void follow(
            Supplier<List<JobStatus>> news, Function<JobStatus, String> shown, PrintWriter out) {
        while (!out.checkError()) {
            news.get().forEach(job -> out.print(shown.apply(job)));
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
