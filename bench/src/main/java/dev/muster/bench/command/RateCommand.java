package dev.muster.bench.command;

import dev.muster.bench.jobs.Heard;
import dev.muster.bench.jobs.Jobs;
import dev.muster.bench.jobs.Stage;
import dev.muster.bench.jobs.Stream;
import dev.muster.bench.jobs.Submitter;
import dev.muster.bench.report.Latencies;
import dev.muster.bench.report.Report;
import dev.muster.bench.system.Flags;
import dev.muster.bench.system.MeasuredSystem;
import dev.muster.bench.system.Nodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long jobs take to their plans and to Running when many are submitted every second. */
@Command(
        name = "rate",
        description = "Submit to plan and to Running, many jobs a second on KWOK nodes.",
        mixinStandardHelpOptions = true)
final class RateCommand implements Callable<Integer> {
    /** What is late after this counts as lost: n is then less than what was submitted. */
    private static final Duration LAST = Duration.ofMinutes(3);

    @Mixin private Manner manner = new Manner();

    @Option(
            names = "--rate",
            paramLabel = "JOBS",
            defaultValue = "50",
            description = "Per second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "30",
            description = "That count, per repeat (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "At the same rate, that do not count (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--repeat", defaultValue = "3", description = "(default: ${DEFAULT-VALUE})")
    private int repeat;

    @Option(names = "--nodes", defaultValue = "100", description = "(default: ${DEFAULT-VALUE})")
    private int nodes;

    @Override
    public Integer call() throws Exception {
        var headings = new ArrayList<>(List.of("repeat", "submit to"));
        headings.addAll(Latencies.headings());
        var report = manner.report("rate", headings);
        var pretended = new Nodes.Pretended(nodes);
        report.how(Flags.DEPLOYMENT.said())
                .how(pretended.said())
                .how(
                        "%d times %d jobs/s for %d s, gangs of 1 that stay; before that %d s"
                                        .formatted(repeat, rate, seconds, warmUp)
                                + " at the same rate that do not count");
        MeasuredSystem.measure(
                Flags.DEPLOYMENT, pretended, manner.progress(), system -> measure(system, report));
        manner.write(report);
        return 0;
    }

    private void measure(MeasuredSystem system, Report report) {
        try (var submitter = Submitter.open(system.context(), Jobs.ENDLESS);
                var heard = Heard.open(system.context())) {
            var stream = new Stream(submitter, rate, manner.random());
            var before = stream.during("warm-up", Duration.ofSeconds(warmUp));
            var _ = heard.await(Stage.RUNNING, before.moments().keySet(), LAST);
            for (int i = 1; i <= repeat; i++) {
                var sent = stream.during("counted-" + i, Duration.ofSeconds(seconds));
                var _ = heard.await(Stage.RUNNING, sent.moments().keySet(), LAST);
                OneByOneCommand.rows(i, sent.moments(), heard, report);
                report.how(
                        "repeat %d: %d jobs submitted, the latest %s ms behind its moment"
                                .formatted(
                                        i, sent.moments().size(), Latencies.millis(sent.latest())));
            }
        }
    }
}
