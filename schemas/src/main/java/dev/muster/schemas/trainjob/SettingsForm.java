package dev.muster.schemas.trainjob;

import dev.muster.schemas.contract.Paths;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.Problem;
import dev.muster.v1.QueueSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Reads a file of queues and pools: YAML documents, or one in JSON. */
public final class SettingsForm {
    private static final int MAX_LENGTH = 1 << 20;
    private static final FormSchema QUEUE = new FormSchema("queue-v1.schema.json");
    private static final FormSchema POOL = new FormSchema("pool-v1.schema.json");

    private SettingsForm() {}

    /** One thing that an operator sets. */
    public sealed interface Setting {
        /** Its name. */
        String name();
    }

    /**
     * A queue as it is to be.
     *
     * @param unsaid which of {@code paused} and {@code draining} it says nothing of: operators
     *     switch them, and they stay as they are; a queue that is made is open
     */
    public record QueueSetting(String name, QueueSpec spec, SortedSet<String> unsaid)
            implements Setting {
        private static final List<String> SWITCHES = List.of("paused", "draining");

        private static final List<String> OTHERS =
                List.of(
                        "pool",
                        "weight",
                        "backfill",
                        "maxWaiting",
                        "guaranteed",
                        "limit",
                        "borrowing",
                        "borrowLimit",
                        "lendLimit",
                        "maxRunning",
                        "order",
                        "reserveAfter",
                        "defaultPriority",
                        "namespaces",
                        "group");

        /** Copies the names in. */
        public QueueSetting {
            unsaid = Collections.unmodifiableSortedSet(new TreeSet<>(unsaid));
        }

        /** One that says all. */
        public QueueSetting(String name, QueueSpec spec) {
            this(name, spec, new TreeSet<>());
        }

        /** What a change must name so that the queue is as it says. */
        public List<String> fields() {
            return Stream.concat(OTHERS.stream(), SWITCHES.stream())
                    .filter(field -> !unsaid.contains(field))
                    .toList();
        }
    }

    /** A pool as it is to be. */
    public record PoolSetting(String name, PoolSpec spec) implements Setting {}

    /**
     * Reads all settings of a text, in its order.
     *
     * @return the settings, or everything that is wrong with the text; where it has several
     *     documents a problem's path begins with the document's index, as in {@code
     *     [1].spec.weight}; never an exception
     */
    public static Form<List<Setting>> read(String text) {
        return switch (FormText.parseAll(text, MAX_LENGTH)) {
            case FormText.Unreadable(var problem) -> new Form.Refused<>(List.of(problem));
            // JSON is one document, YAML a list of them.
            case FormText.Parsed(var parsed) ->
                    read(parsed.isArray() ? List.copyOf(parsed.values()) : List.of(parsed));
        };
    }

    private static Form<List<Setting>> read(List<JsonNode> documents) {
        if (documents.isEmpty()) {
            return new Form.Refused<>(
                    List.of(new Problem("", "", "the text holds no queue and no pool")));
        }
        var problems = new ArrayList<Problem>();
        var settings = new ArrayList<Setting>();
        var queues = new TreeSet<String>();
        var pools = new TreeSet<String>();
        for (var i = 0; i < documents.size(); i++) {
            var path = documents.size() == 1 ? "" : Paths.item("", i);
            var before = problems.size();
            var isPool = "Pool".equals(documents.get(i).path("kind").asString(""));
            for (var finding : (isPool ? POOL : QUEUE).check(documents.get(i))) {
                problems.add(under(path, finding.problem()));
            }
            if (problems.size() == before) {
                var fields = new Fields(documents.get(i), path, problems);
                var setting = setting(isPool, fields);
                if (!(isPool ? pools : queues).add(setting.name())) {
                    problems.add(under(path, twice(setting.name())));
                }
                settings.add(setting);
            }
        }
        return problems.isEmpty()
                ? new Form.Read<>(List.copyOf(settings))
                : new Form.Refused<>(problems);
    }

    /** A file is one request of each that it names: the second would be taken for a repeat. */
    private static Problem twice(String name) {
        return new Problem("metadata.name", name, "is the name of an earlier document of its kind");
    }

    private static Problem under(String path, Problem problem) {
        var inside = problem.getPath();
        var whole = path.isEmpty() || inside.isEmpty() ? path + inside : path + "." + inside;
        return new Problem(whole, problem.getGiven(), problem.getMessage());
    }

    private static Setting setting(boolean isPool, Fields document) {
        var name = document.object().path("metadata").path("name").asString();
        if (isPool) {
            return new PoolSetting(name, SettingsReader.pool(document));
        }
        var said = document.object().path("spec");
        var unsaid = new TreeSet<>(QueueSetting.SWITCHES);
        unsaid.removeIf(said::has);
        return new QueueSetting(name, SettingsReader.queue(document), unsaid);
    }
}
