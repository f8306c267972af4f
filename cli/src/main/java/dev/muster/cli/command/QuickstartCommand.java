package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.quickstart.Torch;
import dev.muster.cli.quickstart.Tour;
import dev.muster.cli.system.MusterSystem;
import dev.muster.cli.system.NodeSize;
import dev.muster.cli.system.ServiceJars;
import dev.muster.cli.system.Wanted;
import dev.muster.cli.text.ProgressLines;
import dev.muster.sandbox.process.Watchdog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The tour on a system of its own, of which nothing is left afterwards. */
@Command(
        name = "quickstart",
        description = "Starts everything, runs the examples, shows what happens, ends everything.",
        mixinStandardHelpOptions = true)
final class QuickstartCommand implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        var progress = new ProgressLines(Terminal.out(spec), Terminal.isInteractive());
        var torch = new FutureTask<>(Torch::isThere);
        Thread.ofVirtual().start(torch);
        var folder = Files.createTempDirectory("muster-quickstart-");
        var over = new AtomicBoolean();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> interrupted(over, folder)));
        try {
            tour(folder, torch, progress);
            remove(folder);
        } finally {
            over.set(true);
        }
        return ExitCode.OK;
    }

    /** Nobody reads the logs of a tour that he broke off. The processes end with this JVM. */
    private static void interrupted(AtomicBoolean over, Path folder) {
        if (!over.get()) {
            Watchdog.get().removeAfterwards(folder);
        }
    }

    private static void tour(Path folder, FutureTask<Boolean> torch, ProgressLines progress)
            throws InterruptedException, ExecutionException {
        var examples = ServiceJars.home().resolve("examples");
        var queues = QueueFile.read(TextFile.read(examples.resolve("queues.yaml").toString()));
        long began = System.nanoTime();
        progress.say("Starting Kafka, a schema registry, Kubernetes, four services and a node …");
        var wanted =
                new Wanted(
                        Wanted.forThisJvm(folder),
                        ServiceJars.ofThisRepository(),
                        NodeSize.ofTheMachine(),
                        queues);
        var system = MusterSystem.up(wanted, progress);
        try {
            var started = system.sandbox().place().keeper().running().size();
            progress.say("%d processes run after %d s.".formatted(started, seconds(began)));
            progress.say("");
            if (!torch.get()) {
                progress.say(
                        "torch.yaml is skipped: 'python3 -c \"import torch\"' does not work here.");
            }
            var _ = new Tour(system, examples, torch.get(), progress::say).run();
        } finally {
            progress.say("");
            progress.during("ending all processes", () -> end(system));
        }
        progress.say(
                "Done in %d s; nothing is left running. To go on by hand: muster up"
                        .formatted(seconds(began)));
    }

    private static boolean end(MusterSystem system) {
        system.end();
        return true;
    }

    private static long seconds(long began) {
        return Duration.ofNanos(System.nanoTime() - began).toSeconds();
    }

    /** All went well, so nobody needs the logs. */
    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
