package dev.muster.coordinator.core.model;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes a pod accepts, as kube-scheduler reads it: node selector, required node affinity and
 * tolerations against taints that forbid scheduling.
 *
 * @param selector labels that must be there with these values
 * @param affinity terms of which one suffices; empty: every node
 * @param tolerations of taints
 * @param avoided names of nodes that the job failed on
 */
public record NodeFilter(
        SortedMap<String, String> selector,
        List<Term> affinity,
        List<Toleration> tolerations,
        SortedSet<String> avoided) {
    /** Kubernetes itself taints so what is cordoned, not ready, or short of something. */
    private static final String OF_STATE = "node.kubernetes.io/";

    public static final NodeFilter ANY = of(new TreeMap<>(), List.of(), List.of());

    /** All requirements hold together; a term without any matches no node. */
    public record Term(List<Requirement> requirements) {
        public Term {
            requirements = List.copyOf(requirements);
        }

        public boolean accepts(Node node) {
            return !requirements.isEmpty() && requirements.stream().allMatch(r -> r.accepts(node));
        }
    }

    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GT,
        LT
    }

    /**
     * One requirement on a label.
     *
     * @param field true: on the node's name, whatever the key says, since {@code metadata.name} is
     *     the only field there is
     */
    public record Requirement(String key, Operator operator, List<String> values, boolean field) {
        public Requirement {
            values = List.copyOf(values);
        }

        boolean accepts(Node node) {
            String value = field ? node.name() : node.labels().get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case GT -> compare(value) > 0;
                case LT -> compare(value) < 0;
            };
        }

        /** 0 where one side is no number: then neither GT nor LT holds, as in Kubernetes. */
        private int compare(@Nullable String value) {
            try {
                return value == null || values.size() != 1
                        ? 0
                        : Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
            } catch (NumberFormatException notANumber) {
                return 0;
            }
        }
    }

    /**
     * @param key empty: every key
     * @param exists true: whatever the taint's value
     * @param effect null: every effect
     */
    public record Toleration(
            String key, boolean exists, String value, Node.@Nullable Effect effect) {
        public boolean tolerates(Node.Taint taint) {
            return (effect == null || effect == taint.effect())
                    && (key.isEmpty() ? exists : key.equals(taint.key()))
                    && (exists || Objects.equals(value, taint.value()));
        }
    }

    public NodeFilter {
        selector = Collections.unmodifiableSortedMap(new TreeMap<>(selector));
        affinity = List.copyOf(affinity);
        tolerations = List.copyOf(tolerations);
        avoided = Collections.unmodifiableSortedSet(new TreeSet<>(avoided));
    }

    /** What a template says. */
    public static NodeFilter of(
            SortedMap<String, String> selector, List<Term> affinity, List<Toleration> tolerations) {
        return new NodeFilter(selector, affinity, tolerations, new TreeSet<>());
    }

    NodeFilter avoiding(SortedSet<String> nodes) {
        return new NodeFilter(selector, affinity, tolerations, nodes);
    }

    /** Labels match, whatever the node's taints. */
    public boolean matchesLabels(Node node) {
        return !avoided.contains(node.name()) && isOfKind(node);
    }

    /** Labels match: once it is fit to be used, a pod may go there. */
    public boolean isOfKind(Node node) {
        return missingLabel(node) == null
                && (affinity.isEmpty() || affinity.stream().anyMatch(term -> term.accepts(node)));
    }

    /** The first label of the selector that the node does not have so, as {@code key=value}. */
    public @Nullable String missingLabel(Node node) {
        for (var label : selector.entrySet()) {
            if (!label.getValue().equals(node.labels().get(label.getKey()))) {
                return label.getKey() + "=" + label.getValue();
            }
        }
        return null;
    }

    public boolean tolerates(Node node) {
        return untolerated(node) == null;
    }

    /** The first taint that keeps the pod off. */
    public Node.@Nullable Taint untolerated(Node node) {
        for (var taint : node.taints()) {
            if (taint.effect() != Node.Effect.PREFER_NO_SCHEDULE
                    && tolerations.stream().noneMatch(t -> t.tolerates(taint))) {
                return taint;
            }
        }
        return null;
    }

    /** What keeps the pod off, if anything does, is how the node stands, which passes. */
    public boolean isKeptOffByStateAlone(Node node) {
        return node.taints().stream()
                .filter(taint -> taint.effect() != Node.Effect.PREFER_NO_SCHEDULE)
                .filter(taint -> tolerations.stream().noneMatch(t -> t.tolerates(taint)))
                .allMatch(taint -> taint.key().startsWith(OF_STATE));
    }

    public boolean accepts(Node node) {
        return matchesLabels(node) && tolerates(node);
    }
}
