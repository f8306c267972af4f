package dev.muster.schemas.trainjob;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The fields of all that users write, as the JSON Schemas have them: a table for each kind. */
final class Reference {
    private static final String HEAD =
            """
            # All fields

            The fields of what users and operators write, in YAML or JSON. An unknown field is refused, and the
            nearest known name is given. This page is generated from the JSON Schemas in
            `schemas/src/main/resources/dev/muster`; editors can complete by them, too. Rules that look at several
            fields at once (a ring of dependencies, a minimum above the replicas) are not here: admission checks
            them.

            `[]` after a name means each item of a list. *fields* are those of the rows below it. Under *default*, –
            means that an absent field has no value.
            """;

    private static final String TYPES =
            """

            ## Types

            | type | meaning |
            |---|---|
            """;

    /** Parts that have a table of their own, by their names in the schemas. */
    private static final Map<String, String> OWN =
            Map.of("failure", "failure policy", "podTemplate", "pod template", "hook", "hook");

    private static final Map<String, String> TYPE_NAMES =
            Map.of(
                    "dnsLabel", "DNS label",
                    "dnsSubdomain", "DNS name",
                    "nodeName", "DNS name",
                    "role", "role name",
                    "exitCodes", "exit codes",
                    "texts", "texts");

    private static final String ROLE = "/properties/spec/properties/roles/items";

    private final StringBuilder text = new StringBuilder(HEAD);

    /** What the names of types stand for. */
    private final TreeMap<String, String> types = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** The one whose tables are written now. */
    private JsonNode schema = read("trainjob");

    private Reference() {}

    static String text() {
        var page = new Reference();
        page.table("TrainJob", "", page.schema, "spec.roles");
        page.table("Role", "spec.roles[].", page.schema.at(ROLE));
        page.table("Failure policy", "failure.", page.definition("failure"));
        page.table("Pod template", "template.", page.definition("podTemplate"));
        page.schema = read("queue");
        page.table("Queue", "", page.schema);
        page.schema = read("pool");
        page.table("Pool", "", page.schema);
        page.schema = read("job-change");
        page.table("Change of one job", "", page.schema);
        page.table("Hook", "hook.", page.definition("hook"));
        page.schema = read("bulk-change");
        page.table("Change of many jobs", "", page.schema);
        return page.text + TYPES + page.typeRows();
    }

    private static JsonNode read(String kind) {
        var path = "/dev/muster/%s-v1.schema.json".formatted(kind);
        try (InputStream in = Reference.class.getResourceAsStream(path)) {
            return new JsonMapper().readTree(Objects.requireNonNull(in, path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode definition(String name) {
        return schema.path("$defs").path(name);
    }

    private void table(String title, String prefix, JsonNode object, String... closed) {
        text.append("\n## ").append(title).append("\n\n");
        var meaning = object.path("description").asString("");
        text.append(meaning.isEmpty() ? "" : meaning + "\n\n");
        text.append("| field | default | allowed | meaning |\n|---|---|---|---|\n");
        fields(prefix, object, Set.of(closed)).forEach(row -> text.append(row).append('\n'));
    }

    private List<String> fields(String prefix, JsonNode object, Set<String> closed) {
        var rows = new ArrayList<String>();
        var required = new TreeSet<String>();
        object.path("required").forEach(name -> required.add(name.asString()));
        for (var field : object.path("properties").properties()) {
            var name = prefix + field.getKey();
            var kind = new Kind(field.getValue());
            rows.add(
                    "| `%s` | %s | %s | %s |"
                            .formatted(
                                    name + (kind.isListOfObjects() ? "[]" : ""),
                                    standard(kind, required.contains(field.getKey())),
                                    kind.allowed(),
                                    kind.meaning(name)));
            if (kind.own() == null && !closed.contains(name)) {
                var inner = kind.isListOfObjects() ? kind.item() : kind.resolved();
                rows.addAll(fields(name + (kind.isListOfObjects() ? "[]." : "."), inner, closed));
            }
        }
        return rows;
    }

    private static String standard(Kind kind, boolean isRequired) {
        var given = kind.given.path("default");
        return isRequired ? "required" : given.isMissingNode() ? "–" : "`" + given.asString() + "`";
    }

    private String typeRows() {
        return types.entrySet().stream()
                .map(type -> "| %s | %s |\n".formatted(type.getKey(), type.getValue()))
                .collect(Collectors.joining());
    }

    /** What one field may have. */
    private final class Kind {
        private final JsonNode given;

        Kind(JsonNode given) {
            this.given = given;
        }

        private String reference() {
            return given.path("$ref").asString("").replace("#/$defs/", "");
        }

        JsonNode resolved() {
            return reference().isEmpty() ? given : definition(reference());
        }

        /** Of the part with a table of its own; null: it has none. */
        @Nullable String own() {
            return OWN.get(reference());
        }

        JsonNode item() {
            return new Kind(resolved().path("items")).resolved();
        }

        boolean isListOfObjects() {
            return item().has("properties");
        }

        String meaning(String name) {
            var said = given.path("description").asString("");
            if (said.isEmpty()) {
                said = resolved().path("description").asString("");
            }
            if (said.isEmpty()) {
                throw new AssertionError(name + " says nothing of what it means");
            }
            return said.replace("|", "\\|");
        }

        String allowed() {
            var own = own();
            if (own != null) {
                return "[%s](#%s)".formatted(own, own.replace(' ', '-'));
            }
            var kind = resolved();
            if (!reference().isEmpty() && kind.has("title")) {
                var name = typeName(reference());
                types.put(name, kind.path("title").asString());
                return "[%s](#types)".formatted(name);
            }
            if (kind.has("enum")) {
                return kind.path("enum")
                        .valueStream()
                        .map(value -> "`" + value.asString() + "`")
                        .collect(Collectors.joining(", "));
            }
            if (kind.has("title")) {
                return kind.path("title").asString().replaceAll(" \\(in quotes .*?\\)", "");
            }
            return switch (kind.path("type").asString("")) {
                case "boolean" -> "`true`, `false`";
                case "integer" ->
                        String.format(
                                Locale.ROOT,
                                "%,d to %,d",
                                kind.path("minimum").asLong(),
                                kind.path("maximum").asLong());
                case "array" ->
                        isListOfObjects()
                                ? "list"
                                : "list: " + new Kind(kind.path("items")).allowed();
                case "string" ->
                        kind.has("maxLength")
                                ? "text of at most %d characters"
                                        .formatted(kind.path("maxLength").asInt())
                                : "text";
                default -> map(kind);
            };
        }

        private String map(JsonNode kind) {
            var values = kind.path("additionalProperties");
            return values.isObject() ? "map: " + new Kind(values).allowed() : "fields";
        }

        private static String typeName(String reference) {
            return TYPE_NAMES.getOrDefault(
                    reference, reference.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT));
        }
    }
}
