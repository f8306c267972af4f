package dev.muster.schemas.trainjob;

import dev.muster.v1.Problem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON merge patch (RFC 7396) of the document of a queue or a pool.
 *
 * @param document with what it names and no more; what is null there is as good as absent
 * @param fields what it names, as in {@code paused}, {@code limit.cpu}
 */
record MergePatch(String document, List<String> fields) {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private static final String API_VERSION = "muster.dev/v1";

    /**
     * Reads a patch.
     *
     * @param kind of the document
     * @param name of the queue or pool
     */
    static Form<MergePatch> read(String kind, String name, String text) {
        if (!(json(text) instanceof ObjectNode document)) {
            return refused("", "the text must be a JSON object, a merge patch");
        }
        if (!(document.get("spec") instanceof ObjectNode spec)) {
            return refused("spec", "must be there, with the fields that change");
        }
        var others = others(document, kind, name);
        if (!others.isEmpty()) {
            return new Form.Refused<>(others);
        }
        var fields = new ArrayList<String>();
        name("", spec, fields);
        document.put("apiVersion", API_VERSION).put("kind", kind);
        if (isAbsent(document.get("metadata"))) {
            document.putObject("metadata");
        }
        if (document.get("metadata") instanceof ObjectNode metadata) {
            metadata.put("name", name);
        }
        return new Form.Read<>(new MergePatch(document.toString(), List.copyOf(fields)));
    }

    /** What it says of itself is what its address says, if it says it. */
    private static List<Problem> others(ObjectNode document, String kind, String name) {
        var problems = new ArrayList<Problem>();
        unlessSame("apiVersion", document.get("apiVersion"), API_VERSION, "", problems);
        unlessSame("kind", document.get("kind"), kind, ", as in the address", problems);
        var named = document.at("/metadata/name");
        unlessSame("metadata.name", named, name, ", as in the address", problems);
        return problems;
    }

    private static void unlessSame(
            String path,
            @Nullable JsonNode given,
            String wanted,
            String why,
            List<Problem> problems) {
        if (given == null || isAbsent(given)) {
            return;
        }
        var text = given.isString() ? given.stringValue() : given.toString();
        if (!text.equals(wanted)) {
            problems.add(problem(path, text, "must be " + wanted + why));
        }
    }

    private static boolean isAbsent(@Nullable JsonNode node) {
        return node == null || node.isNull() || node.isMissingNode();
    }

    private static void name(String of, ObjectNode object, List<String> fields) {
        for (var field : object.properties()) {
            if (field.getValue() instanceof ObjectNode inner) {
                name(of + field.getKey() + ".", inner, fields);
            } else {
                fields.add(of + field.getKey());
            }
        }
    }

    private static @Nullable JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            return null;
        }
    }

    private static Form<MergePatch> refused(String path, String message) {
        return new Form.Refused<>(List.of(problem(path, "", message)));
    }

    private static Problem problem(String path, String given, String message) {
        return Problem.newBuilder().setPath(path).setGiven(given).setMessage(message).build();
    }
}
