package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import dev.muster.cli.SettingKind;
import dev.muster.cli.http.Admission;
import dev.muster.cli.http.Admission.Answer;
import dev.muster.cli.text.Hints;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Which jobs a command changes, one or many, and the change itself. */
final class JobsOption {
    private static final JsonMapper JSON = JsonMapper.shared();

    @Parameters(arity = "0..1", paramLabel = "JOB", description = "One job.")
    private @Nullable String job;

    @Option(
            names = "--queue",
            paramLabel = "QUEUE",
            description = "Instead of one job: those of a queue.")
    private @Nullable String queue;

    @Option(
            names = "--pool",
            paramLabel = "POOL",
            description = "Instead of one job: those of a pool.")
    private @Nullable String pool;

    @Option(
            names = {"-l", "--label"},
            paramLabel = "KEY=VALUE",
            description = "With --queue or --pool: only jobs that have it; may be repeated.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description =
                    "The job's namespace (default: default); with --queue or --pool only jobs of it"
                            + " (default: all).")
    private @Nullable String namespace;

    @Mixin private RequestOption request = new RequestOption();

    @Mixin private ContextOption context = new ContextOption();

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    /**
     * A change as admission's HTTP names it.
     *
     * @param verb in the address of one job
     * @param kind in the change of many
     * @param done what one job then is, as in {@code ml/resnet held}
     */
    record Change(String verb, String kind, String done) {}

    /**
     * Makes the change.
     *
     * @param more what it needs beside
     */
    int make(Change change, Map<String, ?> more) {
        return make(change, more, "");
    }

    /**
     * The same of one submission.
     *
     * @param uid empty: the newest
     */
    int make(Change change, Map<String, ?> more, String uid) {
        check();
        if (spec != null && job == null && !uid.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--uid goes with one job");
        }
        var body = JSON.createObjectNode();
        more.forEach((field, value) -> body.set(field, JSON.valueToTree(value)));
        if (job != null) {
            one(job, uid, change, body);
        } else if (queue != null) {
            many(SettingKind.QUEUE, queue, change, body);
        } else if (pool != null) {
            many(SettingKind.POOL, pool, change, body);
        }
        return ExitCode.OK;
    }

    private void check() {
        var named = Stream.of(job, queue, pool).filter(name -> name != null).count();
        if (spec != null && named != 1) {
            throw new ParameterException(
                    spec.commandLine(), "name one of JOB, --queue=QUEUE and --pool=POOL");
        }
        if (spec != null && job != null && !labels.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--label goes with --queue or --pool, not with one job");
        }
    }

    private void one(String name, String uid, Change change, ObjectNode body) {
        var in = namespace == null ? Hints.DEFAULT_NAMESPACE : namespace;
        var admission = request.admission(context.read());
        var answer = admission.change(in, name, uid, change.verb(), body);
        say(admission, in + "/" + name, change.done(), answer);
    }

    private void many(SettingKind of, String name, Change change, ObjectNode body) {
        var bulk = JSON.createObjectNode();
        if (!labels.isEmpty()) {
            bulk.set("labels", JSON.valueToTree(labels));
        }
        if (namespace != null) {
            bulk.put("namespace", namespace);
        }
        bulk.set("change", body.put("kind", change.kind()));
        var admission = request.admission(context.read());
        var answer = admission.changeMany(of, name, bulk);
        say(admission, "jobs of " + of.word() + " " + name, change.done(), answer);
    }

    private void say(Admission admission, String called, String done, Answer answer) {
        if (answer.isLate()) {
            throw admission.late("the change of " + called);
        }
        var line = new StringBuilder(called).append(' ').append(done);
        if (!answer.counts().isEmpty()) {
            line.append(": ").append(counted(answer.counts()));
        }
        if (!answer.message().isEmpty()) {
            line.append(" (").append(answer.message()).append(')');
        }
        Terminal.out(spec).println(line);
    }

    private static String counted(Map<String, Long> counts) {
        var meant = counts.get("meant");
        var changed = counts.get("changed");
        var nodes = counts.get("nodes");
        var more =
                nodes == null
                        ? ""
                        : ", %d node%s relied on again".formatted(nodes, nodes == 1 ? "" : "s");
        return meant == null || changed == null
                ? counts.entrySet().stream()
                        .map(count -> count.getValue() + " " + count.getKey())
                        .collect(Collectors.joining(", "))
                : changed + " of " + meant + " changed" + more;
    }
}
