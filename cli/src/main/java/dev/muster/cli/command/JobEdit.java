package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes of single fields of a job, as in {@code spec.queue=b}, {@code
 * spec.roles[worker].replicas=4}, {@code metadata.labels['example.org/team']=a}. An item of a list
 * is named by its number or by its name. What a field may be, admission knows.
 */
final class JobEdit {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern STEP =
            Pattern.compile("\\.?([A-Za-z0-9_-]+)|\\['([^']+)'\\]|\\[([A-Za-z0-9.-]+)\\]");

    private JobEdit() {}

    /** One step of a path: a field, or an item of a list. */
    private record Step(String name, boolean isItem) {}

    /**
     * The same job with the fields changed.
     *
     * @param words each {@code FIELD=VALUE}, the value as in YAML
     */
    static JsonNode edited(JsonNode job, List<String> words) {
        var edited = job.deepCopy();
        for (var word : words) {
            int equals = word.indexOf('=');
            var steps = equals < 1 ? List.<Step>of() : steps(word.substring(0, equals));
            if (steps.isEmpty()) {
                throw usage(word + " is no FIELD=VALUE, as in spec.queue=b");
            }
            set(edited, steps, word.substring(equals + 1), word);
        }
        return edited;
    }

    /** Empty: it is no path. */
    private static List<Step> steps(String path) {
        var steps = new ArrayList<Step>();
        var matcher = STEP.matcher(path);
        int at = 0;
        while (at < path.length() && matcher.find(at) && matcher.start() == at) {
            var item = matcher.group(3);
            var field = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            steps.add(item == null ? new Step(field, false) : new Step(item, true));
            at = matcher.end();
        }
        return at == path.length() ? steps : List.of();
    }

    private static void set(JsonNode job, List<Step> steps, String value, String word) {
        var owner = job;
        for (var step : steps.subList(0, steps.size() - 1)) {
            var next = child(owner, step);
            if (next == null && owner instanceof ObjectNode object && !step.isItem()) {
                next = object.putObject(step.name());
            }
            if (next == null) {
                throw usage("%s: the job has no %s".formatted(word, step.name()));
            }
            owner = next;
        }
        var last = steps.getLast();
        if (owner instanceof ObjectNode object && !last.isItem()) {
            if (value.isEmpty()) {
                object.remove(last.name());
            } else {
                object.set(last.name(), value(value, word));
            }
        } else if (owner instanceof ArrayNode list && last.isItem() && index(list, last) >= 0) {
            if (value.isEmpty()) {
                list.remove(index(list, last));
            } else {
                list.set(index(list, last), value(value, word));
            }
        } else {
            throw usage("%s: the job has no %s".formatted(word, last.name()));
        }
    }

    private static @Nullable JsonNode child(JsonNode owner, Step step) {
        if (owner instanceof ArrayNode list && step.isItem()) {
            int index = index(list, step);
            return index < 0 ? null : list.get(index);
        }
        return step.isItem() ? null : owner.get(step.name());
    }

    /** Below 0: there is none. */
    private static int index(ArrayNode list, Step step) {
        if (step.name().matches("[0-9]{1,4}")) {
            int index = Integer.parseInt(step.name());
            return index < list.size() ? index : -1;
        }
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).path("name").asString("").equals(step.name())) {
                return i;
            }
        }
        return -1;
    }

    private static JsonNode value(String text, String word) {
        try {
            var value = new Load(LoadSettings.builder().build()).loadFromString(text);
            return JSON.valueToTree(value);
        } catch (YamlEngineException e) {
            throw usage(word + ": the value is no YAML");
        }
    }

    private static CommandFailedException usage(String line) {
        return new CommandFailedException(ExitCode.USAGE, List.of(line), null);
    }
}
