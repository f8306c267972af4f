package dev.muster.bench.command;

import dev.muster.bench.jobs.Heard;
import dev.muster.bench.jobs.Jobs;
import dev.muster.bench.jobs.Stage;
import dev.muster.bench.jobs.Submitter;
import dev.muster.bench.report.Latencies;
import dev.muster.bench.report.Report;
import dev.muster.bench.system.Cpu;
import dev.muster.bench.system.Flags;
import dev.muster.bench.system.MeasuredSystem;
import dev.muster.bench.system.Nodes;
import dev.muster.cli.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How fast whole gangs come to their nodes through the whole chain. */
@Command(
        name = "gangs",
        description = "Gangs that are all submitted at once, to bound pods on KWOK nodes.",
        mixinStandardHelpOptions = true)
final class GangsCommand implements Callable<Integer> {
    private static final int CPUS = 16;
    private static final Duration LIMIT = Duration.ofMinutes(15);

    @Mixin private Manner manner = new Manner();

    @Option(names = "--gangs", defaultValue = "500", description = "(default: ${DEFAULT-VALUE})")
    private int gangs;

    @Option(
            names = "--pods",
            defaultValue = "20",
            description = "Of each gang, 1 cpu each (default: ${DEFAULT-VALUE}).")
    private int pods;

    @Option(names = "--nodes", defaultValue = "1000", description = "(default: ${DEFAULT-VALUE})")
    private int nodes;

    @Override
    public Integer call() throws Exception {
        var headings = new ArrayList<>(List.of("submit to"));
        headings.addAll(Latencies.headings());
        var report = manner.report("gangs", headings);
        var pretended = new Nodes.Pretended(nodes, CPUS);
        report.how(Flags.DEPLOYMENT.said())
                .how(pretended.said())
                .how("%d gangs of %d pods of 1 cpu, all submitted at once".formatted(gangs, pods));
        MeasuredSystem.measure(
                Flags.DEPLOYMENT, pretended, manner.progress(), system -> measure(system, report));
        manner.write(report);
        return 0;
    }

    private void measure(MeasuredSystem system, Report report) {
        try (var submitter = Submitter.open(system.context(), Jobs.gang(pods));
                var heard = Heard.open(system.context())) {
            var before = Cpu.of(system.processes());
            var sent = new LinkedHashMap<String, Long>();
            for (int i = 0; i < gangs; i++) {
                var name = "gang-" + i;
                sent.put(name, submitter.submit(name));
            }
            if (!heard.await(Stage.RUNNING, sent.keySet(), LIMIT)) {
                throw Trouble.failed("not all gangs ran within " + LIMIT, null);
            }
            for (var stage : List.of(Stage.PLANNED, Stage.RUNNING)) {
                var cells = new ArrayList<>(List.of(stage.name().toLowerCase(Locale.ROOT)));
                cells.addAll(heard.since(sent, stage).cells());
                report.row(cells);
            }
            report.how("processors: " + Cpu.of(system.processes()).since(before));
        }
        var bound = system.audit().bindings();
        var took = Duration.between(bound.getFirst(), bound.getLast());
        report.how(
                String.format(
                        Locale.ROOT,
                        "%d pods bound in %.1f s: %.0f pods/s; %.1f writes of our services per pod",
                        bound.size(),
                        took.toMillis() / 1e3,
                        bound.size() / (took.toMillis() / 1e3),
                        system.audit().writesOfServices() / (double) bound.size()));
    }
}
