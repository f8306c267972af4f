package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.elastic;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.v1.JobPlan;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OutboundElasticTest {
    private static final Origin ORIGIN = new Origin("gpu", 5, 42, "cause-1");

    /** Whatever size it was submitted with, here one of which the replicas were left out. */
    @Test
    void elasticRoleHasAsManyRanksAsAreWishedNow() {
        var submitted = elastic(1, 2, 8);
        var outbound = new Outbound(ORIGIN, Instant.EPOCH, _ -> submitted, _ -> null);
        var sizes = new TreeMap<>(Map.of("worker", 6));
        var plan = (JobPlan) outbound.records(OutboundTest.planOfNoPods(sizes)).getFirst().value();
        assertThat(plan.getRun().getRoles().getFirst().getReplicas()).isEqualTo(6);
    }
}
