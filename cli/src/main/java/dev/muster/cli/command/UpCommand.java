package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.system.MusterSystem;
import dev.muster.cli.system.NodeSize;
import dev.muster.cli.system.ServiceJars;
import dev.muster.cli.system.Wanted;
import dev.muster.cli.text.ProgressLines;
import dev.muster.sandbox.SandboxConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts the whole system on this machine, for work by hand. */
@Command(
        name = "up",
        description = "Starts the sandbox: Kafka, registry, Kubernetes, the services and a node.",
        mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
    @Mixin private SandboxOption sandbox = new SandboxOption();

    @Option(
            names = "--cpus",
            paramLabel = "N",
            description = "CPUs that the local node says it has (default: the machine's).")
    private @Nullable Integer cpus;

    @Option(
            names = "--memory",
            paramLabel = "QUANTITY",
            description = "Memory that the local node says it has (default: the machine's).")
    private @Nullable String memory;

    @Option(
            names = "--queues",
            paramLabel = "FILE",
            description =
                    "Queues and pools to apply whenever a service is started (default:"
                            + " examples/queues.yaml).")
    private @Nullable String queues;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Uses this existing cluster; starts no Kubernetes and no node.")
    private @Nullable Path kubeconfig;

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        long began = System.nanoTime();
        var progress = new ProgressLines(Terminal.err(spec), Terminal.isInteractive());
        var settings =
                queues == null
                        ? ServiceJars.home().resolve("examples").resolve("queues.yaml").toString()
                        : queues;
        var wanted =
                new Wanted(
                        config(),
                        ServiceJars.ofThisRepository(),
                        size(),
                        QueueFile.read(TextFile.read(settings)));
        var system = MusterSystem.up(wanted, progress);
        system.context().write(context.file());
        show(system, Duration.ofNanos(System.nanoTime() - began));
        return ExitCode.OK;
    }

    private SandboxConfig config() {
        return kubeconfig == null ? sandbox.config() : sandbox.config().onCluster(kubeconfig);
    }

    private NodeSize size() {
        var machine = NodeSize.ofTheMachine();
        return new NodeSize(
                cpus == null ? machine.cpus() : cpus, memory == null ? machine.memory() : memory);
    }

    private void show(MusterSystem system, Duration took) {
        var out = Terminal.out(spec);
        var at = system.context();
        out.println("Muster is up (" + took.toSeconds() + " s).");
        out.println();
        out.println("  admission    " + at.admission());
        out.println("  kafka        " + at.bootstrapServers());
        out.println("  registry     " + at.registry());
        out.println("  kubernetes   export KUBECONFIG=" + at.kubeconfig());
        out.println("  logs         " + system.sandbox().place().folder().resolve("logs"));
        out.println("  context      " + context.file());
        out.println();
        out.println("Try: muster submit -f examples/ring.yaml --wait");
    }
}
