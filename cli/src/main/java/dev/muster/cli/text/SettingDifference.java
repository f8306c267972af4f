package dev.muster.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** What is other in a queue or pool than a file says. */
public final class SettingDifference {
    /** They stay as they are where a file does not name them. */
    private static final Set<String> KEPT = Set.of("paused", "draining", "number");

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
            var old = before.getOrDefault(field, "none");
            var next = after.getOrDefault(field, "none");
            if (!old.equals(next)) {
                changes.add(field + " " + old + " -> " + next);
            }
        }
        return List.copyOf(changes);
    }

    private static void flatten(String path, JsonNode node, TreeMap<String, String> into) {
        for (var field : node.properties()) {
            var name = path + field.getKey();
            var value = field.getValue();
            if (value.isObject()) {
                flatten(name + ".", value, into);
            } else if (!isNothing(name, value)) {
                into.put(name, text(value));
            }
        }
    }

    /** The pool does not show a guarantee of 0; a limit of 0 is one. */
    private static boolean isNothing(String name, JsonNode value) {
        return name.startsWith("guaranteed.") && text(value).equals("0");
    }

    /** The pool keeps lists of names in an order of its own, and each name once. */
    private static String text(JsonNode value) {
        return value.isArray()
                ? value.valueStream()
                        .map(SettingDifference::text)
                        .distinct()
                        .sorted()
                        .toList()
                        .toString()
                : value.isObject() ? value.toString() : value.asString();
    }
}
