package dev.muster.schemas.serde;

import org.apache.avro.Schema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A schema as others are to see it: without what only Java reads. */
public final class SchemaText {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String JAVA_STRING = "avro.java.string";

    /** The schema's JSON on one line. */
    public static String of(Schema schema) {
        return JSON.writeValueAsString(cleaned(JSON.readTree(schema.toString())));
    }

    private static JsonNode cleaned(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                object.remove(JAVA_STRING);
                object.propertyNames().stream()
                        .filter(name -> !name.equals("default"))
                        .forEach(name -> object.set(name, cleaned(object.path(name))));
                yield object.size() == 1 && object.path("type").isString()
                        ? object.path("type")
                        : object;
            }
            case ArrayNode array -> {
                for (var i = 0; i < array.size(); i++) {
                    array.set(i, cleaned(array.path(i)));
                }
                yield array;
            }
            default -> node;
        };
    }

    private SchemaText() {}
}
