package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes of single fields of a queue or pool, as in {@code weight=3}, {@code limit.cpu=20}, {@code
 * namespaces=ml,vision}; nothing after the sign takes a field away. What a field may be, admission
 * knows.
 */
final class SettingEdit {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Text even where it looks like a number. */
    private static final Set<String> TEXTS =
            Set.of(
                    "pool",
                    "group",
                    "order",
                    "backend",
                    "capacity",
                    "backendQueue",
                    "policy",
                    "preemption");

    private static final String SELECTOR = "nodeSelector";
    private static final String LIST = "namespaces";

    private SettingEdit() {}

    /**
     * Only the fields that change, as a merge patch: what is taken away is null.
     *
     * @param words each {@code FIELD=VALUE}
     */
    static ObjectNode patch(List<String> words) {
        var patch = JSON.createObjectNode();
        patch.putObject("spec");
        for (var word : words) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw new CommandFailedException(
                        ExitCode.USAGE,
                        List.of(word + " is no FIELD=VALUE, as in weight=3 or limit.cpu=20"),
                        null);
            }
            var path = path(word.substring(0, equals));
            var value = word.substring(equals + 1);
            var owner = owner(patch, path);
            if (value.isEmpty()) {
                owner.putNull(path.getLast());
            } else {
                owner.set(path.getLast(), value(path, value));
            }
        }
        return patch;
    }

    /** A resource, a label and a class may have dots of their own. */
    private static List<String> path(String field) {
        var steps = new ArrayList<>(List.of("spec"));
        if (field.startsWith("spot." + SELECTOR + ".")) {
            steps.add("spot");
            steps.addAll(Arrays.asList(field.substring("spot.".length()).split("\\.", 2)));
        } else {
            steps.addAll(Arrays.asList(field.split("\\.", 2)));
        }
        return steps;
    }

    private static ObjectNode owner(ObjectNode document, List<String> path) {
        var owner = document;
        for (var step : path.subList(0, path.size() - 1)) {
            owner = owner.get(step) instanceof ObjectNode known ? known : owner.putObject(step);
        }
        return owner;
    }

    private static JsonNode value(List<String> path, String text) {
        var make = JsonNodeFactory.instance;
        var field = path.get(1);
        if (field.equals(LIST)) {
            var list = make.arrayNode();
            Arrays.stream(text.split(",", -1)).map(String::strip).forEach(list::add);
            return list;
        }
        if (TEXTS.contains(field) || path.contains(SELECTOR)) {
            return make.stringNode(text);
        }
        if (text.equals("true") || text.equals("false")) {
            return make.booleanNode(Boolean.parseBoolean(text));
        }
        return text.matches("-?[0-9]{1,18}")
                ? make.numberNode(Long.parseLong(text))
                : make.stringNode(text);
    }
}
