package dev.muster.bench.command;

import dev.muster.bench.report.Latencies;
import dev.muster.bench.system.StepTimes;
import dev.muster.cli.CommandFailedException;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.quickstart.Torch;
import dev.muster.cli.quickstart.Tour;
import dev.muster.cli.system.MusterSystem;
import dev.muster.cli.system.NodeSize;
import dev.muster.cli.system.ServiceJars;
import dev.muster.cli.system.Wanted;
import dev.muster.sandbox.process.MadeOnce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long a newcomer waits for what, once everything is built. */
@Command(
        name = "quickstart",
        description = "The steps of muster quickstart, everything being built.",
        mixinStandardHelpOptions = true)
final class QuickstartCommand implements Callable<Integer> {
    /** Two spaces, a time of the tour's own, a job, what became of it. */
    private static final Pattern NEWS = Pattern.compile(" *[0-9.]+ s   (\\S+) +(\\S+).*");

    @Mixin private Manner manner = new Manner();

    @Option(names = "--repeat", defaultValue = "3", description = "(default: ${DEFAULT-VALUE})")
    private int repeat;

    private final Map<String, List<Duration>> steps = new LinkedHashMap<>();

    @Override
    public Integer call() throws Exception {
        var report =
                manner.report(
                        "quickstart", List.of("step", "n", "shortest s", "p50 s", "longest s"));
        report.how("services with the flags of a quick start, one local node")
                .how(
                        "%d times from the shell and %d times step by step in one JVM, after one time"
                                        .formatted(repeat, repeat)
                                + " that does not count")
                .how("the steps up to 'up' run side by side where they can");
        steps(new StepTimes());
        for (int i = 0; i < repeat; i++) {
            take(shell());
        }
        for (int i = 0; i < repeat; i++) {
            var times = new StepTimes();
            steps(times);
            take(times);
        }
        steps.forEach((step, times) -> report.row(row(step, Latencies.of(times))));
        manner.write(report);
        return 0;
    }

    private static List<String> row(String step, Latencies times) {
        return List.of(
                step,
                "" + times.sorted().size(),
                seconds(times.percentile(0)),
                seconds(times.percentile(50)),
                seconds(times.percentile(100)));
    }

    private static String seconds(Duration time) {
        return "%d.%02d".formatted(time.toSeconds(), time.toMillisPart() / 10);
    }

    private void take(StepTimes times) {
        times.all()
                .forEach((step, time) ->
                        steps.computeIfAbsent(step, _ -> new ArrayList<>()).add(time));
    }

    private static StepTimes shell() throws IOException, InterruptedException {
        var log = Files.createTempFile("muster-quickstart", ".log");
        var times = new StepTimes();
        long began = System.nanoTime();
        var process =
                new ProcessBuilder(ServiceJars.home().resolve("muster").toString(), "quickstart")
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        if (process.waitFor() != 0) {
            throw CommandFailedException.failed("muster quickstart failed; see " + log, null);
        }
        times.took("muster quickstart, from the shell", since(began));
        Files.delete(log);
        return times;
    }

    /** What the command does, step by step. */
    private static void steps(StepTimes times) throws IOException {
        var folder = Files.createTempDirectory("muster-bench-");
        var examples = ServiceJars.home().resolve("examples");
        var queues = QueueFile.read(Files.readString(examples.resolve("queues.yaml")));
        var wanted =
                new Wanted(
                        Wanted.forThisJvm(folder),
                        ServiceJars.ofThisRepository(),
                        NodeSize.ofTheMachine(),
                        queues);
        long began = System.nanoTime();
        var system = MusterSystem.up(wanted, times);
        times.took("up, all of it", since(began));
        try {
            tour(system, examples, times);
        } finally {
            times.during(
                    "end, all of it",
                    () -> {
                        system.end();
                        return true;
                    });
        }
        MadeOnce.remove(folder);
    }

    private static void tour(MusterSystem system, Path examples, StepTimes times) {
        boolean withTorch = Torch.isThere();
        long began = System.nanoTime();
        var _ =
                new Tour(
                                system,
                                examples,
                                withTorch,
                                line -> {
                                    var news = NEWS.matcher(line);
                                    if (news.matches()) {
                                        var step = "tour: " + news.group(1) + " " + news.group(2);
                                        times.tookFirst(step, since(began));
                                    }
                                })
                        .run();
        times.took("tour, all of it", since(began));
    }

    private static Duration since(long began) {
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
