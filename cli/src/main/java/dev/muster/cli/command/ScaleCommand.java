package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.ScaleNews;
import dev.muster.cli.text.Words;
import dev.muster.v1.JobScaling;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Gives the elastic role of a job another size. */
@Command(
        name = "scale",
        description = "Gives the elastic role of a job another size.",
        mixinStandardHelpOptions = true)
final class ScaleCommand implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.shared();

    @Parameters(index = "0", paramLabel = "JOB", description = "The job.")
    private String job = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ROLE=N",
            description = "The size that the role is to have, as in worker=8.")
    private @Nullable String to;

    @ArgGroup private Step step = new Step();

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Fails the command after this time, as in 10m (default: no limit).")
    private @Nullable String timeout;

    @Option(
            names = "--drain",
            paramLabel = "DURATION",
            description =
                    "How long pods that leave have to end by themselves before they are deleted, as"
                            + " in 30s (default: 0s; in a job with a launcher their template's"
                            + " grace period).")
    private @Nullable String drain;

    @Option(
            names = "--best-effort",
            description =
                    "If not all added pods come to run, keeps those that do (default: undoes the"
                            + " whole command).")
    private boolean bestEffort;

    @Option(
            names = "--hook",
            paramLabel = "FILE",
            description =
                    "YAML or JSON file of a program to run once the size has changed; the command"
                            + " succeeds only if the program does (docs/guide/elastic.md, Hooks).")
    private @Nullable String hook;

    @Option(
            names = "--id",
            paramLabel = "COMMAND",
            description =
                    "With --cancel: takes back this command only; refused if another command, or"
                            + " none, is under way.")
    private @Nullable String command;

    @Option(names = "--dry-run", description = "Only says what the command would do.")
    private boolean dryRun;

    @Option(names = "--wait", description = "Waits until the command has come to its end.")
    private boolean wait;

    @Mixin private RequestOption request = new RequestOption();

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    /** By how much, where it is not said to which size: one of these. */
    static final class Step {
        @Option(
                names = "--out",
                paramLabel = "ROLE=N",
                description = "Adds N pods to the wished size, as in worker=2.")
        private @Nullable String out;

        @Option(
                names = "--in",
                paramLabel = "ROLE=N",
                description = "Removes N pods, as in worker=2; Muster chooses which.")
        private @Nullable String in;

        @Option(
                names = "--in-names",
                split = ",",
                paramLabel = "ROLE-INDEX",
                description = "Removes exactly these pods, as in worker-3,worker-5.")
        private @Nullable List<String> names;

        @Option(
                names = "--cancel",
                description =
                        "Takes back the command of scale that is under way, also one of the"
                                + " autoscaler. Pods that have not left yet stay; in a job with a"
                                + " launcher, workers that its host list no longer names are"
                                + " replaced.")
        private boolean cancel;
    }

    @Override
    public Integer call() {
        var body = body();
        var at = context.read();
        if (!waits()) {
            var _ = ask(at, body);
            return ExitCode.OK;
        }
        // Opened first, so that its end is not missed.
        try (var news = ScaleNews.open(at)) {
            return await(news, ask(at, body));
        }
    }

    /** Of what is only tried, or taken back, no end is heard. */
    private boolean waits() {
        return wait && !dryRun && !step.cancel;
    }

    /** How the same command is given by the same id, with which it does not wait. */
    String again() {
        return waits() ? "without --wait, with" : RequestOption.SAME;
    }

    private ObjectNode body() {
        boolean hasStep = step.out != null || step.in != null || step.names != null || step.cancel;
        if ((to != null) == hasStep) {
            throw wrong("one of ROLE=N, --out, --in, --in-names and --cancel is needed");
        }
        if (waits() && request.isGiven()) {
            throw wrong("--wait hears of no end that came before; leave it out with --request-id");
        }
        if (command != null && !step.cancel) {
            throw wrong("--id names the command that --cancel takes back");
        }
        var body = JSON.createObjectNode();
        if (step.cancel) {
            body.put("cancel", true);
        }
        if (command != null) {
            body.put("command", command);
        }
        count(body, "replicas", to);
        count(body, "out", step.out);
        count(body, "in", step.in);
        if (step.names != null) {
            body.put("role", roleOf(step.names.getFirst()));
            body.set("names", JSON.valueToTree(step.names));
        }
        if (timeout != null) {
            body.put("timeout", timeout);
        }
        if (drain != null) {
            body.put("drain", drain);
        }
        if (bestEffort) {
            body.put("bestEffort", true);
        }
        if (dryRun) {
            body.put("dryRun", true);
        }
        if (hook != null) {
            body.set("hook", hook(hook));
        }
        return body;
    }

    /** What it may be, admission knows. */
    private static JsonNode hook(String file) {
        try {
            var load = new Load(LoadSettings.builder().setLabel(file).build());
            return JSON.valueToTree(load.loadFromString(TextFile.read(file)));
        } catch (YamlEngineException e) {
            throw CommandFailedException.failed(file + " is no YAML: " + e.getMessage(), e);
        }
    }

    private void count(ObjectNode body, String field, @Nullable String said) {
        if (said == null) {
            return;
        }
        int equals = said.indexOf('=');
        try {
            body.put("role", said.substring(0, Math.max(0, equals)));
            body.put(field, Integer.parseInt(said.substring(equals + 1)));
        } catch (NumberFormatException e) {
            throw wrong("the size must be ROLE=N, as in worker=8, not " + said);
        }
    }

    /** Of {@code worker-3}, or of a pod's name, which ends so. */
    private String roleOf(String name) {
        var parts = name.split("-", -1);
        if (parts.length < 2) {
            throw wrong("a name must be ROLE-INDEX, as in worker-3, not " + name);
        }
        return parts[parts.length - 2];
    }

    private RuntimeException wrong(String message) {
        return spec == null
                ? new IllegalArgumentException(message)
                : new ParameterException(spec.commandLine(), message);
    }

    /** The request's id. */
    private String ask(Context at, ObjectNode body) {
        var admission = request.admission(at, again());
        var answer = admission.change(namespace.value(), job, "scale", body);
        var called = namespace.value() + "/" + job;
        if (answer.isLate()) {
            throw admission.late("the change of " + called);
        }
        var out = Terminal.out(spec);
        out.println(called + ": " + answer.message());
        if (!dryRun && !step.cancel && !answer.requestId().isEmpty()) {
            out.println(called + ": command " + answer.requestId());
        }
        out.flush();
        return answer.requestId();
    }

    /** Every command comes to exactly one end. */
    private int await(ScaleNews news, String requestId) {
        while (true) {
            for (var scaling : news.next(requestId)) {
                say(scaling);
                switch (scaling.getStage()) {
                    case SUCCEEDED -> {
                        return ExitCode.OK;
                    }
                    case FAILED, SUPERSEDED, CANCELLED -> {
                        return ExitCode.JOB_FAILED;
                    }
                    case UNKNOWN, WAITING, SCALING -> {}
                }
            }
        }
    }

    private void say(JobScaling scaling) {
        var reason = scaling.getReason().isEmpty() ? "" : "  " + scaling.getReason();
        var out = Terminal.out(spec);
        out.println(Words.constant(scaling.getStage()) + reason + "  " + scaling.getMessage());
        if (scaling.getHook() != null) {
            scaling.getHook().getOutput().lines().forEach(line -> out.println("  hook: " + line));
        }
        out.flush();
    }
}
