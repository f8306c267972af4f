package dev.muster.bench.command;

import dev.muster.bench.jobs.BarePods;
import dev.muster.bench.jobs.TooLargeGang;
import dev.muster.bench.report.Report;
import dev.muster.bench.system.Cpu;
import dev.muster.bench.system.Nodes;
import dev.muster.bench.system.PretendedCluster;
import dev.muster.sandbox.kubernetes.FeatureGates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How fast the cluster binds pods that nobody but a client and kube-scheduler has to do with.
 *
 * @param gangs how many
 * @param pods of each
 * @param warmUp gangs that come first and do not count
 */
record ClusterAlone(Manner manner, Nodes.Pretended nodes, int gangs, int pods, int warmUp) {

    /** Measures on a cluster of its own. */
    void measure(BarePods.Binding binding) throws IOException, InterruptedException {
        var headings = new ArrayList<>(List.of("without Muster"));
        headings.addAll(BindingRate.HEADINGS);
        var report = manner.report("gangs", headings);
        report.how(nodes.said())
                .how(shape(binding))
                .how("warm-up: %d pods, which run on and do not count".formatted(warmUp * pods));
        PretendedCluster.measure(
                nodes, gates(binding), manner.progress(), on -> measure(on, binding, report));
        manner.write(report);
    }

    private void measure(PretendedCluster cluster, BarePods.Binding binding, Report report)
            throws InterruptedException {
        if (binding == BarePods.Binding.GANGS) {
            report.how(new TooLargeGang(nodes.cpus() + 1, "node-0").isBoundNowhere(cluster));
        }
        var bare = new BarePods(cluster, binding);
        bare.bind("warm", warmUp, pods, GangsCommand.LIMIT);
        var processes = cluster.place().keeper().running();
        var before = Cpu.of(processes);
        var bound = bare.bind("pod", gangs, pods, GangsCommand.LIMIT);
        report.how("processors: " + Cpu.of(processes).since(before));
        var cells = new ArrayList<>(List.of(name(binding)));
        cells.addAll(BindingRate.of(bound).cells());
        report.row(cells);
    }

    private static FeatureGates gates(BarePods.Binding binding) {
        return switch (binding) {
            case ONE_BY_ONE -> FeatureGates.NONE;
            case GANGS -> FeatureGates.GANGS;
        };
    }

    private static String name(BarePods.Binding binding) {
        return switch (binding) {
            case ONE_BY_ONE -> "one by one";
            case GANGS -> "scheduler's gangs";
        };
    }

    private String shape(BarePods.Binding binding) {
        return switch (binding) {
            case ONE_BY_ONE -> "%d pods of 1 cpu, no gangs, posted at once".formatted(gangs * pods);
            case GANGS ->
                    "%d PodGroups of %d pods of 1 cpu, all posted at once; feature gates %s"
                            .formatted(
                                    gangs, pods, String.join(", ", FeatureGates.GANGS.features()));
        };
    }
}
