package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.elastic;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.v1.JobPlan;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OutboundElasticTest {
    private static final Origin ORIGIN = new Origin("gpu", 5, 42, "cause-1");

    /** Its replicas were left out. */
    @Test
    void elasticRoleHasAsManyRanksAsAreWished() {
        var submitted = elastic(1, 2, 8);
        var outbound = new Outbound(ORIGIN, Instant.EPOCH, _ -> submitted, _ -> null);
        var plan = (JobPlan) outbound.records(OutboundTest.planOfNoPods()).getFirst().value();
        assertThat(plan.getRun().getRoles().getFirst().getReplicas()).isEqualTo(2);
    }
}
