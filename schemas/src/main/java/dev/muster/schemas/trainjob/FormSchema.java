package dev.muster.schemas.trainjob;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import dev.muster.schemas.contract.Paths;
import dev.muster.v1.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A JSON Schema, its findings put into words for the user. */
final class FormSchema {
    private static final int SHOWN = 60;

    private final JsonNode text;
    private final Schema schema;

    /**
     * @param resource where the schema lies on the class path, below {@code /dev/muster}
     */
    FormSchema(String resource) {
        try (InputStream in = FormSchema.class.getResourceAsStream("/dev/muster/" + resource)) {
            text = new JsonMapper().readTree(Objects.requireNonNull(in, resource));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        schema =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(text.toString(), InputFormat.JSON);
    }

    /**
     * One thing that the schema does not allow.
     *
     * @param steps names and indices from the root to the value that is to be left out
     */
    record Finding(List<Object> steps, Problem problem) {}

    /** Everything that the schema does not allow, one finding per path and message. */
    List<Finding> check(JsonNode document) {
        return schema.validate(document).stream()
                .map(this::finding)
                .collect(
                        Collectors.toMap(
                                f -> f.problem().getPath() + "\n" + f.problem().getMessage(),
                                f -> f,
                                (first, again) -> first,
                                LinkedHashMap::new))
                .values()
                .stream()
                .toList();
    }

    private Finding finding(Error error) {
        var steps = steps(error.getInstanceLocation());
        var path = path(steps);
        return switch (error.getKeyword()) {
            case "required" ->
                    found(steps, Paths.field(path, error.getProperty()), "", "is required");
            case "additionalProperties" -> unknownField(steps, path, error);
            case "propertyNames" -> {
                var name = error.getProperty();
                var allowed = mustBe(owner(error).path("propertyNames"), name);
                yield found(append(steps, name), Paths.field(path, name), name, allowed);
            }
            default -> notAllowed(steps, path, error);
        };
    }

    private Finding unknownField(List<Object> steps, String path, Error error) {
        var name = error.getProperty();
        var known = owner(error).path("properties").propertyNames();
        var nearest =
                Nearest.of(name, known)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse("; known here are " + String.join(", ", known));
        return found(
                append(steps, name), Paths.field(path, name), "", "is not a known field" + nearest);
    }

    private Finding notAllowed(List<Object> steps, String path, Error error) {
        var given = error.getInstanceNode();
        return found(steps, path, shown(given), mustBe(owner(error), shown(given)));
    }

    /** The sentence that says what a schema allows. */
    private static String mustBe(JsonNode schema, String given) {
        var title = schema.path("title").asString("");
        if (!title.isEmpty()) {
            return "must be " + title;
        }
        if (schema.has("enum")) {
            var allowed = schema.get("enum").values().stream().map(JsonNode::asString).toList();
            var nearest = Nearest.of(given, allowed).map(near -> "; did you mean " + near + "?");
            return allowed.size() == 1
                    ? "must be " + allowed.getFirst()
                    : "must be one of " + String.join(", ", allowed) + nearest.orElse("");
        }
        return "must be " + kind(schema);
    }

    private static String kind(JsonNode schema) {
        return switch (schema.path("type").asString("")) {
            case "integer" -> "a whole number" + range(schema);
            case "boolean" -> "true or false";
            case "string" -> "text (in quotes if it looks like something else)";
            case "array" -> schema.has("minItems") ? "a list of one or more" : "a list";
            case "object" -> "a set of fields";
            default -> schema.has("minItems") ? "a list of one or more" : "something else";
        };
    }

    private static String range(JsonNode schema) {
        if (!schema.has("minimum")) {
            return "";
        }
        return " from %,d to %,d"
                .formatted(schema.get("minimum").longValue(), schema.get("maximum").longValue());
    }

    /** The part of our schema that holds the keyword which failed. */
    private JsonNode owner(Error error) {
        var fragment = error.getSchemaLocation().getFragment();
        var node = text;
        for (var i = 0; i < fragment.getNameCount() - 1; i++) {
            node =
                    switch (fragment.getElement(i)) {
                        case Integer index -> node.path(index);
                        case Object name -> node.path(String.valueOf(name));
                    };
        }
        return node;
    }

    private static Finding found(
            List<Object> steps, String path, @Nullable String given, String message) {
        return new Finding(
                steps,
                Problem.newBuilder()
                        .setPath(path)
                        .setGiven(given == null ? "" : given)
                        .setMessage(message)
                        .build());
    }

    static String shown(JsonNode value) {
        if (value.isNull()) {
            return "";
        }
        var text = value.isString() ? value.stringValue() : value.toString();
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }

    private static List<Object> steps(NodePath path) {
        var steps = new ArrayList<Object>();
        for (var i = 0; i < path.getNameCount(); i++) {
            steps.add(path.getElement(i));
        }
        return List.copyOf(steps);
    }

    private static List<Object> append(List<Object> steps, String name) {
        var longer = new ArrayList<>(steps);
        longer.add(name);
        return List.copyOf(longer);
    }

    static String path(List<Object> steps) {
        var path = "";
        for (var step : steps) {
            path =
                    switch (step) {
                        case Integer index -> Paths.item(path, index);
                        case Object name -> Paths.field(path, String.valueOf(name));
                    };
        }
        return path;
    }
}
