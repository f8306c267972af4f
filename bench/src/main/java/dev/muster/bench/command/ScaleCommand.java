package dev.muster.bench.command;

import dev.muster.bench.jobs.Heard;
import dev.muster.bench.jobs.HostLists;
import dev.muster.bench.jobs.Jobs;
import dev.muster.bench.jobs.Stage;
import dev.muster.bench.jobs.Submitter;
import dev.muster.bench.report.Latencies;
import dev.muster.bench.report.Report;
import dev.muster.bench.system.Flags;
import dev.muster.bench.system.MeasuredSystem;
import dev.muster.bench.system.Nodes;
import dev.muster.cli.CommandFailedException;
import dev.muster.cli.http.Admission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** How soon a launcher's host list follows a command that changes its job's size. */
@Command(
        name = "scale",
        description = "A command of scale to the launcher's host list, on KWOK nodes.",
        mixinStandardHelpOptions = true)
final class ScaleCommand implements Callable<Integer> {
    private static final String JOB = "scaled";
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Mixin private Manner manner = new Manner();

    @Option(
            names = "--small",
            defaultValue = "2",
            description = "Workers at least (default: ${DEFAULT-VALUE}).")
    private int small;

    @Option(
            names = "--large",
            defaultValue = "100",
            description = "Workers at most (default: ${DEFAULT-VALUE}).")
    private int large;

    @Option(names = "--nodes", defaultValue = "100", description = "(default: ${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = "--repeat",
            defaultValue = "5",
            description =
                    "Out and in; one more comes first and does not count (default: ${DEFAULT-VALUE}).")
    private int repeat;

    @Override
    public Integer call() throws Exception {
        var headings = new ArrayList<>(List.of("from", "to"));
        headings.addAll(Latencies.headings());
        var report = manner.report("scale", headings);
        var pretended = new Nodes.Pretended(nodes);
        report.how(Flags.DEPLOYMENT.said())
                .how(pretended.said())
                .how(
                        "from just before the command is posted to admission until a watch of the"
                                + " config map has the list of that size");
        MeasuredSystem.measure(
                Flags.DEPLOYMENT, pretended, manner.progress(), system -> measure(system, report));
        manner.write(report);
        return 0;
    }

    private void measure(MeasuredSystem system, Report report) {
        var out = new ArrayList<Duration>();
        var in = new ArrayList<Duration>();
        try (var submitter = Submitter.open(system.context(), Jobs.launched(small, large));
                var heard = Heard.open(system.context());
                var lists = HostLists.open(system.context(), JOB)) {
            submitter.submit(JOB);
            if (!heard.await(Stage.RUNNING, List.of(JOB), LIMIT)) {
                throw CommandFailedException.failed("the job did not run within " + LIMIT, null);
            }
            lists.await(small, LIMIT);
            for (int i = 0; i <= repeat; i++) {
                var larger = scale(system, lists, large);
                var smaller = scale(system, lists, small);
                lists.awaitPods(JOB, small + 1, LIMIT);
                if (i > 0) {
                    out.add(larger);
                    in.add(smaller);
                }
            }
        }
        row(report, small, large, out);
        row(report, large, small, in);
    }

    private static Duration scale(MeasuredSystem system, HostLists lists, int size) {
        // The list does not wait for a drain, but the next command would.
        var wish =
                JsonMapper.shared()
                        .createObjectNode()
                        .put("role", "worker")
                        .put("replicas", size)
                        .put("drain", "0s");
        long begin = System.nanoTime();
        new Admission(system.context()).change(Submitter.NAMESPACE, JOB, "scale", wish);
        return Duration.ofNanos(lists.await(size, LIMIT) - begin);
    }

    private static void row(Report report, int from, int to, List<Duration> times) {
        var cells = new ArrayList<>(List.of(Integer.toString(from), Integer.toString(to)));
        cells.addAll(Latencies.of(times).cells());
        report.row(cells);
    }
}
