package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.same;

import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.Neighbours;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.NodeRequirement;
import dev.muster.v1.PodTerm;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What pods of a submitted job and those of others have to do with each other. */
final class InboundNeighbours {
    private InboundNeighbours() {}

    static Neighbours of(JobSubmitted submitted) {
        var labels = new TreeMap<String, SortedMap<String, String>>();
        var shuns = new TreeMap<String, List<AntiAffinityTerm>>();
        for (var needs : submitted.getNeeds()) {
            if (!needs.getLabels().isEmpty()) {
                labels.put(needs.getRole(), new TreeMap<>(needs.getLabels()));
            }
            if (!needs.getShuns().isEmpty()) {
                var terms = needs.getShuns().stream().map(InboundNeighbours::term).toList();
                shuns.put(needs.getRole(), terms);
            }
        }
        return labels.isEmpty() && shuns.isEmpty()
                ? Neighbours.NONE
                : new Neighbours(labels, shuns);
    }

    private static AntiAffinityTerm term(PodTerm said) {
        return new AntiAffinityTerm(
                new TreeSet<>(said.getNamespaces()),
                said.getRequirements().stream().map(InboundNeighbours::requirement).toList());
    }

    private static AntiAffinityTerm.Requirement requirement(NodeRequirement said) {
        return new AntiAffinityTerm.Requirement(
                said.getKey(),
                same(AntiAffinityTerm.Operator.class, said.getOperator()),
                said.getValues());
    }
}
