package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import dev.muster.cli.SettingKind;
import dev.muster.cli.command.GetCommand.Output;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What an operator does with pools. */
@Command(
        name = "pool",
        description = "Sets and shows pools.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class PoolCommand implements Callable<Integer> {
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
                "Makes a pool, or changes fields of one.",
                "Fields are those of its file, as in: policy=DominantShare aging.step=10m"
                        + " priorityClasses.high=1000 nodeSelector.zone=a."
            },
            mixinStandardHelpOptions = true)
    int put(
            @Parameters(paramLabel = "NAME", description = "The pool.") String name,
            @Parameters(arity = "0..*", paramLabel = "FIELD=VALUE", description = "What to set.")
                    @Nullable List<String> fields,
            @Mixin RequestOption request,
            @Mixin ContextOption context) {
        return settings(context, request).put(name, fields == null ? List.of() : fields);
    }

    @Command(description = "Shows pools.", mixinStandardHelpOptions = true)
    int get(
            @Parameters(
                            arity = "0..1",
                            paramLabel = "NAME",
                            description = "One pool; all if absent.")
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

    private Settings settings(ContextOption context, RequestOption request) {
        return new Settings(
                SettingKind.POOL, request.admission(context.read()), Terminal.out(spec));
    }
}
