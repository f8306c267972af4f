package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.ExitCode;
import dev.muster.cli.text.ReplayText;
import dev.muster.coordinator.history.log.LogFile;
import dev.muster.coordinator.history.replay.Finding;
import dev.muster.coordinator.history.replay.Heard;
import dev.muster.coordinator.history.replay.Replay;
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
import picocli.CommandLine.ParameterException;
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
            description = {
                "Writes the inbox up to --to into a file, and replays nothing.",
                "It begins where a replay from --from does: behind the snapshot before that time."
            })
    private @Nullable Path save;

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var out = Terminal.out(spec);
        if (save != null) {
            refuseFile();
            var saved = save(context.read(), save);
            out.println(saved.sentence(past.pool(), save, past.from()));
            return ExitCode.OK;
        }
        var result = replay(context.read(), out);
        ReplayText.of(past.pool(), result).forEach(out::println);
        out.flush();
        return exitCode(result);
    }

    /** That nothing parts says nothing where nothing was compared. */
    static int exitCode(Replay.Result result) {
        if (!result.isCompared()) {
            return ExitCode.REFUSED;
        }
        return result.isSame() ? ExitCode.OK : ExitCode.FAILED;
    }

    /** What is saved comes from the topic: the file that was to be read would be ignored. */
    private void refuseFile() {
        if (spec != null && past.isOfFile()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--save writes what the topic has, and does not go with --file");
        }
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

    private Saved save(Context context, Path file) {
        return PastOption.with(
                context,
                past.pool(),
                null,
                found -> {
                    var part = found.readBy(past.from(), past.to());
                    var records = part.records();
                    try (var writer = new LogFile.Writer(file, part.first())) {
                        Instant first = null;
                        while (records.hasNext()) {
                            var in = records.next();
                            first = first == null ? in.appended() : first;
                            writer.write(in);
                        }
                        return new Saved(writer.written(), first);
                    } catch (IOException e) {
                        throw CommandFailedException.failed(
                                "cannot write " + file + ": " + e.getMessage(), e);
                    }
                });
    }

    /**
     * What was written into a file.
     *
     * @param first when its first record was appended; null: it has none
     */
    private record Saved(long records, @Nullable Instant first) {
        /** Earlier records than were asked for are there for a reason. */
        String sentence(String pool, Path file, @Nullable Instant from) {
            var written = "%d records of pool %s written into %s".formatted(records, pool, file);
            return from == null || first == null || !first.isBefore(from)
                    ? written
                    : "%s, from %s on: there a replay begins".formatted(written, first);
        }
    }
}
