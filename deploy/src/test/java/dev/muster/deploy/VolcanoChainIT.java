package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.v1.Phase;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Jobs of a pool whose gangs Volcano's own scheduler binds, through all four services, on nodes of
 * their own: of four pods of a tenth of a core each two go on a node. Building Volcano takes
 * minutes.
 */
@EnabledIfSystemProperty(named = "muster.volcano", matches = "true")
class VolcanoChainIT {
    private static VolcanoPool pool;

    private final String namespace = TheSystem.namespace("volcano");

    @BeforeAll
    static void poolOfVolcano() {
        pool = VolcanoPool.of("volcano", "delegated", List.of("200m", "200m"));
    }

    @AfterAll
    static void end() {
        if (pool != null) {
            pool.close();
        }
    }

    @Test
    void gangThatFitsRuns() {
        try (var jobs = new VolcanoJobs(pool.name(), namespace)) {
            jobs.submit("fits", 4, "sleep 5", "");
            // Other nodes of the cluster have room, too, and are not this pool's.
            await().atMost(VolcanoJobs.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(jobs.pods("fits"))
                                    .extracting(pod -> pod.getSpec().getNodeName())
                                    .containsExactlyInAnyOrder(
                                            "volcano-0", "volcano-0", "volcano-1", "volcano-1"));
            jobs.awaitPhase("fits", Phase.SUCCEEDED);
            jobs.awaitNothingLeft("fits");
        }
    }

    @Test
    void ofAGangThatDoesNotFitNoPodIsBoundUntilThereIsRoom() {
        try (var jobs = new VolcanoJobs(pool.name(), namespace)) {
            jobs.submit("toobig", 5, "sleep 1", "");
            await().atMost(VolcanoJobs.PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> {
                        var status = jobs.status("toobig");
                        assertThat(status.getPhase()).isEqualTo(Phase.STARTING);
                        assertThat(status.getReason()).isEqualTo("NotScheduled");
                        assertThat(status.getMessage()).contains("NotEnoughResources");
                        assertThat(jobs.pods("toobig"))
                                .hasSize(5)
                                .noneMatch(pod -> pod.getSpec().getNodeName() != null);
                    });
            try (var more = pool.oneMore("100m")) {
                assertThat(more.nodes()).hasSize(1);
                jobs.awaitPhase("toobig", Phase.SUCCEEDED);
            }
            jobs.awaitNothingLeft("toobig");
        }
    }

    @Test
    void cancelSuspendAndRestartLeaveNothingBehind() {
        try (var jobs = new VolcanoJobs(pool.name(), namespace)) {
            var once = "[ \"$MUSTER_ATTEMPT\" = 1 ] && exit 1; exec sleep 600";
            jobs.submit("stopped", 2, once, "failure: {settle: 1s, delay: {initial: 1s}}");
            await().atMost(VolcanoJobs.PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> {
                        var status = jobs.status("stopped");
                        assertThat(status.getPhase()).isEqualTo(Phase.RUNNING);
                        assertThat(status.getAttempt()).isEqualTo(2);
                        assertThat(jobs.groups("stopped")).hasSize(1);
                    });
            jobs.change("stopped", "suspend");
            jobs.awaitPhase("stopped", Phase.SUSPENDED);
            jobs.awaitNothingLeft("stopped");
            jobs.change("stopped", "resume");
            jobs.awaitPhase("stopped", Phase.RUNNING);
            jobs.change("stopped", "cancel");
            jobs.awaitPhase("stopped", Phase.CANCELLED);
            jobs.awaitNothingLeft("stopped");
        }
    }
}
