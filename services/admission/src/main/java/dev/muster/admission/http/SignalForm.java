package dev.muster.admission.http;

import dev.muster.v1.Envelope;
import dev.muster.v1.JobSignal;
import dev.muster.v1.JobSignalKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a job has to say, as a script writes it: a JSON object. */
final class SignalForm {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Set<String> FIELDS =
            new TreeSet<>(
                    List.of(
                            "kind",
                            "answers",
                            "attempt",
                            "role",
                            "index",
                            "incarnation",
                            "message"));
    private static final Map<String, JobSignalKind> KINDS =
            Map.of(
                    "CheckpointSaved", JobSignalKind.CHECKPOINT_SAVED,
                    "CheckpointFailed", JobSignalKind.CHECKPOINT_FAILED,
                    "Drained", JobSignalKind.DRAINED);

    private final JsonNode said;
    private final List<Replies.Said> problems = new ArrayList<>();

    private SignalForm(JsonNode said) {
        this.said = said;
    }

    /** One of both is empty. */
    record Result(@Nullable JobSignal signal, List<Replies.Said> problems) {}

    static Result read(String body, String namespace, String name, Envelope.Builder envelope) {
        try {
            return new SignalForm(JSON.readTree(body)).read(namespace, name, envelope);
        } catch (JacksonException e) {
            return new Result(null, List.of(new Replies.Said("", "", "must be a JSON object")));
        }
    }

    private Result read(String namespace, String name, Envelope.Builder envelope) {
        if (!said.isObject()) {
            return new Result(null, List.of(new Replies.Said("", "", "must be a JSON object")));
        }
        for (var field : said.propertyNames()) {
            if (!FIELDS.contains(field)) {
                problems.add(
                        new Replies.Said(
                                field, "", "is not known; known are " + String.join(", ", FIELDS)));
            }
        }
        var message = text("message");
        var signal =
                JobSignal.newBuilder()
                        .setEnvelope(envelope.setAttempt(number("attempt")).build())
                        .setKind(kind())
                        .setNamespace(namespace)
                        .setName(name)
                        .setRole(text("role"))
                        .setIndex(number("index"))
                        .setIncarnation(number("incarnation"))
                        .setAnswers(text("answers"))
                        .setMessage(message == null ? "" : message)
                        .build();
        return problems.isEmpty()
                ? new Result(signal, List.of())
                : new Result(null, List.copyOf(problems));
    }

    private JobSignalKind kind() {
        var given = text("kind");
        return given == null
                ? JobSignalKind.UNKNOWN
                : KINDS.getOrDefault(given, JobSignalKind.UNKNOWN);
    }

    /** An id that looks like a number may be written as one. */
    private @Nullable String text(String field) {
        var value = said.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isString() && !value.isIntegralNumber()) {
            problems.add(new Replies.Said(field, value.toString(), "must be a text"));
            return null;
        }
        return value.asString();
    }

    private @Nullable Integer number(String field) {
        var value = said.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            problems.add(new Replies.Said(field, value.toString(), "must be a whole number"));
            return null;
        }
        return value.intValue();
    }
}
