package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import dev.muster.cli.text.ProgressLines;
import dev.muster.sandbox.Sandbox;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Ends what {@code up} started and only that. */
@Command(
        name = "down",
        description = "Ends the sandbox. What it keeps stays for the next up.",
        mixinStandardHelpOptions = true)
final class DownCommand implements Callable<Integer> {
    @Mixin private SandboxOption sandbox = new SandboxOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var progress = new ProgressLines(Terminal.err(spec), Terminal.isInteractive());
        var ended = Sandbox.down(sandbox.config().folder(), progress);
        Terminal.out(spec)
                .println(
                        ended.isEmpty()
                                ? "nothing was running"
                                : "ended " + ended.size() + " processes");
        return ExitCode.OK;
    }
}
