package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import dev.muster.cli.text.Table;
import dev.muster.sandbox.Sandbox;
import dev.muster.sandbox.Sandbox.PartStatus;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows the sandbox's processes. */
@Command(
        name = "status",
        description = "Shows the sandbox's processes; exit code 1 unless all run.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    private static final List<String> HEADINGS = List.of("PART", "STATE", "PID", "PORTS", "LOG");

    @Mixin private SandboxOption sandbox = new SandboxOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var out = Terminal.out(spec);
        var parts = Sandbox.status(sandbox.config().folder());
        if (parts.isEmpty()) {
            out.println("nothing is running (start it with: muster up)");
            return ExitCode.FAILED;
        }
        var rows = parts.stream().map(StatusCommand::cells).toList();
        var table = new Table(HEADINGS, rows);
        out.println(table.line(HEADINGS));
        rows.forEach(row -> out.println(table.line(row)));
        return parts.stream().allMatch(PartStatus::alive) ? ExitCode.OK : ExitCode.FAILED;
    }

    private static List<String> cells(PartStatus part) {
        var process = part.process();
        var ports =
                part.ports().entrySet().stream()
                        .map(port -> port.getValue() + " " + port.getKey())
                        .collect(Collectors.joining(", "));
        return List.of(
                process.part(),
                part.alive() ? "running" : "ended",
                "" + process.pid(),
                ports,
                process.log().toString());
    }
}
