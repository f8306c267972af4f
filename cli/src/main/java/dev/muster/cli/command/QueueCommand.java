package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import dev.muster.cli.Trouble;
import dev.muster.cli.http.Admission;
import dev.muster.cli.kafka.QueueFile;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What an operator does with queues. */
@Command(
        name = "queue",
        description = "Sets queues and pools.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = QueueCommand.Apply.class)
final class QueueCommand implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getOut());
        }
        return ExitCode.OK;
    }

    /** Makes queues and pools as a file says, by admission's HTTP. */
    @Command(
            name = "apply",
            description = "Makes queues and pools as a file says.",
            mixinStandardHelpOptions = true)
    static final class Apply implements Callable<Integer> {
        @Option(
                names = {"-f", "--file"},
                required = true,
                paramLabel = "FILE",
                description = "Queues and pools, YAML documents; - is the standard input.")
        private String file = "";

        @Mixin private ContextOption context = new ContextOption();

        @Spec private @Nullable CommandSpec spec;

        @Override
        public Integer call() {
            var queues = QueueFile.read(TextFile.read(file));
            var out = Terminal.out(spec);
            var admission = new Admission(context.read());
            for (var setting : queues.settings()) {
                var called = QueueFile.called(setting);
                if (admission.put(setting).isLate()) {
                    throw Trouble.failed(called + " was sent, but nobody answered in time", null);
                }
                out.println(called + " set");
            }
            return ExitCode.OK;
        }
    }
}
