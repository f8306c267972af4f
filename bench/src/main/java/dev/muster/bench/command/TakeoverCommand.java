package dev.muster.bench.command;

import dev.muster.bench.jobs.Heard;
import dev.muster.bench.jobs.Jobs;
import dev.muster.bench.jobs.LivingJobs;
import dev.muster.bench.jobs.Stage;
import dev.muster.bench.jobs.Stream;
import dev.muster.bench.jobs.Submitter;
import dev.muster.bench.report.Latencies;
import dev.muster.bench.report.Report;
import dev.muster.bench.system.Cpu;
import dev.muster.bench.system.Flags;
import dev.muster.bench.system.MeasuredSystem;
import dev.muster.bench.system.Nodes;
import dev.muster.bench.system.Pools;
import dev.muster.bench.system.Replicas;
import dev.muster.bench.system.Service;
import dev.muster.cli.CommandFailedException;
import dev.muster.schemas.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long nothing comes of what a service does after one of its processes was killed. */
@Command(
        name = "takeover",
        description =
                "kill -9 of each service to the next decision or effect, alone and with a standby.",
        mixinStandardHelpOptions = true)
final class TakeoverCommand implements Callable<Integer> {
    private static final String POOL = "default";
    private static final Duration LIMIT = Duration.ofMinutes(15);

    @Mixin private Manner manner = new Manner();

    @Option(
            names = "--service",
            split = ",",
            defaultValue = "COORDINATOR,ADMISSION,POD_MANAGER,WATCHER",
            description = "(default: all of them)")
    private List<Service> services = List.of();

    @Option(
            names = "--kills",
            defaultValue = "5",
            description = "Of each, with and without a standby (default: ${DEFAULT-VALUE}).")
    private int kills;

    @Option(
            names = "--rate",
            paramLabel = "JOBS",
            defaultValue = "10",
            description = "Submitted per second around a kill (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--waiting",
            paramLabel = "JOBS",
            defaultValue = "10000",
            description = "That wait from the beginning on (default: ${DEFAULT-VALUE}).")
    private int waiting;

    @Option(
            names = "--running",
            paramLabel = "JOBS",
            defaultValue = "0",
            description = {
                "That run from the beginning on, each with a pod: what a pod-manager and a watcher",
                "have to list anew (default: ${DEFAULT-VALUE})."
            })
    private int running;

    @Option(
            names = "--living",
            paramLabel = "JOBS",
            defaultValue = "0",
            description = {
                "That wait besides, and that only the coordinator knows: written to the inbox as",
                "admission would write them (default: ${DEFAULT-VALUE})."
            })
    private int living;

    @Option(
            names = "--coordinator-memory",
            paramLabel = "GIB",
            defaultValue = "0",
            description = "Its limit (default: that of the manifests).")
    private int memory;

    @Option(names = "--nodes", defaultValue = "100", description = "(default: ${DEFAULT-VALUE})")
    private int nodes;

    @Override
    public Integer call() throws Exception {
        var headings = new ArrayList<>(List.of("service", "processes", "until"));
        headings.addAll(Latencies.headings());
        headings.add("each, ms");
        var report = manner.report("takeover", headings);
        var pretended = new Nodes.Pretended(nodes);
        report.how(Flags.DEPLOYMENT.said())
                .how(pretended.said())
                .how(
                        "from the kill until all jobs that were submitted within the second after it"
                                + " are planned or running; %d jobs/s".formatted(rate)
                                + " come from at least 1 s before, gangs of 1")
                .how(
                        "%d jobs wait, and %d run; %d inbox partitions, of which one has jobs; the processes were"
                                        .formatted(waiting, running, Topics.INBOX.partitions())
                                + " at rest for 5 s before each kill")
                .how("alone: the killed one is started again at once, with its state folder");
        if (memory > 0) {
            report.how("the coordinator has %d GiB".formatted(memory));
            var flags = Flags.deploymentWith(Service.COORDINATOR, (long) memory << 30);
            MeasuredSystem.measure(
                    flags, pretended, manner.progress(), system -> measure(system, report));
        } else {
            MeasuredSystem.measure(
                    Flags.DEPLOYMENT,
                    pretended,
                    manner.progress(),
                    system -> measure(system, report));
        }
        manner.write(report);
        return 0;
    }

    private void measure(MeasuredSystem system, Report report) {
        int pool = Pools.numberOf(system.context(), POOL);
        if (living > 1) {
            bringIn(system, report);
        }
        try (var submitter = Submitter.open(system.context(), Jobs.ENDLESS);
                var heard = Heard.open(system.context())) {
            manner.progress()
                    .during(
                            "waiting jobs",
                            () -> fill(system, heard, Jobs.TOO_LARGE, waiting, Stage.QUEUED));
            manner.progress()
                    .during(
                            "running jobs",
                            () -> fill(system, heard, Jobs.ENDLESS, running, Stage.RUNNING));
            for (var service : services) {
                try (var replicas = new Replicas(system, service)) {
                    var random = manner.random();
                    var stream = new Stream(submitter, rate, random);
                    var kill = new Kill(stream, heard, replicas, effect(service), random, limit());
                    memory(replicas, "before", report);
                    row(service, "one", kills(kill, service + "-alone", pool), report);
                    memory(replicas, "after the kills of one", report);
                    replicas.add();
                    row(service, "two", kills(kill, service + "-standby", pool), report);
                    memory(replicas, "after the kills of two", report);
                }
            }
        }
    }

    /** Far above what making so many again takes. */
    private Duration limit() {
        return Duration.ofMinutes(5).plusMillis(living);
    }

    /** At rest: who was killed is there again, and a standby has read all. */
    private static void memory(Replicas replicas, String when, Report report) {
        replicas.awaitCalm();
        report.how("memory %s: %s".formatted(when, replicas.memory()));
    }

    private void bringIn(MeasuredSystem system, Report report) {
        long began = System.nanoTime();
        var before = Cpu.of(system.processes());
        LivingJobs.of(system.context(), POOL)
                .fill(living, there -> manner.progress().say("  %d jobs live".formatted(there)));
        var took = Duration.ofNanos(System.nanoTime() - began);
        report.how(
                        "%d more wait, of which the coordinator alone knows: it took them from its"
                                        .formatted(living)
                                + " inbox in %d s".formatted(took.toSeconds()))
                .how("processors meanwhile: " + Cpu.of(system.processes()).since(before));
    }

    private static boolean fill(
            MeasuredSystem system, Heard heard, String kind, int count, Stage stage) {
        var names = new LinkedHashMap<String, Long>();
        try (var submitter = Submitter.open(system.context(), kind)) {
            for (int i = 0; i < count; i++) {
                var name = stage.name().toLowerCase(Locale.ROOT) + "-" + i;
                names.put(name, submitter.submit(name));
            }
        }
        if (!heard.await(stage, names.keySet(), LIMIT)) {
            throw CommandFailedException.failed(
                    "not all are %s within %s".formatted(stage, LIMIT), null);
        }
        return true;
    }

    private static Stage effect(Service service) {
        return switch (service) {
            case COORDINATOR, ADMISSION -> Stage.PLANNED;
            case POD_MANAGER, WATCHER -> Stage.RUNNING;
        };
    }

    private List<Duration> kills(Kill kill, String prefix, int pool) {
        var gaps = new ArrayList<Duration>();
        for (int i = 1; i <= kills; i++) {
            gaps.add(kill.untilTheEffect(prefix + "-" + i, pool));
            manner.progress()
                    .say("  %s %d: %s ms".formatted(prefix, i, Latencies.millis(gaps.getLast())));
        }
        return gaps;
    }

    private static void row(Service service, String processes, List<Duration> gaps, Report report) {
        var until = effect(service) == Stage.PLANNED ? "planned" : "running";
        var cells = new ArrayList<>(List.of(service.title(), processes, until));
        cells.addAll(Latencies.of(gaps).cells());
        cells.add(String.join(" ", gaps.stream().map(gap -> "" + gap.toMillis()).toList()));
        report.row(cells);
    }
}
