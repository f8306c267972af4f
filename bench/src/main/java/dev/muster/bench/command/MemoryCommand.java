package dev.muster.bench.command;

import dev.muster.bench.jobs.Heard;
import dev.muster.bench.jobs.Jobs;
import dev.muster.bench.jobs.OneByOne;
import dev.muster.bench.jobs.Stage;
import dev.muster.bench.jobs.Stream;
import dev.muster.bench.jobs.Submitter;
import dev.muster.bench.report.Report;
import dev.muster.bench.system.Flags;
import dev.muster.bench.system.MeasuredSystem;
import dev.muster.bench.system.Memory;
import dev.muster.bench.system.Nodes;
import dev.muster.cli.CommandFailedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every process has of the machine's memory, before any job and after many. */
@Command(
        name = "memory",
        description = "Memory of each process, idle and after jobs.",
        mixinStandardHelpOptions = true)
final class MemoryCommand implements Callable<Integer> {
    private static final int NODES = 100;
    private static final int RATE = 50;
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration LAST = Duration.ofMinutes(3);

    @Mixin private Manner manner = new Manner();

    @Option(
            names = "--flags",
            defaultValue = "DEPLOYMENT",
            description =
                    "DEPLOYMENT (on KWOK nodes, jobs at 50/s) or QUICK_START (on the local node, one"
                            + " job at a time); default: ${DEFAULT-VALUE}.")
    private Flags flags = Flags.DEPLOYMENT;

    @Option(
            names = "--jobs",
            defaultValue = "0",
            description = "default: 1500 with DEPLOYMENT, 50 with QUICK_START")
    private int jobs;

    @Override
    public Integer call() throws Exception {
        var nodes = nodes();
        var report =
                manner.report(
                        "memory",
                        List.of("process", "idle MiB", "then MiB", "then resident", "peak"));
        report.how(flags.said())
                .how(nodes.said())
                .how(
                        "idle is %d s after the start, then is after %d jobs; shared pages by share,"
                                        .formatted(IDLE.toSeconds(), jobs())
                                + " in resident and peak as a whole");
        MeasuredSystem.measure(flags, nodes, manner.progress(), system -> measure(system, report));
        manner.write(report);
        return 0;
    }

    private Nodes nodes() {
        return switch (flags) {
            case QUICK_START -> new Nodes.Local();
            case DEPLOYMENT -> new Nodes.Pretended(NODES);
        };
    }

    private int jobs() {
        return jobs > 0
                ? jobs
                : switch (flags) {
                    case QUICK_START -> 50;
                    case DEPLOYMENT -> 1500;
                };
    }

    private void measure(MeasuredSystem system, Report report) {
        LockSupport.parkNanos(IDLE.toNanos());
        var idle = all(system);
        work(system);
        var then = all(system);
        then.forEach((part, memory) ->
                report.row(
                        List.of(
                                part,
                                idle.containsKey(part) ? "" + idle.get(part).own() : "-",
                                "" + memory.own(),
                                "" + memory.resident(),
                                "" + memory.peak())));
        report.row(List.of("all", "" + sum(idle), "" + sum(then), "", ""));
    }

    private void work(MeasuredSystem system) {
        var job =
                switch (flags) {
                    case QUICK_START -> Jobs.SHORT;
                    case DEPLOYMENT -> Jobs.ENDLESS;
                };
        try (var submitter = Submitter.open(system.context(), job);
                var heard = Heard.open(system.context())) {
            switch (flags) {
                case QUICK_START -> {
                    var _ = new OneByOne(submitter, heard, manner.random()).run("m", jobs());
                }
                case DEPLOYMENT -> {
                    var sent =
                            new Stream(submitter, RATE, manner.random())
                                    .during("m", Duration.ofSeconds(Math.ceilDiv(jobs(), RATE)));
                    if (!heard.await(Stage.RUNNING, sent.moments().keySet(), LAST)) {
                        throw CommandFailedException.failed("not all jobs run", null);
                    }
                }
            }
        }
    }

    private static Map<String, Memory> all(MeasuredSystem system) {
        var all = new LinkedHashMap<String, Memory>();
        system.processes().forEach(process -> all.put(process.part(), Memory.of(process)));
        return all;
    }

    private static long sum(Map<String, Memory> all) {
        return all.values().stream().mapToLong(Memory::own).sum();
    }
}
