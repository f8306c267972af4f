package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.Kafka;
import dev.muster.cli.text.ReplayText;
import dev.muster.coordinator.history.Finding;
import dev.muster.coordinator.history.Heard;
import dev.muster.coordinator.history.LogFile;
import dev.muster.coordinator.history.PoolNumbers;
import dev.muster.coordinator.history.Replay;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Feeds a pool's inbox to the same rules once more and compares what they say. */
@Command(
        name = "replay",
        description = {
            "Feeds a pool's inbox to the same rules once more, and compares all that they say with"
                    + " what was published.",
            "Ends with 1 where the two part, and with 3 where nothing could be compared."
        },
        mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {
    @Mixin private PastOption past = new PastOption();

    @Option(names = "--step", description = "Shows each inbox record and what followed from it.")
    private boolean step;

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description = "Writes the inbox from --from to --to into a file, and replays nothing.")
    private @Nullable Path save;

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var out = Terminal.out(spec);
        if (save != null) {
            out.println(
                    "%d records of pool %s written into %s"
                            .formatted(save(context.read(), save), past.pool(), save));
            return ExitCode.OK;
        }
        var result = replay(context.read(), out);
        ReplayText.of(past.pool(), result).forEach(out::println);
        out.flush();
        if (!result.isCompared()) {
            return ExitCode.REFUSED;
        }
        return result.isSame() ? ExitCode.OK : ExitCode.FAILED;
    }

    private Replay.Result replay(Context context, PrintWriter out) {
        return past.with(
                context,
                found ->
                        found.replay(
                                past.from(),
                                past.to(),
                                version(),
                                (heard, findings) -> show(heard, findings, out)));
    }

    private void show(Heard heard, List<Finding> findings, PrintWriter out) {
        if (step) {
            ReplayText.step(heard).forEach(out::println);
            findings.forEach(finding -> out.println("  PARTS: " + finding.sentence()));
        }
    }

    /** The rules in this command line are those of its own release. */
    static String version() {
        var version = ReplayCommand.class.getPackage().getImplementationVersion();
        return version == null ? "" : version;
    }

    private long save(Context context, Path file) {
        var number = PoolNumbers.read(Kafka.settings(context)).get(past.pool());
        if (number == null) {
            throw CommandFailedException.notFound("there is no pool " + past.pool());
        }
        var from = past.from() == null ? Instant.EPOCH : past.from();
        try (var log = PastOption.log(context, number, null);
                var writer = new LogFile.Writer(file)) {
            for (var records = log.from(log.first()); records.hasNext(); ) {
                var in = records.next();
                if (in.appended().isAfter(past.to())) {
                    break;
                }
                if (!in.appended().isBefore(from)) {
                    writer.write(in);
                }
            }
            return writer.written();
        } catch (IOException e) {
            throw CommandFailedException.failed("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
