package dev.muster.schemas.trainjob;

import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.v1.Problem;
import dev.muster.v1.QueueSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a change of some fields of a queue: a JSON merge patch (RFC 7396) of its document, as in
 * {@code {"spec": {"paused": true, "limit": {"cpu": "20", "memory": null}, "group": null}}}. What
 * it does not name stays as it is; what it sets to null is taken away.
 */
public final class QueueChangeForm {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private QueueChangeForm() {}

    /** What a text turned out to be. */
    public sealed interface Result {}

    /**
     * A change in good form.
     *
     * @param spec with defaults for what is not named, or taken away
     * @param fields what is named, as in {@code paused}, {@code limit.cpu}
     */
    public record Read(QueueSpec spec, List<String> fields) implements Result {
        /** Copies the fields in. */
        public Read {
            fields = List.copyOf(fields);
        }
    }

    /**
     * A text that is no change.
     *
     * @param problems all of them
     */
    public record Refused(List<Problem> problems) implements Result {
        /** Copies the problems in. */
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Reads the change of the queue of this name.
     *
     * @return the change, or everything that is wrong with it; never an exception
     */
    public static Result read(String name, String text) {
        var patch = json(text);
        if (!(patch instanceof ObjectNode document)) {
            return refused("", "the text must be a JSON object, a merge patch");
        }
        if (!(document.get("spec") instanceof ObjectNode spec)) {
            return refused("spec", "must be there, with the fields that change");
        }
        var fields = new ArrayList<String>();
        for (var field : spec.properties()) {
            if (field.getValue() instanceof ObjectNode amounts) {
                amounts.propertyNames().forEach(of -> fields.add(field.getKey() + "." + of));
            } else {
                fields.add(field.getKey());
            }
        }
        document.put("apiVersion", "muster.dev/v1").put("kind", "Queue");
        document.putObject("metadata").put("name", name);
        // What is null is as good as absent there: taken away.
        return switch (SettingsForm.read(document.toString())) {
            case SettingsForm.Refused(var problems) -> new Refused(problems);
            case SettingsForm.Read(var settings) ->
                    settings.getFirst() instanceof QueueSetting(_, var read)
                            ? new Read(read, fields)
                            : refused("kind", "must be Queue");
        };
    }

    private static @Nullable JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            return null;
        }
    }

    private static Refused refused(String path, String message) {
        return new Refused(
                List.of(
                        Problem.newBuilder()
                                .setPath(path)
                                .setGiven("")
                                .setMessage(message)
                                .build()));
    }
}
