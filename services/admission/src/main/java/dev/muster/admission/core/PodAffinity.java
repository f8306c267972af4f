package dev.muster.admission.core;

import java.util.List;
import java.util.Map;

/**
 * What a template asks of the pods beside its own. Muster's placement knows one such wish: no two
 * pods of a role on one node. Of the others it warns, since kube-scheduler sees to them only after
 * the pods were placed.
 */
final class PodAffinity {
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String BEYOND =
            "also keeps it from pods that are not of its role; of that nothing is seen when Muster"
                    + " places the pods; one that kube-scheduler then refuses is placed again, on"
                    + " another node";
    private static final String UNSEEN =
            "is not seen when Muster places the pods; one that kube-scheduler then refuses is"
                    + " placed again, on another node";

    private final String namespace;
    private final Map<String, String> ownLabels;
    private final Problems warnings;

    /**
     * @param ownLabels what every pod of the role bears
     */
    PodAffinity(String namespace, Map<String, String> ownLabels, Problems warnings) {
        this.namespace = namespace;
        this.ownLabels = Ordered.copy(ownLabels);
        this.warnings = warnings;
    }

    /** Whether no two pods of the role may share a node. */
    boolean onePerNode(JsonObject spec) {
        var affinity = spec.object("affinity");
        warn(affinity.object("podAffinity").objects(REQUIRED));
        warn(
                spec.objects("topologySpreadConstraints").stream()
                        .filter(spread ->
                                !"ScheduleAnyway".equals(spread.text("whenUnsatisfiable")))
                        .toList());
        boolean found = false;
        for (var term : affinity.object("podAntiAffinity").objects(REQUIRED)) {
            if (HOSTNAME.equals(term.text("topologyKey")) && isOfOwnPods(term)) {
                found = true;
                if (!isOfOwnRole(term.object("labelSelector"))) {
                    warnings.add(term.path(), "", BEYOND);
                }
            } else {
                warn(List.of(term));
            }
        }
        return found;
    }

    private void warn(List<JsonObject> unseen) {
        unseen.forEach(part -> warnings.add(part.path(), "", UNSEEN));
    }

    private boolean isOfOwnPods(JsonObject term) {
        return ofOwnNamespace(term)
                && term.has("labelSelector")
                && !term.has("matchLabelKeys")
                && !term.has("mismatchLabelKeys")
                && selects(term.object("labelSelector"));
    }

    /** It selects nothing but pods of the job's role. */
    private boolean isOfOwnRole(JsonObject selector) {
        return List.of(TemplateReader.JOB, TemplateReader.ROLE).stream()
                .allMatch(label -> isPinned(selector, label));
    }

    private boolean isPinned(JsonObject selector, String label) {
        var own = ownLabels.get(label);
        return selector.textsByKey("matchLabels").containsKey(label)
                || selector.objects("matchExpressions").stream()
                        .anyMatch(expression ->
                                label.equals(expression.text("key"))
                                        && "In".equals(expression.text("operator"))
                                        && expression.texts("values").equals(List.of(own)));
    }

    /** Nothing said: the pod's own; an empty selector: every one. */
    private boolean ofOwnNamespace(JsonObject term) {
        var names = term.texts("namespaces");
        if (term.has("namespaceSelector")) {
            return term.object("namespaceSelector").members().isEmpty()
                    || names.contains(namespace);
        }
        return names.isEmpty() || names.contains(namespace);
    }

    private boolean selects(JsonObject selector) {
        return ownLabels.entrySet().containsAll(selector.textsByKey("matchLabels").entrySet())
                && selector.objects("matchExpressions").stream().allMatch(this::holds);
    }

    private boolean holds(JsonObject expression) {
        var key = expression.text("key");
        var own = key == null ? null : ownLabels.get(key);
        var values = expression.texts("values");
        return switch (expression.text("operator")) {
            case "In" -> own != null && values.contains(own);
            case "NotIn" -> own == null || !values.contains(own);
            case "Exists" -> own != null;
            case "DoesNotExist" -> own == null;
            case null, default -> false;
        };
    }
}
