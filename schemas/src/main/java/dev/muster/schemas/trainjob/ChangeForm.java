package dev.muster.schemas.trainjob;

import dev.muster.v1.BulkChange;
import dev.muster.v1.HookSpec;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.Problem;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads what is to be done to one job or to many, YAML or JSON. */
public final class ChangeForm {
    private static final FormSchema ONE = new FormSchema("job-change-v1.schema.json");
    private static final FormSchema MANY = new FormSchema("bulk-change-v1.schema.json");

    /** To which size, in one of these ways. */
    private static final List<String> SIZES = List.of("replicas", "out", "in", "names");

    /** That takes back the command that is under way. */
    private static final String CANCEL = "cancel";

    /** Which one is meant. */
    private static final String COMMAND = "command";

    private static final List<String> OF_SCALE =
            Stream.concat(
                            SIZES.stream(),
                            Stream.of(
                                    "role",
                                    "timeout",
                                    "drain",
                                    "bestEffort",
                                    "dryRun",
                                    "hook",
                                    CANCEL,
                                    COMMAND))
                    .toList();

    private ChangeForm() {}

    /**
     * A change of one job.
     *
     * @param kind what is to be done, which the text does not say
     * @param text empty: nothing more to say
     */
    public static Form<JobChange> one(JobChangeKind kind, String text) {
        return read(text, ONE, fields -> change(fields, kind));
    }

    /**
     * A change of many jobs.
     *
     * @param wholePool whether of a pool's, not of a queue's
     */
    public static Form<BulkChange> many(boolean wholePool, String text) {
        return read(text, MANY, fields -> bulk(fields, wholePool));
    }

    private static <T> Form<T> read(String text, FormSchema schema, Function<Fields, T> reader) {
        return switch (FormText.parse(text.isBlank() ? "{}" : text, TrainJobForm.MAX_LENGTH)) {
            case FormText.Unreadable(var problem) -> new Form.Refused<>(List.of(problem));
            case FormText.Parsed(var document) -> {
                var problems = new ArrayList<Problem>();
                schema.check(document).forEach(finding -> problems.add(finding.problem()));
                if (!problems.isEmpty()) {
                    yield new Form.Refused<>(problems);
                }
                var change = reader.apply(new Fields(document, "", problems));
                yield problems.isEmpty() ? new Form.Read<>(change) : new Form.Refused<>(problems);
            }
        };
    }

    private static JobChange change(Fields from, JobChangeKind kind) {
        var to = JobChange.newBuilder().setKind(kind);
        from.number("priority", to::setPriority);
        from.text("queue", to::setQueue);
        from.duration("gracePeriod", to::setGracePeriodMillis);
        from.text("message", to::setMessage);
        from.text("node", to::setNode);
        if (kind == JobChangeKind.SCALE || OF_SCALE.stream().anyMatch(from::has)) {
            to.setScale(scale(from));
        }
        return to.build();
    }

    private static ScaleSpec scale(Fields from) {
        if (from.isTrue(CANCEL)) {
            OF_SCALE.stream()
                    .filter(field -> !field.equals(CANCEL) && !field.equals(COMMAND))
                    .filter(from::has)
                    .forEach(field -> from.add(field, "", "must be left out beside " + CANCEL));
            var to = ScaleSpec.newBuilder().setKind(ScaleKind.CANCEL).setRole("");
            from.text(COMMAND, to::setCommand);
            return to.build();
        }
        if (from.has(COMMAND)) {
            from.add(COMMAND, "", "must be left out unless a command is taken back");
        }
        if (!from.has("role")) {
            from.add("role", "", "is required");
        }
        if (SIZES.stream().filter(from::has).count() != 1) {
            from.add("", "", "must have one of " + String.join(", ", SIZES));
        }
        var to = ScaleSpec.newBuilder().setKind(ScaleKind.IN).setRole("");
        from.text("role", to::setRole);
        from.number("replicas", count -> to.setKind(ScaleKind.SET).setCount(count));
        from.number("out", count -> to.setKind(ScaleKind.OUT).setCount(count));
        from.number("in", to::setCount);
        from.strings("names", to::setNames);
        from.duration("timeout", to::setTimeoutMillis);
        from.duration("drain", to::setDrainMillis);
        from.flag("bestEffort", bestEffort -> to.setAtomic(!bestEffort));
        from.flag("dryRun", to::setDryRun);
        from.object("hook", hook -> to.setHook(hook(hook)));
        return to.build();
    }

    private static HookSpec hook(Fields from) {
        var to = HookSpec.newBuilder().setCommand(List.of());
        from.strings("command", to::setCommand);
        from.texts("env", to::setEnv);
        from.duration("timeout", to::setTimeoutMillis);
        from.number("retries", to::setRetries);
        return to.build();
    }

    private static BulkChange bulk(Fields from, boolean wholePool) {
        var to = BulkChange.newBuilder().setWholePool(wholePool);
        from.texts("labels", to::setLabels);
        from.text("namespace", to::setNamespace);
        from.object(
                "change",
                change ->
                        to.setChange(
                                change(
                                        change,
                                        Fields.constant(
                                                JobChangeKind.class, change.text("kind")))));
        return to.build();
    }
}
