package dev.muster.admission.core;

import dev.muster.admission.core.PodNeeds.Ranks;
import dev.muster.schemas.contract.LabelNames;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * What a template asks of the pods beside its own. Muster's placement knows one such wish: which
 * pods of its job a pod may not share a node with. Of the others it warns, since kube-scheduler
 * sees to them only after the pods were placed.
 */
final class PodAffinity {
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String BEYOND =
            "may also keep it from pods of other jobs and of none; of those nothing is seen when"
                    + " Muster places the pods; one that kube-scheduler then refuses is placed"
                    + " again, on another node";
    private static final String UNSEEN =
            "is not seen when Muster places the pods; one that kube-scheduler then refuses is"
                    + " placed again, on another node";

    private final TrainJob job;
    private final String role;
    private final SequencedMap<String, Map<String, String>> labels;
    private final Problems warnings;

    /**
     * Pods of its job that a pod may not share a node with.
     *
     * @param itsRole all others of its role
     */
    record Apart(boolean itsRole, List<Ranks> others) {}

    /**
     * @param labels what all pods of a role bear, by role, in the job's order
     */
    PodAffinity(
            TrainJob job,
            String role,
            SequencedMap<String, Map<String, String>> labels,
            Problems warnings) {
        this.job = job;
        this.role = role;
        this.labels = labels;
        this.warnings = warnings;
    }

    Apart apart(JsonObject spec) {
        var affinity = spec.object("affinity");
        warn(affinity.object("podAffinity").objects(REQUIRED));
        warn(
                spec.objects("topologySpreadConstraints").stream()
                        .filter(spread ->
                                !"ScheduleAnyway".equals(spread.text("whenUnsatisfiable")))
                        .toList());
        var found = new LinkedHashSet<Ranks>();
        for (var term : affinity.object("podAntiAffinity").objects(REQUIRED)) {
            found.addAll(selected(term));
        }
        boolean itsRole = found.remove(new Ranks(role, 0, null));
        return new Apart(itsRole, List.copyOf(found));
    }

    private void warn(List<JsonObject> unseen) {
        unseen.forEach(part -> warnings.add(part.path(), "", UNSEEN));
    }

    /** Of its job; what is selected beside those is warned of. */
    private LinkedHashSet<Ranks> selected(JsonObject term) {
        var found = new LinkedHashSet<Ranks>();
        var selector = new PodSelector(term.object("labelSelector"));
        if (isSeen(term) && selector.isForeseen()) {
            labels.forEach((name, its) -> found.addAll(selector.of(name, its)));
        }
        if (found.isEmpty()) {
            warn(List.of(term));
        } else if (!selector.isPinned(LabelNames.JOB, job.name())) {
            warnings.add(term.path(), "", BEYOND);
        }
        return found;
    }

    private boolean isSeen(JsonObject term) {
        return HOSTNAME.equals(term.text("topologyKey"))
                && ofOwnNamespace(term)
                && term.has("labelSelector")
                && !term.has("matchLabelKeys")
                && !term.has("mismatchLabelKeys");
    }

    /** Nothing said: the pod's own; an empty selector: every one. */
    private boolean ofOwnNamespace(JsonObject term) {
        var names = term.texts("namespaces");
        if (term.has("namespaceSelector")) {
            return term.object("namespaceSelector").members().isEmpty()
                    || names.contains(job.namespace());
        }
        return names.isEmpty() || names.contains(job.namespace());
    }
}
