package dev.muster.schemas.trainjob;

import dev.muster.v1.Problem;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Text to a tree, safely: bounded in length, depth, aliases and expanded size. */
final class FormText {
    /** Fields and items after all aliases are followed; a hand-written job has some hundreds. */
    /** The parser's word for it, which has none of its own type. */
    private static final String SECOND_DOCUMENT = "expected a single document in the stream";

    private static final int MAX_NODES = 200_000;

    private static final int MAX_DEPTH = 100;

    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private static final LoadSettings YAML =
            LoadSettings.builder()
                    .setLabel("job")
                    .setSchema(new CoreSchema())
                    .setAllowDuplicateKeys(false)
                    .setAllowRecursiveKeys(false)
                    .setMaxAliasesForCollections(50)
                    .build();

    private int nodes;

    private FormText() {}

    /** A tree, or why there is none. */
    sealed interface Outcome {}

    record Parsed(JsonNode document) implements Outcome {}

    record Unreadable(Problem problem) implements Outcome {}

    /** Thrown inside this class only. */
    private static final class TooMuch extends RuntimeException {
        TooMuch(String message) {
            super(message);
        }
    }

    /** One document. */
    static Outcome parse(String text, int maxLength) {
        return parse(text, maxLength, () -> new Load(YAML).loadFromString(text));
    }

    /** Documents as a list of them, those without content left out. */
    static Outcome parseAll(String text, int maxLength) {
        return parse(text, maxLength, () -> all(text));
    }

    private static List<Object> all(String text) {
        var documents = new ArrayList<Object>();
        for (var document : new Load(YAML).loadAllFromString(text)) {
            if (document != null) {
                documents.add(document);
            }
        }
        return documents;
    }

    private static Outcome parse(String text, int maxLength, Supplier<@Nullable Object> load) {
        if (text.length() > maxLength) {
            return unreadable(
                    text.length() + " characters",
                    "the text is too long: at most " + maxLength + " characters are allowed");
        }
        var json = text.stripLeading().startsWith("{");
        var ofJson = json ? json(text) : null;
        if (ofJson instanceof Parsed) {
            return ofJson;
        }
        var ofYaml = yaml(text, load);
        return ofJson != null && ofYaml instanceof Unreadable && looksLikeJson(text)
                ? ofJson
                : ofYaml;
    }

    /** YAML's flow style begins with a brace as well, seldom with a brace and a quote. */
    private static boolean looksLikeJson(String text) {
        return text.stripLeading().substring(1).stripLeading().startsWith("\"");
    }

    private static Outcome json(String text) {
        try {
            return new Parsed(new FormText().tree(JSON.readValue(text, Object.class), 0));
        } catch (JacksonException e) {
            var at = e.getLocation();
            var where =
                    at == null ? "" : ", line " + at.getLineNr() + " column " + at.getColumnNr();
            return unreadable(
                    "", "the text is not JSON: " + oneLine(e.getOriginalMessage()) + where);
        } catch (TooMuch e) {
            return unreadable("", e.getMessage());
        }
    }

    private static Outcome yaml(String text, Supplier<@Nullable Object> load) {
        try {
            checkDepth(text);
            return new Parsed(new FormText().tree(load.get(), 0));
        } catch (MarkedYamlEngineException e) {
            var where =
                    e.getProblemMark()
                            .map(m ->
                                    ", line "
                                            + (m.getLine() + 1)
                                            + " column "
                                            + (m.getColumn() + 1))
                            .orElse("");
            var what = e.getProblem() == null ? e.getMessage() : e.getProblem();
            return unreadable(
                    "",
                    SECOND_DOCUMENT.equals(e.getContext())
                            ? "the text holds a second document, and only one is taken" + where
                            : "the text is not YAML: " + oneLine(what) + where);
        } catch (YamlEngineException e) {
            return unreadable("", "the text is not YAML: " + oneLine(e.getMessage()));
        } catch (TooMuch e) {
            return unreadable("", e.getMessage());
        }
    }

    /** Before the tree is made: making it needs stack for each level. */
    private static void checkDepth(String text) {
        var depth = 0;
        for (var event : new Parse(YAML).parseString(text)) {
            depth +=
                    switch (event.getEventId()) {
                        case MappingStart, SequenceStart -> 1;
                        case MappingEnd, SequenceEnd -> -1;
                        default -> 0;
                    };
            if (depth > MAX_DEPTH) {
                throw tooDeep();
            }
        }
    }

    private static TooMuch tooDeep() {
        return new TooMuch("the text is nested deeper than " + MAX_DEPTH + " levels");
    }

    /** Fields that are null are left out, as Kubernetes does it. */
    private JsonNode tree(@Nullable Object value, int depth) {
        if (depth > MAX_DEPTH) {
            throw tooDeep();
        }
        if (++nodes > MAX_NODES) {
            throw new TooMuch("the text has more than " + MAX_NODES + " fields and items");
        }
        var make = JsonNodeFactory.instance;
        return switch (value) {
            case null -> make.nullNode();
            case Map<?, ?> map -> {
                var object = make.objectNode();
                map.forEach((key, each) -> {
                    if (each != null) {
                        object.set(String.valueOf(key), tree(each, depth + 1));
                    }
                });
                yield object;
            }
            case List<?> list -> {
                var array = make.arrayNode();
                list.forEach(each -> array.add(tree(each, depth + 1)));
                yield array;
            }
            case Boolean b -> make.booleanNode(b);
            case Integer i -> make.numberNode(i);
            case Long l -> make.numberNode(l);
            case BigInteger i -> make.numberNode(i);
            case Double d when Double.isFinite(d) -> make.numberNode(d);
            default -> make.stringNode(String.valueOf(value));
        };
    }

    private static Unreadable unreadable(String given, @Nullable String message) {
        return new Unreadable(
                Problem.newBuilder()
                        .setPath("")
                        .setGiven(given)
                        .setMessage(message == null ? "the text cannot be read" : message)
                        .build());
    }

    private static String oneLine(@Nullable String message) {
        return message == null ? "" : message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
