package dev.muster.bench.command;

import dev.muster.bench.decider.DeciderBenchmark;
import dev.muster.bench.decider.Heap;
import dev.muster.bench.decider.Variant;
import dev.muster.bench.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How fast the decider alone is, and what it holds, when many jobs wait. */
@Command(
        name = "decider",
        description =
                "The decider alone with many waiting jobs: starts, submissions, heap, restore.",
        mixinStandardHelpOptions = true)
final class DeciderCommand implements Callable<Integer> {
    private static final int TEN = 10;
    private static final int QUICK_WARM_UP = 20;
    private static final int QUICK = 10;
    private static final double MICROS_PER_SECOND = 1e6;

    @Mixin private Manner manner = new Manner();

    @Option(names = "--jobs", defaultValue = "1000000", description = "(${DEFAULT-VALUE})")
    private int jobs;

    @Option(names = "--queues", defaultValue = "1000", description = "(${DEFAULT-VALUE})")
    private int queues;

    @Option(
            names = "--nodes",
            defaultValue = "1000",
            description = "At least 800, which the shots use up (${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--shapes",
            defaultValue = "1",
            description =
                    "How many sizes of pods the jobs have, one of ten of gangs (${DEFAULT-VALUE}).")
    private int shapes;

    @Option(
            names = "--growth",
            description =
                    "Also with ten times the jobs, the queues, the nodes, the shapes, one after the other.")
    private boolean growth;

    @Option(names = "--aging", description = "A pool in which waiting adds to priorities.")
    private boolean aging;

    @Option(names = "--guarantees", description = "A pool that guarantees each queue a share.")
    private boolean guarantees;

    @Option(names = "--holder", description = "A pool in which a gang holds room and waits.")
    private boolean holder;

    @Option(names = "--quotas", description = "A pool in which each namespace has a quota.")
    private boolean quotas;

    @Option(
            names = "--only",
            paramLabel = "BENCHMARK",
            description = "For example submit; without it all of them, and the heap.")
    private @Nullable String only;

    @Option(
            names = "--quick",
            description = "Few shots, for a look while a rule is written; the report is not kept.")
    private boolean quick;

    /** What one row of the table is of. */
    private record Scale(Variant variant, int jobs, int queues, int nodes, int shapes) {}

    @Override
    public Integer call() throws RunnerException, IOException {
        var report =
                manner.report(
                        "decider",
                        List.of(
                                "pool", "jobs", "queues", "nodes", "shapes", "what", "mean", "+-",
                                "unit", "per s"));
        report.how(
                        "a pool whose nodes are in use and whose jobs wait, then room for 200 pods a shot")
                .how(
                        quick
                                ? "JMH single shots in one fork, G1: 10 after 20 that do not count"
                                : "JMH single shots in one fork, G1, after 300 that do not count (roomForNobody: 50, submit: 10, cancel: 5, restore: 3)")
                .how(
                        "+- is JMH's 99.9 % interval; a start is of a job, with all that follows from it");
        for (var scale : scales()) {
            measure(scale, report);
        }
        if (quick) {
            manner.print(report);
        } else {
            manner.write(report);
        }
        return 0;
    }

    private List<Scale> scales() {
        var all = new ArrayList<Scale>();
        for (var variant : variants()) {
            all.add(new Scale(variant, jobs, queues, nodes, shapes));
            if (growth) {
                all.add(new Scale(variant, jobs * TEN, queues, nodes, shapes));
                all.add(new Scale(variant, jobs, queues * TEN, nodes, shapes));
                all.add(new Scale(variant, jobs, queues, nodes * TEN, shapes));
                all.add(new Scale(variant, jobs, queues, nodes, shapes * TEN));
            }
        }
        return all;
    }

    /** Those that were asked for; else the plain one. */
    private List<Variant> variants() {
        var asked = EnumSet.noneOf(Variant.class);
        if (aging) {
            asked.add(Variant.AGING);
        }
        if (guarantees) {
            asked.add(Variant.GUARANTEES);
        }
        if (holder) {
            asked.add(Variant.HOLDER);
        }
        if (quotas) {
            asked.add(Variant.QUOTAS);
        }
        return List.copyOf(asked.isEmpty() ? EnumSet.of(Variant.PLAIN) : asked);
    }

    private void measure(Scale scale, Report report) throws RunnerException, IOException {
        var log = Files.createTempFile("muster-bench-jmh", ".log");
        manner.progress().say("  %s: JMH writes to %s".formatted(scale, log));
        var all =
                new OptionsBuilder()
                        .include(
                                DeciderBenchmark.class.getName()
                                        + "."
                                        + (only == null ? "" : only + "$"))
                        .param("variant", scale.variant().name())
                        .param("jobs", "" + scale.jobs())
                        .param("queues", "" + scale.queues())
                        .param("nodes", "" + scale.nodes())
                        .param("shapes", "" + scale.shapes())
                        .jvmArgs("-XX:+UseG1GC", "-XX:MaxRAMPercentage=60")
                        .timeout(TimeValue.hours(1))
                        .shouldFailOnError(true)
                        .output(log.toString());
        var options =
                quick ? all.warmupIterations(QUICK_WARM_UP).measurementIterations(QUICK) : all;
        for (var result : new Runner(options.build()).run()) {
            row(scale, result, report);
        }
        if (only == null && scale.variant() == Variant.PLAIN && scale.shapes() == 1) {
            long bytes = Heap.perJob(scale.jobs(), scale.queues(), scale.nodes());
            row(scale, List.of("heap per waiting job", "" + bytes, "", "bytes", ""), report);
        }
        Files.delete(log);
    }

    private static void row(Scale scale, RunResult result, Report report) {
        var primary = result.getPrimaryResult();
        double micros = primary.getScore();
        row(
                scale,
                List.of(
                        primary.getLabel(),
                        digits(micros),
                        digits(primary.getScoreError()),
                        "us",
                        digits(MICROS_PER_SECOND / micros)),
                report);
    }

    private static void row(Scale scale, List<String> figures, Report report) {
        var cells =
                new ArrayList<>(
                        List.of(
                                scale.variant().name().toLowerCase(Locale.ROOT),
                                "" + scale.jobs(),
                                "" + scale.queues(),
                                "" + scale.nodes(),
                                "" + scale.shapes()));
        cells.addAll(figures);
        report.row(cells);
    }

    private static String digits(double figure) {
        return Double.isNaN(figure) ? "-" : String.format(Locale.ROOT, "%.1f", figure);
    }
}
