package dev.muster.bench.command;

import dev.muster.bench.jobs.Heard;
import dev.muster.bench.jobs.Moments;
import dev.muster.bench.jobs.Stage;
import dev.muster.bench.jobs.Submitter;
import dev.muster.bench.report.Latencies;
import dev.muster.bench.report.Report;
import dev.muster.bench.shape.PlayedCluster;
import dev.muster.bench.shape.Shape;
import dev.muster.bench.shape.Size;
import dev.muster.bench.shape.Stages;
import dev.muster.bench.system.Cpu;
import dev.muster.bench.system.Deciders;
import dev.muster.bench.system.Flags;
import dev.muster.bench.system.KueueItself;
import dev.muster.bench.system.MeasuredSystem;
import dev.muster.bench.system.Nodes;
import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.kafka.Requests;
import dev.muster.sandbox.kubernetes.GoProgram;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.schemas.trainjob.SettingsForm.Setting;
import dev.muster.v1.PoolSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The shape of Kueue's published scheduling profile, on the same kind of machine. */
@Command(
        name = "kueue-shape",
        description =
                "15,000 jobs of three sizes in 5 groups of 6 queues, as Kueue's scheduling profile.",
        mixinStandardHelpOptions = true)
final class KueueShapeCommand implements Callable<Integer> {
    private static final int NODES = 6;
    private static final int PODS = 1000;
    private static final Duration LIMIT = Duration.ofMinutes(15);

    private static final Setting POOL = new PoolSetting("default", PoolSpec.newBuilder().build());

    /** Who runs the pods. */
    enum Pods {
        /** Nobody: the runner answers plans with the pods' news, as Kueue's does. */
        PLAYED,
        /** KWOK, behind the real API server, scheduler, pod-manager and watcher. */
        KWOK
    }

    @Mixin private Manner manner = new Manner();

    @Option(
            names = "--pods",
            defaultValue = "PLAYED",
            description = "PLAYED or KWOK (default: ${DEFAULT-VALUE}).")
    private Pods pods = Pods.PLAYED;

    @Option(
            names = "--kueue",
            description =
                    "Before it Kueue itself, by its own measurement of the whole shape: without"
                            + " pods, at a real API server.")
    private boolean kueue;

    @Option(
            names = "--percent",
            defaultValue = "100",
            description = "Of the jobs, at the same pace (default: ${DEFAULT-VALUE}).")
    private int percent;

    @Option(
            names = "--warm-up",
            defaultValue = "10",
            description =
                    "So many percent of the jobs are run first and do not count: compilers of the JVMs"
                            + " take most of a short run (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Override
    public Integer call() throws Exception {
        if (kueue) {
            tell(KueueItself.measure(manner.progress()));
        }
        var headings = new ArrayList<>(List.of("size", "mean wait ms"));
        headings.addAll(Latencies.headings());
        var report = manner.report("kueue-shape", headings);
        var shape = Shape.kueues(percent);
        report.how(Flags.DEPLOYMENT.said())
                .how("pods: " + pods.name().toLowerCase(Locale.ROOT))
                .how("warm-up: " + warmUp + " % of the jobs, which do not count")
                .how("a job waits from its submission to the publication of its first plan");
        switch (pods) {
            case PLAYED ->
                    Deciders.measure(
                            Flags.DEPLOYMENT,
                            manner.progress(),
                            deciders -> played(deciders, shape, report));
            case KWOK ->
                    MeasuredSystem.measure(
                            Flags.DEPLOYMENT,
                            new Nodes.Pretended(NODES, shape.cpus() / NODES, PODS, Stages.texts()),
                            manner.progress(),
                            system -> pretended(system, shape, report));
        }
        manner.write(report);
        return 0;
    }

    private void tell(KueueItself kueue) {
        var report = manner.report("kueue-shape", List.of("size", "mean wait ms"));
        report.how(
                        "Kueue itself ("
                                + GoProgram.KUEUE_RUNNER.version()
                                + "), by its own measurement")
                .how("pods: none; the measurement plays that jobs run")
                .how(
                        String.format(
                                Locale.ROOT,
                                "%d jobs in %.1f s: %.0f starts/s; Kueue took %.1f s of a processor,"
                                        + " without the API server",
                                kueue.jobs(),
                                kueue.wall().toMillis() / 1e3,
                                kueue.jobs() * 1e3 / kueue.wall().toMillis(),
                                kueue.cpu().toMillis() / 1e3));
        for (var size : Size.values()) {
            var wait = Objects.requireNonNull(kueue.waits().get(size.word()), size.word());
            report.row(List.of(size.word(), Latencies.millis(wait)));
        }
        manner.write(report);
    }

    private void played(Deciders deciders, Shape shape, Report report) {
        var context = deciders.context();
        set(context, Stream.concat(Stream.of(POOL), shape.settings().stream()));
        try (var cluster = PlayedCluster.open(context, NODES, shape.cpus() / NODES)) {
            measure(context, shape, deciders::processes, report);
            cluster.check();
        }
    }

    private void pretended(MeasuredSystem system, Shape shape, Report report) {
        set(system.context(), shape.settings().stream());
        measure(system.context(), shape, system::processes, report);
        double jobs = shape.arrivals().size() + Shape.kueues(warmUp).arrivals().size();
        report.how(
                String.format(
                        Locale.ROOT,
                        "writes of our services at the API server: %.1f per job",
                        system.audit().writesOfServices() / jobs));
    }

    private static void set(Context context, Stream<? extends Setting> settings) {
        try (var requests = Requests.open(context, "bench")) {
            new QueueFile(settings.<Setting>map(each -> each).toList()).apply(requests, _ -> {});
        }
    }

    private void measure(
            Context context, Shape shape, Supplier<List<PartProcess>> processes, Report report) {
        try (var submitter = Submitter.open(context, shape.texts());
                var heard = Heard.open(context)) {
            run(Shape.kueues(warmUp), "-warm-up", submitter, heard);
            var before = Cpu.of(processes.get());
            long begin = System.nanoTime();
            var sent = run(shape, "", submitter, heard);
            long end =
                    sent.keySet().stream()
                            .mapToLong(job -> heard.at(Stage.SUCCEEDED, job).orElseThrow())
                            .max()
                            .orElse(begin);
            tell(shape, sent, heard, Duration.ofNanos(end - begin), report);
            report.how("processors: " + Cpu.of(processes.get()).since(before));
        }
    }

    /** When each job was submitted, by its name. All have succeeded by then. */
    private static Map<String, Long> run(
            Shape shape, String suffix, Submitter submitter, Heard heard) {
        var sent = new LinkedHashMap<String, Long>();
        long begin = System.nanoTime();
        for (var arrival : shape.arrivals()) {
            Moments.await(begin + arrival.after().toNanos());
            var job = arrival.job() + suffix;
            sent.put(job, submitter.submit(job, arrival.kind()));
        }
        if (!heard.await(Stage.SUCCEEDED, sent.keySet(), LIMIT)) {
            throw CommandFailedException.failed("not all jobs succeeded within " + LIMIT, null);
        }
        return sent;
    }

    private static void tell(
            Shape shape, Map<String, Long> sent, Heard heard, Duration wall, Report report) {
        double seconds = wall.toMillis() / 1e3;
        report.how(
                String.format(
                        Locale.ROOT,
                        "%d jobs in %.1f s: %.0f starts/s, %.0f %% of the guaranteed cpus used",
                        sent.size(),
                        seconds,
                        sent.size() / seconds,
                        100 * shape.cpuSeconds() / (shape.cpus() * seconds)));
        for (var size : Size.values()) {
            var ofSize = new LinkedHashMap<>(sent);
            ofSize.keySet().removeIf(job -> Size.of(job) != size);
            var waits = heard.since(ofSize, Stage.PLANNED);
            var cells = new ArrayList<>(List.of(size.word(), Latencies.millis(waits.mean())));
            cells.addAll(waits.cells());
            report.row(cells);
        }
    }
}
