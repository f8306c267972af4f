package dev.muster.admission.core;

import dev.muster.admission.core.PodNeeds.PodTerm;
import dev.muster.admission.core.PodNeeds.Ranks;
import dev.muster.schemas.contract.LabelNames;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * What a template asks of the pods beside its own. Muster's placement knows one such wish: which
 * pods of any job a pod may not share a node with. Of the others it warns, since kube-scheduler
 * sees to them only after the pods were placed.
 */
final class PodAffinity {
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String UNTOLD =
            "is seen among the pods of the job alone when Muster places them, since of those of"
                    + " other jobs such labels are not known; one that kube-scheduler then refuses"
                    + " is placed again, on another node";
    private static final String NAMESPACES =
            "is seen in the namespaces that it names alone when Muster places the pods, since the"
                    + " labels of namespaces are not known; one that kube-scheduler then refuses is"
                    + " placed again, on another node";
    private static final String UNSEEN =
            "is not seen when Muster places the pods; one that kube-scheduler then refuses is"
                    + " placed again, on another node";

    /** A role without any index is one. */
    static final int MOST_RUNS = 1_000;

    private static final String TOO_FINE =
            "selects pods by their indices in more than %,d runs, and so ".formatted(MOST_RUNS)
                    + UNSEEN;

    private final TrainJob job;
    private final String role;
    private final SequencedMap<String, Map<String, String>> labels;
    private final Problems warnings;

    /**
     * Pods that a pod may not share a node with.
     *
     * @param itsRole all others of its role
     * @param others of its job, beside those
     * @param strangers of other jobs
     */
    record Apart(boolean itsRole, List<Ranks> others, List<PodTerm> strangers) {}

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
        warn(affinity.object("podAffinity").objects(REQUIRED), UNSEEN);
        warn(
                spec.objects("topologySpreadConstraints").stream()
                        .filter(spread ->
                                !"ScheduleAnyway".equals(spread.text("whenUnsatisfiable")))
                        .toList(),
                UNSEEN);
        var found = new LinkedHashSet<Ranks>();
        var strangers = new LinkedHashSet<PodTerm>();
        for (var term : affinity.object("podAntiAffinity").objects(REQUIRED)) {
            var selector = selector(term);
            if (!isSeen(term) || !selector.isForeseen()) {
                warn(List.of(term), UNSEEN);
            } else if (selector.isTooFine()) {
                warn(List.of(term), TOO_FINE);
            } else {
                var selected = selected(term, selector);
                selected.addAll(found);
                if (selected.size() > MOST_RUNS) {
                    warn(List.of(term), TOO_FINE);
                } else {
                    found.addAll(selected);
                    strangers.addAll(strangers(term, selector));
                }
            }
        }
        boolean itsRole = found.remove(new Ranks(role, 0, null));
        return new Apart(itsRole, List.copyOf(found), List.copyOf(strangers));
    }

    private void warn(List<JsonObject> parts, String of) {
        parts.forEach(part -> warnings.add(part.path(), "", of));
    }

    private PodSelector selector(JsonObject term) {
        return new PodSelector(
                term.object("labelSelector"),
                term.texts("matchLabelKeys"),
                term.texts("mismatchLabelKeys"),
                labels.getOrDefault(role, Map.of()));
    }

    private static boolean isSeen(JsonObject term) {
        return HOSTNAME.equals(term.text("topologyKey")) && term.has("labelSelector");
    }

    /** Of its job. */
    private LinkedHashSet<Ranks> selected(JsonObject term, PodSelector selector) {
        var found = new LinkedHashSet<Ranks>();
        if (isOfAny(term) || namespaces(term).contains(job.namespace())) {
            labels.forEach((name, its) -> found.addAll(selector.of(name, its)));
        }
        return found;
    }

    /** Of other jobs; at most one. */
    private List<PodTerm> strangers(JsonObject term, PodSelector selector) {
        var namespaces = isOfAny(term) ? List.<String>of() : namespaces(term);
        if (term.has("namespaceSelector") && !isOfAny(term)) {
            warn(List.of(term), NAMESPACES);
            if (namespaces.isEmpty()) {
                return List.of();
            }
        }
        boolean isOwn =
                selector.isPinned(LabelNames.JOB, job.name())
                        && namespaces.equals(List.of(job.namespace()));
        if (isOwn) {
            return List.of();
        }
        if (!selector.isTold()) {
            warn(List.of(term), UNTOLD);
            return List.of();
        }
        var asked = selector.onOthers();
        return asked == null ? List.of() : List.of(new PodTerm(namespaces, asked));
    }

    /** An empty selector: every one. */
    private static boolean isOfAny(JsonObject term) {
        return term.has("namespaceSelector")
                && term.object("namespaceSelector").members().isEmpty();
    }

    /** Nothing said: the pod's own. */
    private List<String> namespaces(JsonObject term) {
        var names = term.texts("namespaces").stream().distinct().sorted().toList();
        return names.isEmpty() && !term.has("namespaceSelector") ? List.of(job.namespace()) : names;
    }
}
