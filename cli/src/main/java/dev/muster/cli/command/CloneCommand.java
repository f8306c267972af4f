package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.Submissions;
import dev.muster.cli.text.Documents;
import dev.muster.schemas.trainjob.TrainJobDocument;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Submits another job like one that was submitted. */
@Command(
        name = "clone",
        description = {
            "Submits another job like one that was submitted within the last seven days.",
            "To change more than a few fields: muster clone JOB --name NEW --print > new.yaml"
        },
        mixinStandardHelpOptions = true)
final class CloneCommand implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.shared();

    @Parameters(paramLabel = "JOB", description = "The job to copy.")
    private String job = "";

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NEW",
            description = "Name of the new job.")
    private String name = "";

    @Option(
            names = "--set",
            paramLabel = "FIELD=VALUE",
            description =
                    "Changes a field, as in spec.queue=b or spec.roles[worker].replicas=4; FIELD="
                            + " removes it. May be repeated.")
    private List<String> changes = List.of();

    @Option(names = "--print", description = "Prints the new job as YAML and does not submit it.")
    private boolean print;

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Mixin private SubmissionOption submission = new SubmissionOption();

    @Mixin private RequestOption request = new RequestOption();

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var at = context.read();
        var in = namespace.value();
        var of = submission.of(at, in, job);
        var submitted =
                Submissions.find(at, in, job, of)
                        .orElseThrow(() ->
                                CommandFailedException.notFound(
                                        "what %s/%s (uid %s) asked for is not kept any more"
                                                .formatted(in, job, of)));
        var document = JSON.valueToTree(TrainJobDocument.of(in, name, submitted));
        var edited = JobEdit.edited(document, changes);
        var out = Terminal.out(spec);
        if (print) {
            out.print(Documents.yaml(List.of(JSON.treeToValue(edited, Map.class))));
            out.flush();
            return ExitCode.OK;
        }
        var admission = request.admission(at, SubmissionOption.again(of));
        var answer = admission.submit(edited.toString());
        if (answer.isLate()) {
            throw admission.late(in + "/" + name);
        }
        TakenJob.say(out, in + "/" + name, answer);
        return ExitCode.OK;
    }
}
