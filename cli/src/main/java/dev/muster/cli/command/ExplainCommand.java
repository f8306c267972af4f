package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Kafka;
import dev.muster.cli.text.Documents;
import dev.muster.cli.text.ExplanationDocument;
import dev.muster.cli.text.ExplanationText;
import dev.muster.cli.text.Hints;
import dev.muster.cli.text.Moments;
import dev.muster.coordinator.history.explain.Explainer;
import dev.muster.coordinator.history.explain.Explanation;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says why a job waits, or why it was started when it was. */
@Command(
        name = "explain",
        description = "Says why a job waits, or why it was started when it was.",
        mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
    /** In which form. */
    enum Output {
        TEXT,
        YAML,
        JSON
    }

    @Parameters(paramLabel = "JOB", description = "The job, or NAMESPACE/JOB.")
    private String job = "";

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = "--at",
            paramLabel = "TIME",
            converter = TimeText.class,
            description = "As it was then, as in " + TimeText.FORMS + " (default: now).")
    private @Nullable Instant at;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "text, yaml or json (default: text).")
    private Output output = Output.TEXT;

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        int slash = job.indexOf('/');
        var in = slash < 0 ? namespace.value() : job.substring(0, slash);
        show(explanation(context.read(), in, job.substring(slash + 1)));
        return ExitCode.OK;
    }

    private Explanation explanation(Context context, String namespace, String name) {
        var pool = pool(context, namespace, name);
        return PastOption.with(
                        context,
                        pool,
                        null,
                        past ->
                                new Explainer(
                                                Kafka.settings(context),
                                                past,
                                                ReplayCommand.version())
                                        .explain(namespace, name, at))
                .orElseThrow(() ->
                        CommandFailedException.notFound(
                                at == null
                                        ? "%s/%s has ended and is forgotten; '%s' shows how it ended"
                                                .formatted(
                                                        namespace, name, Hints.get(namespace, name))
                                        : "there was no job %s/%s at %s"
                                                .formatted(namespace, name, at)));
    }

    private String pool(Context context, String namespace, String name) {
        // This machine's clock may be behind the pool's.
        var then = at == null ? Instant.MAX : at;
        return JobStatuses.at(context, namespace, name, then)
                .or(() ->
                        at == null
                                ? Optional.empty()
                                : JobStatuses.at(context, namespace, name, Instant.MAX))
                .orElseThrow(() ->
                        CommandFailedException.notFound(
                                "there is no job " + namespace + "/" + name))
                .getPool();
    }

    private void show(Explanation told) {
        var out = Terminal.out(spec);
        switch (output) {
            case TEXT ->
                    ExplanationText.of(told, new Moments(Instant.now(), ZoneId.systemDefault()))
                            .forEach(out::println);
            case YAML -> out.print(Documents.yaml(List.of(ExplanationDocument.of(told))));
            case JSON -> out.print(Documents.json(List.of(ExplanationDocument.of(told)), false));
        }
        out.flush();
    }
}
