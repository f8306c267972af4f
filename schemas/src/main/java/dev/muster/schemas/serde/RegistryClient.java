package dev.muster.schemas.serde;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A schema registry that speaks the Confluent REST API: the calls that a serde needs.
 *
 * <p>Ids and schemas never change, so what was asked once is never asked again, and what is known
 * works on without the registry. For any number of threads.
 */
public final class RegistryClient implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int NO_SUBJECT = 40401;
    private static final int NO_VERSION = 40402;
    private static final int NO_SCHEMA = 40403;

    private final RegistryEndpoints endpoints;
    private final @Nullable OpenQuestions hurried;
    private final Map<Named, Integer> registered = new ConcurrentHashMap<>();
    private final Map<Named, Integer> found = new ConcurrentHashMap<>();
    private final Map<Integer, Schema> schemas = new ConcurrentHashMap<>();

    private record Named(String subject, Schema schema) {}

    public RegistryClient(RegistryConfig config) {
        endpoints = new RegistryEndpoints(config);
        var hurry = config.hurry();
        hurried = hurry == null ? null : new OpenQuestions(endpoints, hurry, System::nanoTime);
    }

    /**
     * The id of a schema, which is registered under the subject if it is not yet.
     *
     * @throws SchemaRefusedException when it is invalid or breaks the subject's compatibility
     * @throws RegistryUnavailableException when the registry does not answer
     */
    public int register(String subject, Schema schema) {
        return idOf(registered, new Named(subject, schema), "/versions");
    }

    /**
     * The id of a schema that stands under the subject.
     *
     * @throws SchemaRefusedException when it does not stand there
     * @throws RegistryUnavailableException when the registry does not answer
     */
    public int find(String subject, Schema schema) {
        return idOf(found, new Named(subject, schema), "");
    }

    /** Two threads may ask the same at once; they get the same answer. */
    private int idOf(Map<Named, Integer> known, Named asked, String path) {
        var id = known.get(asked);
        if (id == null) {
            var subject = "/subjects/" + encoded(asked.subject());
            var response = ask(subject + path, body(asked.schema()));
            id = taken(response, asked.subject()).path("id").asInt();
            known.put(asked, id);
            schemas.putIfAbsent(id, asked.schema());
        }
        return id;
    }

    /**
     * The schema that a record with this id was written with.
     *
     * @throws UnreadableRecordException when the registry has no such id, or no Avro under it
     * @throws RegistryUnavailableException when the registry does not answer
     */
    public Schema schema(int id) {
        var schema = schemas.get(id);
        if (schema == null) {
            schema = fetch(id);
            schemas.put(id, schema);
        }
        return schema;
    }

    private Schema fetch(int id) {
        var response = ask("/schemas/ids/" + id, null);
        var answer = json(response);
        if (response.statusCode() == 404 && answer.path("error_code").asInt() == NO_SCHEMA) {
            throw new UnreadableRecordException("the registry knows no schema with id " + id);
        }
        if (response.statusCode() != 200) {
            throw strange(response);
        }
        var type = answer.path("schemaType").asString("AVRO");
        if (!type.equals("AVRO")) {
            throw new UnreadableRecordException("schema " + id + " is no Avro but " + type);
        }
        try {
            var parser = new Schema.Parser();
            parseReferences(answer, parser);
            return parser.parse(answer.path("schema").asString());
        } catch (SchemaParseException e) {
            throw new UnreadableRecordException("schema " + id + " is no valid Avro", e);
        }
    }

    /** Types that other clients keep under subjects of their own; a parser needs them first. */
    private void parseReferences(JsonNode schema, Schema.Parser parser) {
        for (var reference : schema.path("references")) {
            if (parser.getTypes().containsKey(reference.path("name").asString())) {
                continue;
            }
            var path =
                    "/subjects/"
                            + encoded(reference.path("subject").asString())
                            + "/versions/"
                            + reference.path("version").asInt();
            var response = ask(path, null);
            if (response.statusCode() != 200) {
                throw strange(response);
            }
            var referred = json(response);
            parseReferences(referred, parser);
            parser.parse(referred.path("schema").asString());
        }
    }

    /**
     * Whether the subject's rule lets this schema follow its versions; a subject without versions
     * takes any. For users who write schemas of their own: Muster's services do not ask.
     *
     * @throws RegistryUnavailableException when the registry does not answer
     */
    public boolean isCompatible(String subject, Schema schema) {
        var response =
                ask(
                        "/compatibility/subjects/" + encoded(subject) + "/versions/latest",
                        body(schema));
        var answer = json(response);
        var code = answer.path("error_code").asInt();
        if (code == NO_SUBJECT || code == NO_VERSION) {
            return true;
        }
        if (response.statusCode() != 200) {
            throw strange(response);
        }
        return answer.path("is_compatible").asBoolean();
    }

    private HttpResponse<String> ask(String path, @Nullable String body) {
        return hurried == null ? endpoints.ask(path, body) : hurried.ask(path, body);
    }

    private static JsonNode taken(HttpResponse<String> response, String subject) {
        var answer = json(response);
        var said = answer.path("message").asString("");
        return switch (response.statusCode()) {
            case 200 -> answer;
            case 404 -> {
                var code = answer.path("error_code").asInt();
                throw code == NO_SUBJECT || code == NO_SCHEMA
                        ? refused("lacks a schema for", subject, "set auto.register.schemas")
                        : strange(response);
            }
            case 409 -> throw refused("finds an incompatible schema for", subject, said);
            case 422 -> throw refused("finds an invalid schema for", subject, said);
            default -> throw strange(response);
        };
    }

    /**
     * Whether its record is read by it, or parked: after anything else it waits, and asks again.
     */
    static boolean isNotAskedAgain(HttpResponse<String> response) {
        int code = response.statusCode();
        return code == 200 || code == 404 && json(response).path("error_code").asInt() == NO_SCHEMA;
    }

    private static SchemaRefusedException refused(String why, String subject, String more) {
        return new SchemaRefusedException("the registry %s %s: %s".formatted(why, subject, more));
    }

    /** An answer that is about us, a proxy or a wrong address, not about a schema. */
    private static RegistryUnavailableException strange(HttpResponse<String> response) {
        var what =
                switch (response.statusCode()) {
                    case 401, 403 -> ", which refuses our credentials";
                    case 404 -> ": is this the root of a Confluent API?";
                    default -> "";
                };
        return new RegistryUnavailableException(
                "%s answers %d%s".formatted(response.uri(), response.statusCode(), what));
    }

    private static JsonNode json(HttpResponse<String> response) {
        try {
            return JSON.readTree(response.body());
        } catch (JacksonException e) {
            if (response.statusCode() == 200) {
                throw new RegistryUnavailableException(response.uri() + " answers no JSON", e);
            }
            return JSON.missingNode();
        }
    }

    private static String body(Schema schema) {
        return JSON.writeValueAsString(Map.of("schema", SchemaText.of(schema)));
    }

    private static String encoded(String segment) {
        return URLEncoder.encode(segment, UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        endpoints.close();
        if (hurried != null) {
            hurried.close();
        }
    }
}
