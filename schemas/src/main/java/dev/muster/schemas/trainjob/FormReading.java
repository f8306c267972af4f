package dev.muster.schemas.trainjob;

import dev.muster.schemas.contract.Paths;
import dev.muster.schemas.trainjob.FormSchema.Finding;
import dev.muster.schemas.trainjob.TrainJobForm.Read;
import dev.muster.schemas.trainjob.TrainJobForm.Refused;
import dev.muster.v1.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One document on its way from tree to record: checked, freed of what is wrong, mapped. */
final class FormReading {
    private static final FormSchema SCHEMA = new FormSchema("trainjob-v1.schema.json");

    private final JsonNode document;

    FormReading(JsonNode document) {
        this.document = document;
    }

    TrainJobForm.Result result() {
        var findings = SCHEMA.check(document);
        var problems = new ArrayList<Problem>();
        findings.forEach(finding -> problems.add(finding.problem()));
        var rest = rest(findings, problems);
        if (problems.isEmpty() && rest != null) {
            return rest;
        }
        problems.sort(inOrderOfTheText());
        return new Refused(problems, rest);
    }

    /** The job that is left without the findings; null where none is. */
    private @Nullable Read rest(List<Finding> findings, List<Problem> problems) {
        if (!(document instanceof ObjectNode whole)) {
            return null;
        }
        var left = whole.deepCopy();
        for (var finding : findings) {
            leaveOut(left, finding.steps());
        }
        var fields = new Fields(left, "", problems);
        return SpecReader.canRead(left) ? SpecReader.read(fields) : null;
    }

    /**
     * Removes the smallest field that holds the value. A list loses no single items, since the
     * others' indices would move; roles lose single fields; templates stay as they are, and so do
     * names, by which the rest is known.
     */
    private static void leaveOut(ObjectNode from, List<Object> steps) {
        JsonNode at = from;
        var owner = from;
        @Nullable String field = null;
        for (var step : steps) {
            if (step instanceof Integer index) {
                if (!"roles".equals(field)) {
                    break;
                }
                at = at.path(index);
                field = null;
            } else if ("template".equals(step) || !(at instanceof ObjectNode object)) {
                return;
            } else {
                owner = object;
                field = String.valueOf(step);
                at = object.path(field);
            }
        }
        var isName = "name".equals(field) && at.isString();
        if (field != null && !isName) {
            owner.remove(field);
        }
    }

    private Comparator<Problem> inOrderOfTheText() {
        var order = new HashMap<String, Integer>();
        number(document, "", order);
        return Comparator.comparingInt(problem -> place(problem.getPath(), order));
    }

    private static int place(String path, Map<String, Integer> order) {
        var known = path;
        while (!order.containsKey(known)) {
            known = Paths.parent(known);
        }
        return order.getOrDefault(known, 0);
    }

    private static void number(JsonNode node, String path, Map<String, Integer> order) {
        order.put(path, order.size());
        for (var field : node.properties()) {
            number(field.getValue(), Paths.field(path, field.getKey()), order);
        }
        for (var i = 0; node.isArray() && i < node.size(); i++) {
            number(node.get(i), Paths.item(path, i), order);
        }
    }
}
