package dev.muster.bench.command;

import dev.muster.bench.jobs.Heard;
import dev.muster.bench.jobs.Jobs;
import dev.muster.bench.jobs.OneByOne;
import dev.muster.bench.jobs.Stage;
import dev.muster.bench.jobs.Submitter;
import dev.muster.bench.report.Latencies;
import dev.muster.bench.report.Report;
import dev.muster.bench.system.Flags;
import dev.muster.bench.system.MeasuredSystem;
import dev.muster.bench.system.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long a job takes to its plan and to Running where nothing else is to be done. */
@Command(
        name = "one-by-one",
        description = "Submit to plan and to Running, one job at a time on the local node.",
        mixinStandardHelpOptions = true)
final class OneByOneCommand implements Callable<Integer> {
    @Mixin private Manner manner = new Manner();

    @Option(
            names = "--jobs",
            defaultValue = "200",
            description = "Per repeat (default: ${DEFAULT-VALUE}).")
    private int jobs;

    @Option(
            names = "--warm-up",
            paramLabel = "JOBS",
            defaultValue = "100",
            description = "Jobs that do not count (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--repeat", defaultValue = "3", description = "(default: ${DEFAULT-VALUE})")
    private int repeat;

    @Override
    public Integer call() throws Exception {
        var headings = new ArrayList<>(List.of("repeat", "submit to"));
        headings.addAll(Latencies.headings());
        var report = manner.report("one-by-one", headings);
        report.how(Flags.DEPLOYMENT.said())
                .how(new Nodes.Local().said())
                .how(
                        "%d times %d jobs, each a gang of 1, the next one 0 to 100 ms after the last"
                                        .formatted(repeat, jobs)
                                + " has succeeded; before that %d jobs that do not count"
                                        .formatted(warmUp));
        MeasuredSystem.measure(
                Flags.DEPLOYMENT,
                new Nodes.Local(),
                manner.progress(),
                system -> measure(system, report));
        manner.write(report);
        return 0;
    }

    private void measure(MeasuredSystem system, Report report) {
        try (var submitter = Submitter.open(system.context(), Jobs.SHORT);
                var heard = Heard.open(system.context())) {
            var oneByOne = new OneByOne(submitter, heard, manner.random());
            var _ = oneByOne.run("warm-up", warmUp);
            for (int i = 1; i <= repeat; i++) {
                rows(i, oneByOne.run("counted-" + i, jobs), heard, report);
            }
        }
    }

    /** One row for the plan, one for Running. */
    static void rows(int repeat, Map<String, Long> submitted, Heard heard, Report report) {
        for (var stage : List.of(Stage.PLANNED, Stage.RUNNING)) {
            var cells = new ArrayList<>(List.of(Integer.toString(repeat), called(stage)));
            cells.addAll(heard.since(submitted, stage).cells());
            report.row(cells);
        }
    }

    private static String called(Stage stage) {
        return switch (stage) {
            case QUEUED -> "Queued";
            case PLANNED -> "plan published";
            case RUNNING -> "Running";
            case SUCCEEDED -> "Succeeded";
        };
    }
}
