package dev.muster.bench.command;

import dev.muster.bench.jobs.Heard;
import dev.muster.bench.jobs.Jobs;
import dev.muster.bench.jobs.Stream;
import dev.muster.bench.jobs.Submitter;
import dev.muster.bench.report.Latencies;
import dev.muster.bench.report.Report;
import dev.muster.bench.system.Coordinators;
import dev.muster.bench.system.Flags;
import dev.muster.bench.system.MeasuredSystem;
import dev.muster.bench.system.Nodes;
import dev.muster.bench.system.Pools;
import dev.muster.schemas.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long no plan comes after the coordinator of the pool was killed. */
@Command(
        name = "takeover",
        description = "kill -9 of the coordinator to the next plan, alone and with a standby.",
        mixinStandardHelpOptions = true)
final class TakeoverCommand implements Callable<Integer> {
    private static final String POOL = "default";
    private static final String STANDBY = "coordinator-2";

    @Mixin private Manner manner = new Manner();

    @Option(
            names = "--kills",
            defaultValue = "10",
            description = "With and without a standby (default: ${DEFAULT-VALUE}).")
    private int kills;

    @Option(
            names = "--rate",
            paramLabel = "JOBS",
            defaultValue = "50",
            description = "Submitted per second around a kill (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--nodes", defaultValue = "100", description = "(default: ${DEFAULT-VALUE})")
    private int nodes;

    @Override
    public Integer call() throws Exception {
        var headings = new ArrayList<>(List.of("coordinators"));
        headings.addAll(Latencies.headings());
        headings.add("each, ms");
        var report = manner.report("takeover", headings);
        var pretended = new Nodes.Pretended(nodes);
        report.how(Flags.DEPLOYMENT.said())
                .how(pretended.said())
                .how(
                        "from the kill to the first plan of a job that was submitted after it; %d jobs/s"
                                        .formatted(rate)
                                + " come from at least 1 s before, gangs of 1")
                .how(
                        "%d inbox partitions, of which one has jobs; the group was at rest for 5 s before"
                                        .formatted(Topics.INBOX.partitions())
                                + " each kill")
                .how("alone: the killed one is started again at once, with its state folder");
        MeasuredSystem.measure(
                Flags.DEPLOYMENT, pretended, manner.progress(), system -> measure(system, report));
        manner.write(report);
        return 0;
    }

    private void measure(MeasuredSystem system, Report report) {
        try (var submitter = Submitter.open(system.context(), Jobs.ENDLESS);
                var heard = Heard.open(system.context());
                var coordinators = new Coordinators(system)) {
            var random = manner.random();
            var kill = new Kill(new Stream(submitter, rate, random), heard, coordinators, random);
            int pool = Pools.numberOf(system.context(), POOL);
            row("one", kills(kill, "alone", pool), report);
            coordinators.add(STANDBY);
            row("two", kills(kill, "standby", pool), report);
        }
    }

    private List<Duration> kills(Kill kill, String prefix, int pool) {
        var gaps = new ArrayList<Duration>();
        for (int i = 1; i <= kills; i++) {
            gaps.add(kill.untilTheNextPlan(prefix + "-" + i, pool));
            manner.progress()
                    .say("  %s %d: %s ms".formatted(prefix, i, Latencies.millis(gaps.getLast())));
        }
        return gaps;
    }

    private static void row(String coordinators, List<Duration> gaps, Report report) {
        var cells = new ArrayList<>(List.of(coordinators));
        cells.addAll(Latencies.of(gaps).cells());
        cells.add(String.join(" ", gaps.stream().map(gap -> "" + gap.toMillis()).toList()));
        report.row(cells);
    }
}
