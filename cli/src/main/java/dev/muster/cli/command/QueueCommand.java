package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import dev.muster.cli.SettingKind;
import dev.muster.cli.command.GetCommand.Output;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.schemas.contract.Answers;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What an operator does with queues. */
@Command(
        name = "queue",
        description = "Sets and shows queues.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class QueueCommand implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getOut());
        }
        return ExitCode.OK;
    }

    @Command(
            description = {
                "Makes queues and pools as a file says.",
                "A queue that is paused, drains or is being deleted stays so, unless the file"
                        + " names paused or draining."
            },
            mixinStandardHelpOptions = true)
    int apply(
            @Option(
                            names = {"-f", "--file"},
                            required = true,
                            paramLabel = "FILE",
                            description =
                                    "Queues and pools, YAML documents; - is the standard input.")
                    String file,
            @Option(
                            names = "--keep",
                            description =
                                    "Makes only those that are missing; the others stay as they"
                                            + " are.")
                    boolean keep,
            @Option(
                            names = "--dry-run",
                            description =
                                    "Changes nothing, and says what would change; exit code "
                                            + ExitCode.DIFFERS
                                            + " if anything would.")
                    boolean dryRun,
            @Mixin RequestOption request,
            @Mixin ContextOption context) {
        var queues = QueueFile.read(TextFile.read(file));
        var settings = settings(context, request);
        if (dryRun) {
            return new DryRun(settings.admission(), settings.out(), keep).of(queues);
        }
        var repeat = new FileRepeat();
        for (var setting : queues.settings()) {
            var next = settings.again(repeat.from(setting));
            var answer = next.admission().put(setting, keep);
            var called = QueueFile.called(setting);
            if (keep) {
                next.done(answer, called, "is there", "is there");
            } else {
                next.done(answer, called, "set", Answers.UNCHANGED);
            }
        }
        return ExitCode.OK;
    }

    @Command(
            description = {
                "Makes a queue, or changes fields of one.",
                "Fields are those of its file, as in: weight=3 limit.cpu=20 paused=true"
                        + " namespaces=ml,vision maxRunning= (takes it away)."
            },
            mixinStandardHelpOptions = true)
    int put(
            @Parameters(paramLabel = "NAME", description = "The queue.") String name,
            @Parameters(arity = "0..*", paramLabel = "FIELD=VALUE", description = "What to set.")
                    @Nullable List<String> fields,
            @Mixin RequestOption request,
            @Mixin ContextOption context) {
        return settings(context, request).put(name, fields == null ? List.of() : fields);
    }

    @Command(description = "Shows queues and what their jobs use.", mixinStandardHelpOptions = true)
    int get(
            @Parameters(
                            arity = "0..1",
                            paramLabel = "NAME",
                            description = "One queue; all if absent.")
                    @Nullable String name,
            @Option(
                            names = {"-o", "--output"},
                            paramLabel = "FORM",
                            defaultValue = "table",
                            description = "table, wide, yaml or json (default: table).")
                    Output output,
            @Mixin ContextOption context) {
        return settings(context, new RequestOption()).show(name, output);
    }

    @Command(
            description = "Starts no more jobs of a queue; those that run go on.",
            mixinStandardHelpOptions = true)
    int pause(
            @Parameters(paramLabel = "NAME", description = "The queue.") String name,
            @Mixin RequestOption request,
            @Mixin ContextOption context) {
        return settings(context, request).change(name, List.of("paused=true"), "paused");
    }

    @Command(
            description =
                    "Starts jobs of a queue again, and takes new ones; one that is being deleted"
                            + " stays.",
            mixinStandardHelpOptions = true)
    int resume(
            @Parameters(paramLabel = "NAME", description = "The queue.") String name,
            @Mixin RequestOption request,
            @Mixin ContextOption context) {
        var fields = List.of("paused=false", "draining=false");
        return settings(context, request).change(name, fields, "resumed");
    }

    @Command(
            description = "Takes no new jobs into a queue; those that wait still start.",
            mixinStandardHelpOptions = true)
    int drain(
            @Parameters(paramLabel = "NAME", description = "The queue.") String name,
            @Mixin RequestOption request,
            @Mixin ContextOption context) {
        return settings(context, request).change(name, List.of("draining=true"), "draining");
    }

    @Command(description = "Deletes a queue.", mixinStandardHelpOptions = true)
    int delete(
            @Parameters(paramLabel = "NAME", description = "The queue.") String name,
            @Option(
                            names = "--drain",
                            description =
                                    "It may still have jobs: it takes no more, and goes with the"
                                            + " last.")
                    boolean drain,
            @Mixin RequestOption request,
            @Mixin ContextOption context) {
        var settings = settings(context, request);
        var done = drain ? "draining, then deleted" : "deleted";
        var answer = settings.admission().deleteQueue(name, drain);
        return settings.done(answer, settings.called(name), done, done);
    }

    private Settings settings(ContextOption context, RequestOption request) {
        return new Settings(
                SettingKind.QUEUE, request.admission(context.read()), Terminal.out(spec));
    }
}
