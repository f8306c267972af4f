package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.JobNews;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.text.EventLine;
import dev.muster.cli.text.Moments;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobStatus;
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
    @Parameters(paramLabel = "JOB", description = "The job.")
    private String job = "";

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on until the job has ended.")
    private boolean follow;

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
            var ended = show(status, news.all(), out);
            if (follow && !ended) {
                follow(news::next, out);
            }
        }
        return ExitCode.OK;
    }

    /**
     * Shows what happened until now.
     *
     * @param status as it was before that was read
     * @return whether the job has ended
     */
    static boolean show(JobStatus status, List<JobEvent> events, PrintWriter out) {
        var ended = show(events, out);
        // Of a submission that was put aside there is no event, and of an old one none any more.
        if (!ended && JobStatuses.isEnd(status.getPhase())) {
            out.println(lines().ofTheEnd(status));
            out.flush();
            return true;
        }
        return ended;
    }

    /** Goes on until the job has ended, or nobody reads what is written. */
    static void follow(Supplier<List<JobEvent>> next, PrintWriter out) {
        var ended = false;
        while (!ended && !out.checkError()) {
            ended = show(next.get(), out);
        }
    }

    /** Whether the job has ended with these. */
    private static boolean show(List<JobEvent> events, PrintWriter out) {
        var lines = lines();
        events.forEach(event -> out.println(lines.of(event)));
        out.flush();
        return events.stream().anyMatch(EventsCommand::isTheEnd);
    }

    private static EventLine lines() {
        return new EventLine(new Moments(Instant.now(), ZoneId.systemDefault()));
    }

    private static boolean isTheEnd(JobEvent event) {
        return event.getMoved() != null && JobStatuses.isEnd(event.getMoved().getTo());
    }
}
