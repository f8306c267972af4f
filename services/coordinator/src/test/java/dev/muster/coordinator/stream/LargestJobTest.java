package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Topics;
import dev.muster.schemas.contract.Limits;
import dev.muster.v1.GangSpec;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PodNeeds;
import dev.muster.v1.PodRestart;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.TrainJobSpec;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A plan names every pod and its node, and is one record. */
class LargestJobTest {
    private static final int PER_ROLE = 10_000;

    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void planOfTheLargestJobIsOneRecord() {
        stage.with(1);
        stage.send(node(2 * Limits.JOB_PODS));
        stage.send(submitted(job("large", 7), workers(Limits.JOB_PODS / PER_ROLE)));

        var plan = stage.take(Topics.JOB_PLANS).getFirst();
        assertThat(plan.getRun().getPods()).hasSize(Limits.JOB_PODS);
        assertThat(stage.wire.bytes(Topics.JOB_PLANS, plan).length).isLessThan(Limits.VALUE_BYTES);
    }

    /** So admission takes none in that may come to this. */
    @Test
    void submissionIsParkedThatLeadsToAPlanTooLargeForARecord() {
        stage.with(1);
        stage.send(node(200_000));
        stage.send(submitted(job("large", 7), workers(10)));
        stage.work();

        assertThat(stage.take(Topics.JOB_PLANS)).isEmpty();
        assertThat(stage.count("parked")).isEqualTo(1);
        assertThat(stage.gauge("pools.stopped")).isZero();
    }

    private static InboxEvent node(long pods) {
        return InboxRecords.node("n".repeat(63), Map.of("cpu", pods * 1000, "pods", pods));
    }

    /** Roles with names as long as they may be. */
    private static JobSubmitted workers(int number) {
        var roles = new ArrayList<RoleSpec>();
        var needs = new ArrayList<PodNeeds>();
        for (int i = 0; i < number; i++) {
            var name = "w".repeat(50) + i;
            roles.add(
                    RoleSpec.newBuilder()
                            .setName(name)
                            .setReplicas(PER_ROLE)
                            .setTemplate(InboxRecords.TEMPLATE)
                            .build());
            needs.add(
                    PodNeeds.newBuilder()
                            .setRole(name)
                            .setDemand(Map.of("cpu", 1000L, "pods", 1L))
                            .setRestart(PodRestart.NEVER)
                            .setMainContainer("main")
                            .build());
        }
        var spec =
                TrainJobSpec.newBuilder()
                        .setQueue(InboxRecords.QUEUE)
                        .setGang(GangSpec.newBuilder().build())
                        .setRoles(roles)
                        .build();
        return new JobSubmitted(spec, needs, "00", null);
    }
}
