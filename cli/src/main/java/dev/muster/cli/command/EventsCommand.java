package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.JobNews;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.text.Documents;
import dev.muster.cli.text.EventDocument;
import dev.muster.cli.text.EventLine;
import dev.muster.cli.text.Moments;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what happened to a job. */
@Command(
        name = "events",
        description =
                "Shows what happened to a job since it was submitted: its moves, ends of its pods"
                        + " with their exit codes, pods that were made again, changes of its size.",
        mixinStandardHelpOptions = true)
final class EventsCommand implements Callable<Integer> {
    /** In which form they are shown. */
    enum Output {
        TABLE,
        YAML,
        JSON
    }

    @Parameters(paramLabel = "JOB", description = "The job.")
    private String job = "";

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = {"-f", "--follow"},
            description = {"Goes on until the job has ended; exit code 5 if it did not succeed."})
    private boolean follow;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description =
                    "table, yaml or json (default: table): a list in json, with --follow an event in"
                            + " each line.")
    private Output output = Output.TABLE;

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var where = context.read();
        var status =
                JobStatuses.at(where, namespace.value(), job, Instant.MAX)
                        .orElseThrow(() ->
                                CommandFailedException.notFound(
                                        "there is no job %s/%s".formatted(namespace.value(), job)));
        var out = Terminal.out(spec);
        try (var news = JobNews.of(where, status)) {
            var end = show(status, news.all(), out);
            if (!follow) {
                return ExitCode.OK;
            }
            return code(end == null ? follow(news::next, out) : end);
        }
    }

    /**
     * What a command says that has waited for the end.
     *
     * @param end null: nobody waits any more
     */
    static int code(@Nullable Phase end) {
        return end == null || end == Phase.SUCCEEDED ? ExitCode.OK : ExitCode.JOB_FAILED;
    }

    /**
     * Shows what happened until now.
     *
     * @param status as it was before that was read
     * @return how the job has ended; null: it has not
     */
    @Nullable Phase show(JobStatus status, List<JobEvent> events, PrintWriter out) {
        print(events, out);
        var end = end(events);
        // Of a submission that was put aside there is no event, and of an old one none any more.
        if (end == null && JobStatuses.isEnd(status.getPhase())) {
            if (output == Output.TABLE) {
                out.println(lines().ofTheEnd(status));
                out.flush();
            }
            return status.getPhase();
        }
        return end;
    }

    /**
     * Goes on until the job has ended, or nobody reads what is written.
     *
     * @return how the job has ended; null: it has not
     */
    @Nullable Phase follow(Supplier<List<JobEvent>> next, PrintWriter out) {
        Phase end = null;
        while (end == null && !out.checkError()) {
            var events = next.get();
            print(events, out);
            end = end(events);
        }
        return end;
    }

    private void print(List<JobEvent> events, PrintWriter out) {
        var lines = lines();
        switch (output) {
            case TABLE -> events.forEach(event -> out.println(lines.of(event)));
            case YAML ->
                    events.forEach(
                            event -> out.print(Documents.yamlOfMany(EventDocument.of(event))));
            case JSON -> json(events, out);
        }
        out.flush();
    }

    /** Of what is followed there is no last one, so each stands for itself. */
    private void json(List<JobEvent> events, PrintWriter out) {
        if (follow) {
            events.forEach(event -> out.print(Documents.jsonOfMany(EventDocument.of(event))));
        } else {
            Documents.json(events.stream().map(EventDocument::of).iterator(), out);
        }
    }

    /** How the job has ended with these; null: it has not. */
    private static @Nullable Phase end(List<JobEvent> events) {
        return events.stream()
                .filter(event -> event.getMoved() != null)
                .map(event -> event.getMoved().getTo())
                .filter(JobStatuses::isEnd)
                .findFirst()
                .orElse(null);
    }

    private static EventLine lines() {
        return new EventLine(new Moments(Instant.now(), ZoneId.systemDefault()));
    }
}
