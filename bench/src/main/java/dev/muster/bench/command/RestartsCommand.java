package dev.muster.bench.command;

import dev.muster.bench.jobs.JobPods;
import dev.muster.bench.jobs.Jobs;
import dev.muster.bench.jobs.Submitter;
import dev.muster.bench.report.Latencies;
import dev.muster.bench.report.Report;
import dev.muster.bench.system.Flags;
import dev.muster.bench.system.MeasuredSystem;
import dev.muster.bench.system.Nodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How soon a failed pod, and a whole gang, is replaced. */
@Command(
        name = "restarts",
        description = "A pod's failure to its replacement, and to a whole gang that runs again.",
        mixinStandardHelpOptions = true)
final class RestartsCommand implements Callable<Integer> {
    private static final String JOB = "restarted";
    private static final Duration LIMIT = Duration.ofMinutes(3);

    @Mixin private Manner manner = new Manner();

    @Option(
            names = "--pods",
            defaultValue = "100",
            description = "Of the gang (default: ${DEFAULT-VALUE}).")
    private int pods;

    @Option(
            names = "--pod-failures",
            defaultValue = "200",
            description = "One after the other (default: ${DEFAULT-VALUE}).")
    private int podFailures;

    @Option(
            names = "--gang-failures",
            defaultValue = "10",
            description = "One after the other (default: ${DEFAULT-VALUE}).")
    private int gangFailures;

    @Option(names = "--nodes", defaultValue = "100", description = "(default: ${DEFAULT-VALUE})")
    private int nodes;

    @Override
    public Integer call() throws Exception {
        var headings = new ArrayList<>(List.of("from a pod's failure until"));
        headings.addAll(Latencies.headings());
        var report = manner.report("restarts", headings);
        var pretended = new Nodes.Pretended(nodes);
        report.how(Flags.DEPLOYMENT.said())
                .how(pretended.said())
                .how(
                        "a job of %d pods; from just before a pod's status says Failed until a watch"
                                        .formatted(pods)
                                + " has what was made for it")
                .how(
                        "neither settle nor delay, which a job has for 10 s each if it says nothing;"
                                + " a tenth as many failures come first and do not count");
        MeasuredSystem.measure(
                Flags.DEPLOYMENT, pretended, manner.progress(), system -> measure(system, report));
        manner.write(report);
        return 0;
    }

    private void measure(MeasuredSystem system, Report report) {
        var created = new ArrayList<Duration>();
        var running = new ArrayList<Duration>();
        var gang = new ArrayList<Duration>();
        var random = manner.random();
        try (var submitter = Submitter.open(system.context(), Jobs.restarted(pods));
                var seen = JobPods.open(system.context(), JOB)) {
            submitter.submit(JOB);
            seen.awaitRunning(pods, Set.of(), LIMIT);
            for (int i = -podFailures / 10; i < podFailures; i++) {
                var before = seen.uids();
                long failed = seen.fail(random, Jobs.RESTARTS_POD).moment();
                var made = Duration.ofNanos(seen.awaitCreated(1, before, LIMIT) - failed);
                var runs = Duration.ofNanos(seen.awaitRunning(1, before, LIMIT) - failed);
                if (i >= 0) {
                    created.add(made);
                    running.add(runs);
                }
            }
            for (int i = -Math.ceilDiv(gangFailures, 10); i < gangFailures; i++) {
                var took = gang(seen, random);
                if (i >= 0) {
                    gang.add(took);
                }
            }
        }
        row(report, "its replacement is created", created);
        row(report, "its replacement runs", running);
        row(report, "all %d of the gang run again".formatted(pods), gang);
    }

    private Duration gang(JobPods seen, RandomGenerator random) {
        var before = seen.uids();
        long failed = seen.fail(random, Jobs.RESTARTS_GANG).moment();
        return Duration.ofNanos(seen.awaitRunning(pods, before, LIMIT) - failed);
    }

    private static void row(Report report, String until, List<Duration> times) {
        var cells = new ArrayList<>(List.of(until));
        cells.addAll(Latencies.of(times).cells());
        report.row(cells);
    }
}
