package dev.muster.coordinator.stream.avro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.Neighbours;
import dev.muster.coordinator.core.model.RankRange;
import dev.muster.coordinator.stream.InboxRecords;
import dev.muster.v1.NodeRequirement;
import dev.muster.v1.PodRange;
import dev.muster.v1.PodTerm;
import dev.muster.v1.SelectorOperator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class InboundApartTest {
    @Test
    void podsThatARoleKeepsApartFromAreThoseThatAdmissionFound() {
        var submitted = InboxRecords.workers(4);
        var needs = submitted.getNeeds().getFirst();
        assertThat(InboundJobs.spec(submitted).roles().getFirst().pod().apartFrom()).isEmpty();
        needs.setApartFrom(List.of(new PodRange("ps", 0, null), new PodRange("worker", 1, 3)));
        assertThat(InboundJobs.spec(submitted).roles().getFirst().pod().apartFrom())
                .containsExactly(
                        new RankRange("ps", 0, RankRange.OPEN), new RankRange("worker", 1, 3));
    }

    @Test
    void whatPodsOfOtherJobsAreKeptApartByIsWhatAdmissionFound() {
        var submitted = InboxRecords.workers(4);
        var needs = submitted.getNeeds().getFirst();
        assertThat(InboundJobs.spec(submitted).place().neighbours()).isEqualTo(Neighbours.NONE);
        needs.setLabels(Map.of("app", "web"));
        var noisy = new NodeRequirement("app", SelectorOperator.NOT_IN, List.of("web"), false);
        needs.setShuns(List.of(new PodTerm(List.of("ml"), List.of(noisy))));
        var neighbours = InboundJobs.spec(submitted).place().neighbours();
        assertThat(neighbours.labels()).isEqualTo(Map.of("worker", Map.of("app", "web")));
        assertThat(neighbours.shuns())
                .isEqualTo(
                        Map.of(
                                "worker",
                                List.of(
                                        new AntiAffinityTerm(
                                                new TreeSet<>(Set.of("ml")),
                                                List.of(
                                                        new AntiAffinityTerm.Requirement(
                                                                "app",
                                                                AntiAffinityTerm.Operator.NOT_IN,
                                                                List.of("web")))))));
    }
}
