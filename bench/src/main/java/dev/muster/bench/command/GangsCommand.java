package dev.muster.bench.command;

import dev.muster.bench.jobs.BarePods;
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
import dev.muster.cli.CommandFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    static final Duration LIMIT = Duration.ofMinutes(15);

    @Mixin private Manner manner = new Manner();

    @Option(names = "--gangs", defaultValue = "500", description = "(default: ${DEFAULT-VALUE})")
    private int gangs;

    @Option(
            names = "--pods",
            defaultValue = "20",
            description = "Of each gang, 1 cpu each (default: ${DEFAULT-VALUE}).")
    private int pods;

    @Option(
            names = "--warm-up",
            defaultValue = "250",
            description = "Gangs that come first and do not count (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = "--bare",
            description =
                    "As many pods, posted by a client of their own and bound by kube-scheduler one"
                            + " by one: what the cluster takes without Muster.")
    private boolean bare;

    @Option(
            names = "--native",
            description =
                    "The same gangs without Muster, bound by kube-scheduler's own gang scheduling"
                            + " (alpha in Kubernetes 1.36).")
    private boolean byScheduler;

    @Option(
            names = "--muster",
            description = "With Muster: what is measured if neither of the other two is said.")
    private boolean byMuster;

    @Option(names = "--nodes", defaultValue = "1000", description = "(default: ${DEFAULT-VALUE})")
    private int nodes;

    @Override
    public Integer call() throws Exception {
        var pretended = new Nodes.Pretended(nodes, CPUS);
        var alone = new ClusterAlone(manner, pretended, gangs, pods, warmUp);
        if (bare) {
            alone.measure(BarePods.Binding.ONE_BY_ONE);
        }
        if (byScheduler) {
            alone.measure(BarePods.Binding.GANGS);
        }
        if (byMuster || !(bare || byScheduler)) {
            muster(pretended);
        }
        return 0;
    }

    private void muster(Nodes.Pretended pretended) throws IOException, InterruptedException {
        var headings = new ArrayList<>(List.of("submit to"));
        headings.addAll(Latencies.headings());
        var report = manner.report("gangs", headings);
        report.how(Flags.DEPLOYMENT.said())
                .how(pretended.said())
                .how("%d gangs of %d pods of 1 cpu, all submitted at once".formatted(gangs, pods))
                .how("warm-up: %d gangs, which run on and do not count".formatted(warmUp));
        MeasuredSystem.measure(
                Flags.DEPLOYMENT, pretended, manner.progress(), system -> measure(system, report));
        manner.write(report);
    }

    private void measure(MeasuredSystem system, Report report) {
        int warm;
        try (var submitter = Submitter.open(system.context(), Jobs.gang(pods));
                var heard = Heard.open(system.context())) {
            run("warm", warmUp, submitter, heard);
            warm = system.audit().bindings().size();
            var before = Cpu.of(system.processes());
            var sent = run("gang", gangs, submitter, heard);
            for (var stage : List.of(Stage.PLANNED, Stage.RUNNING)) {
                var cells = new ArrayList<>(List.of(stage.name().toLowerCase(Locale.ROOT)));
                cells.addAll(heard.since(sent, stage).cells());
                report.row(cells);
            }
            report.how("processors: " + Cpu.of(system.processes()).since(before));
        }
        var all = system.audit().bindings();
        report.how(BindingRate.of(all.subList(warm, all.size())).said())
                .how(
                        String.format(
                                Locale.ROOT,
                                "%.1f writes of our services per pod",
                                system.audit().writesOfServices() / (double) all.size()));
    }

    /** All at once, until they run. */
    private static Map<String, Long> run(
            String prefix, int count, Submitter submitter, Heard heard) {
        var sent = new LinkedHashMap<String, Long>();
        for (int i = 0; i < count; i++) {
            var name = prefix + "-" + i;
            sent.put(name, submitter.submit(name));
        }
        if (!heard.await(Stage.RUNNING, sent.keySet(), LIMIT)) {
            throw CommandFailedException.failed("not all gangs ran within " + LIMIT, null);
        }
        return sent;
    }
}
