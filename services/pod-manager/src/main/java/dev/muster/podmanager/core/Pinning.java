package dev.muster.podmanager.core;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirementBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Binds a pod to one node, or to some, by affinity: the scheduler still has to agree. */
final class Pinning {
    private Pinning() {}

    /**
     * What {@code affinity} asks, and that node besides.
     *
     * <p>Terms are alternatives, so each of them gets the node. An empty term matches no node at
     * all; it stays empty, since with the node in it it would match.
     */
    static Affinity to(String node, @Nullable Affinity affinity) {
        return with(name("In").withValues(node).build(), affinity);
    }

    /** What {@code affinity} asks, on nodes with these labels. */
    static @Nullable Affinity among(Map<String, String> labels, @Nullable Affinity affinity) {
        var pinned = affinity;
        for (var label : labels.entrySet()) {
            var has =
                    new NodeSelectorRequirementBuilder()
                            .withKey(label.getKey())
                            .withOperator("In")
                            .withValues(label.getValue())
                            .build();
            pinned = with(term -> term.addToMatchExpressions(has), pinned);
        }
        return pinned;
    }

    /** What {@code affinity} asks, on any nodes but these. */
    static Affinity awayFrom(List<String> nodes, @Nullable Affinity affinity) {
        var pinned = affinity;
        for (var node : nodes) {
            // One value each: Kubernetes takes no more in a field's requirement.
            pinned = with(name("NotIn").withValues(node).build(), pinned);
        }
        return pinned == null ? new Affinity() : pinned;
    }

    private static NodeSelectorRequirementBuilder name(String operator) {
        return new NodeSelectorRequirementBuilder().withKey("metadata.name").withOperator(operator);
    }

    private static Affinity with(NodeSelectorRequirement name, @Nullable Affinity affinity) {
        return with(term -> term.addToMatchFields(name), affinity);
    }

    private static Affinity with(
            UnaryOperator<NodeSelectorTermBuilder> more, @Nullable Affinity affinity) {
        var terms = terms(affinity);
        var pinned =
                terms == null
                        ? List.of(more.apply(new NodeSelectorTermBuilder()).build())
                        : terms.stream().map(term -> pinned(term, more)).toList();
        var all = affinity == null ? new AffinityBuilder() : new AffinityBuilder(affinity);
        return all.editOrNewNodeAffinity()
                .editOrNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withNodeSelectorTerms(pinned)
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .build();
    }

    private static @Nullable List<NodeSelectorTerm> terms(@Nullable Affinity affinity) {
        var node = affinity == null ? null : affinity.getNodeAffinity();
        var required =
                node == null ? null : node.getRequiredDuringSchedulingIgnoredDuringExecution();
        return required == null ? null : required.getNodeSelectorTerms();
    }

    private static NodeSelectorTerm pinned(
            NodeSelectorTerm term, UnaryOperator<NodeSelectorTermBuilder> more) {
        boolean empty = term.getMatchExpressions().isEmpty() && term.getMatchFields().isEmpty();
        return empty ? term : more.apply(new NodeSelectorTermBuilder(term)).build();
    }
}
