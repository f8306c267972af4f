package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.same;
import static dev.muster.coordinator.stream.avro.Fields.sameOrNull;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.v1.NodeRequirement;
import dev.muster.v1.NodeSeen;
import dev.muster.v1.PodNeeds;
import dev.muster.v1.TolerationOperator;
import java.util.TreeMap;
import java.util.TreeSet;

/** Nodes, and which of them a pod accepts. */
final class InboundNodes {
    /** The pool writes its own tick over it. */
    private static final long NOT_YET_SEEN = 0;

    private InboundNodes() {}

    static Node node(NodeSeen seen) {
        var node =
                new Node(
                        seen.getName(),
                        seen.getResourceVersion(),
                        new TreeMap<>(seen.getLabels()),
                        seen.getTaints().stream()
                                .map(taint ->
                                        new Node.Taint(
                                                taint.getKey(),
                                                taint.getValue(),
                                                same(Node.Effect.class, taint.getEffect())))
                                .toList(),
                        seen.getUnschedulable(),
                        seen.getReady(),
                        Amounts.of(seen.getAllocatable()),
                        NOT_YET_SEEN,
                        new Node.Notes(
                                new TreeSet<>(seen.getConditions()),
                                new TreeSet<>(seen.getAnnotations()),
                                false));
        return node.silent(seen.getSilent());
    }

    static NodeFilter filter(PodNeeds needs) {
        return NodeFilter.of(
                new TreeMap<>(needs.getNodeSelector()),
                needs.getNodeAffinity().stream()
                        .map(term ->
                                new NodeFilter.Term(
                                        term.getRequirements().stream()
                                                .map(InboundNodes::requirement)
                                                .toList()))
                        .toList(),
                needs.getTolerations().stream().map(InboundNodes::toleration).toList());
    }

    private static NodeFilter.Requirement requirement(NodeRequirement requirement) {
        return new NodeFilter.Requirement(
                requirement.getKey(),
                same(NodeFilter.Operator.class, requirement.getOperator()),
                requirement.getValues(),
                requirement.getField());
    }

    static NodeFilter.Toleration toleration(dev.muster.v1.Toleration toleration) {
        if (toleration.getOperator() == TolerationOperator.UNKNOWN) {
            throw new UnusableEventException("a toleration's operator is not known here");
        }
        return new NodeFilter.Toleration(
                toleration.getKey(),
                toleration.getOperator() == TolerationOperator.EXISTS,
                toleration.getValue(),
                sameOrNull(Node.Effect.class, toleration.getEffect()));
    }
}
