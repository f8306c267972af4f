package dev.muster.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is other in a queue or pool than a file says. */
public final class SettingDifference {
    /** They stay as they are where a file does not name them. */
    private static final Set<String> KEPT = Set.of("paused", "draining", "number");

    /**
     * Of a field that is not there. A label or a group may be called so, too: that is in quotes.
     */
    private static final String NONE = "none";

    private SettingDifference() {}

    /**
     * The fields that would change, as in {@code weight 3 -> 1}.
     *
     * @param shown the spec as it is
     * @param wanted the spec of the file, its defaults filled in
     */
    public static List<String> between(JsonNode shown, JsonNode wanted) {
        var before = new TreeMap<String, String>();
        var after = new TreeMap<String, String>();
        flatten("", shown, before);
        flatten("", wanted, after);
        var fields = new TreeSet<>(before.keySet());
        fields.removeIf(field -> KEPT.contains(field) && !after.containsKey(field));
        fields.addAll(after.keySet());
        var changes = new ArrayList<String>();
        for (var field : fields) {
            var old = before.get(field);
            var next = after.get(field);
            if (!Objects.equals(old, next)) {
                changes.add(field + " " + shown(old) + " -> " + shown(next));
            }
        }
        return List.copyOf(changes);
    }

    private static String shown(@Nullable String value) {
        return value == null ? NONE : value.equals(NONE) ? "\"" + NONE + "\"" : value;
    }

    private static void flatten(String path, JsonNode node, TreeMap<String, String> into) {
        for (var field : node.properties()) {
            var name = path + field.getKey();
            var value = field.getValue();
            if (value.isObject()) {
                flatten(name + ".", value, into);
            } else if (!isNothing(name, value)) {
                into.put(name, text(name, value));
            }
        }
    }

    /** The pool does not show a guarantee of 0; a limit of 0 is one. */
    private static boolean isNothing(String name, JsonNode value) {
        return name.startsWith("guaranteed.") && text(value).equals("0");
    }

    private static String text(String name, JsonNode value) {
        if (!value.isArray()) {
            return text(value);
        }
        var items = value.valueStream().map(SettingDifference::text);
        // The pool keeps these in an order of its own, and each once; other lists as they are sent.
        return (name.equals("namespaces") ? items.distinct().sorted() : items).toList().toString();
    }

    private static String text(JsonNode value) {
        return value.isObject() ? value.toString() : value.asString();
    }
}
