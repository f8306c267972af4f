package dev.muster.coordinator.stream.avro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.RankRange;
import dev.muster.coordinator.stream.InboxRecords;
import dev.muster.v1.PodRange;
import java.util.List;
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
}
