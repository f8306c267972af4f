package dev.muster.cli.text;

import dev.muster.cli.SettingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Queues or pools as lines of a table. */
public final class SettingTable {
    private static final int NAMED = 5;

    private final SettingKind kind;
    private final boolean wide;

    public SettingTable(SettingKind kind, boolean wide) {
        this.kind = kind;
        this.wide = wide;
    }

    /** The heading, and a line for each document. */
    public List<String> lines(List<JsonNode> documents) {
        var rows = documents.stream().map(this::cells).toList();
        var table = new Table(headings(), rows);
        var lines = new ArrayList<String>();
        lines.add(table.line(headings()));
        rows.forEach(row -> lines.add(table.line(row)));
        return lines;
    }

    private List<String> headings() {
        return switch (kind) {
            case QUEUE ->
                    joined(
                            List.of("NAME", "POOL", "WEIGHT", "WAITING", "RUNNING", "STATE"),
                            List.of("GUARANTEED", "LIMIT", "BORROWED", "ORDER", "NAMESPACES"),
                            List.of("USED"));
            case POOL ->
                    joined(
                            List.of("NAME", "NUMBER", "POLICY", "PREEMPTION", "SUSPECT"),
                            List.of("BACKEND", "AGING", "CLASSES", "SELECTOR", "FREE"),
                            List.of("NODES"));
        };
    }

    private List<String> cells(JsonNode document) {
        var name = document.path("metadata").path("name").asString("");
        var spec = document.path("spec");
        var status = document.path("status");
        return switch (kind) {
            case QUEUE ->
                    joined(
                            List.of(
                                    name,
                                    text(spec, "pool"),
                                    text(spec, "weight"),
                                    text(status, "waiting"),
                                    text(status, "running"),
                                    state(spec, status)),
                            List.of(
                                    amounts(spec.path("guaranteed")),
                                    amounts(spec.path("limit")),
                                    amounts(status.path("borrowed")),
                                    text(spec, "order"),
                                    namespaces(spec)),
                            List.of(amounts(status.path("used"))));
            case POOL ->
                    joined(
                            List.of(
                                    name,
                                    text(spec, "number"),
                                    text(spec, "policy"),
                                    text(spec, "preemption"),
                                    suspects(status)),
                            List.of(
                                    text(spec, "backend"),
                                    text(spec.path("aging"), "step"),
                                    amounts(spec.path("priorityClasses")),
                                    selector(spec),
                                    amounts(status.path("free"))),
                            List.of(nodes(status)));
        };
    }

    private List<String> joined(List<String> first, List<String> ifWide, List<String> last) {
        var all = new ArrayList<>(first);
        if (wide) {
            all.addAll(ifWide);
        }
        all.addAll(last);
        return all;
    }

    /** What an operator did to it, else what holds it up. */
    private static String state(JsonNode spec, JsonNode status) {
        var states = new ArrayList<String>();
        if (spec.path("paused").asBoolean(false)) {
            states.add("Paused");
        }
        if (spec.path("draining").asBoolean(false)) {
            states.add("Draining");
        }
        var reason = status.path("reason").path("code").asString("");
        if (!reason.isEmpty() && !reason.equals("QueuePaused")) {
            states.add(reason);
        }
        return states.isEmpty() ? "Open" : String.join(",", states);
    }

    private static String namespaces(JsonNode spec) {
        var names = spec.path("namespaces").valueStream().map(JsonNode::asString).toList();
        return names.isEmpty() ? "all" : String.join(",", names);
    }

    /** Nodes that are chosen last, or never: how many or, where there is room, which. */
    private String suspects(JsonNode status) {
        int all = status.path("suspects").asInt(0);
        if (!wide || all == 0) {
            return "" + all;
        }
        var names =
                status.path("suspectNodes")
                        .valueStream()
                        .limit(NAMED)
                        .map(SettingTable::suspect)
                        .collect(Collectors.joining(","));
        return all > NAMED ? "%s,%d more".formatted(names, all - NAMED) : names;
    }

    private static String suspect(JsonNode node) {
        boolean isExcluded = node.path("chosen").asString("").equals("never");
        return node.path("name").asString("") + (isExcluded ? "(excluded)" : "");
    }

    /** Those that take pods, of all. */
    private static String nodes(JsonNode status) {
        return status.has("nodes") ? text(status, "readyNodes") + "/" + text(status, "nodes") : "-";
    }

    private static String selector(JsonNode spec) {
        var selector = amounts(spec.path("nodeSelector"));
        return selector.equals("-") ? "the rest" : selector;
    }

    private static String text(JsonNode object, String field) {
        var value = object.path(field);
        return value.isMissingNode() ? "-" : value.asString();
    }

    private static String amounts(JsonNode map) {
        var amounts =
                map.properties().stream()
                        .map(amount -> amount.getKey() + "=" + amount.getValue().asString())
                        .collect(Collectors.joining(","));
        return amounts.isEmpty() ? "-" : amounts;
    }
}
