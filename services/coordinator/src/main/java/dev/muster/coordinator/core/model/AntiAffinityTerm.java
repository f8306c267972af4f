package dev.muster.coordinator.core.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Pods of other jobs that one may not share a node with: a required anti-affinity term over the
 * hostname, as kube-scheduler reads it.
 *
 * @param namespaces of which pods are meant; empty: of every one
 * @param requirements on their labels, which hold together; none: every pod
 */
public record AntiAffinityTerm(SortedSet<String> namespaces, List<Requirement> requirements) {
    public static final String JOB = "muster.dev/job";
    public static final String ROLE = "muster.dev/role";

    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST
    }

    public record Requirement(String key, Operator operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        private boolean matches(Map<String, String> labels) {
            var own = labels.get(key);
            return switch (operator) {
                case IN -> own != null && values.contains(own);
                case NOT_IN -> own == null || !values.contains(own);
                case EXISTS -> own != null;
                case DOES_NOT_EXIST -> own == null;
            };
        }
    }

    /** One value of a label, or of what is told like one. */
    public record Anchor(String key, String value) {
        private static final Anchor ANY = new Anchor("", "");

        private static Anchor namespace(String name) {
            return new Anchor("", name);
        }
    }

    public AntiAffinityTerm {
        namespaces =
                namespaces.isEmpty()
                        ? Collections.emptySortedSet()
                        : Collections.unmodifiableSortedSet(new TreeSet<>(namespaces));
        requirements = List.copyOf(requirements);
    }

    /** Of pods that it selects each has one of these, which may be had by others, too. */
    public List<Anchor> anchors() {
        for (var one : requirements) {
            // The same few roles are in most jobs.
            if (one.operator() == Operator.IN && !one.key().equals(ROLE)) {
                return one.values().stream()
                        .distinct()
                        .map(value -> new Anchor(one.key(), value))
                        .toList();
            }
        }
        return namespaces.isEmpty()
                ? List.of(Anchor.ANY)
                : namespaces.stream().map(Anchor::namespace).toList();
    }

    /** All that pods of a job have by which a term may find them. */
    public static List<Anchor> anchorsOf(JobId job, JobSpec spec) {
        var anchors = new ArrayList<Anchor>();
        anchors.add(Anchor.ANY);
        anchors.add(Anchor.namespace(job.namespace()));
        anchors.add(new Anchor(JOB, job.name()));
        spec.place().labels().forEach((key, value) -> anchors.add(new Anchor(key, value)));
        for (var labels : spec.place().neighbours().labels().values()) {
            labels.forEach((key, value) -> anchors.add(new Anchor(key, value)));
        }
        return anchors.stream().distinct().toList();
    }

    /** What all pods of a role bear that terms may ask for. */
    public static SortedMap<String, String> labels(JobId job, JobSpec spec, String role) {
        var place = spec.place();
        var labels = new TreeMap<>(place.labels());
        labels.putAll(place.neighbours().labels().getOrDefault(role, Collections.emptySortedMap()));
        labels.put(JOB, job.name());
        labels.put(ROLE, role);
        return labels;
    }

    public boolean selects(String namespace, Map<String, String> labels) {
        return (namespaces.isEmpty() || namespaces.contains(namespace))
                && requirements.stream().allMatch(one -> one.matches(labels));
    }
}
