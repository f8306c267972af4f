package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.SettingKind;
import dev.muster.v1.Phase;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A pool that reserves room itself, and has Volcano's own scheduler find the nodes. The pool {@code
 * default}, which comes first, has the system's own node alone meanwhile.
 */
@Isolated
@EnabledIfSystemProperty(named = "muster.volcano", matches = "true")
class VolcanoObservedIT {
    private static VolcanoPool pool;

    private final String namespace = TheSystem.namespace("volcano-observed");

    @BeforeAll
    static void poolOfVolcano() {
        othersHave("\"local\"");
        pool = VolcanoPool.of("volcano-observed", "observed", List.of("200m", "200m"));
    }

    @AfterAll
    static void end() {
        if (pool != null) {
            pool.close();
        }
        othersHave("null");
    }

    private static void othersHave(String host) {
        VolcanoPool.put(
                SettingKind.POOL,
                "default",
                "{\"nodeSelector\": {\"kubernetes.io/hostname\": %s}}".formatted(host));
    }

    @Test
    void poolThatReservesRoomMakesNoPodOfAGangThatDoesNotFit() {
        try (var jobs = new VolcanoJobs(pool.name(), namespace)) {
            jobs.submit("fits", 4, "sleep 5", "");
            await().atMost(VolcanoJobs.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(jobs.pods("fits"))
                                    .allMatch(pod ->
                                            pod.getSpec().getSchedulerName().equals("volcano"))
                                    .extracting(pod -> pod.getSpec().getNodeName())
                                    .containsExactlyInAnyOrder(
                                            "volcano-observed-0",
                                            "volcano-observed-0",
                                            "volcano-observed-1",
                                            "volcano-observed-1"));
            jobs.awaitPhase("fits", Phase.SUCCEEDED);
            jobs.awaitNothingLeft("fits");

            jobs.submit("toobig", 5, "sleep 5", "");
            await().atMost(VolcanoJobs.PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> {
                        var status = jobs.status("toobig");
                        assertThat(status.getPhase()).isEqualTo(Phase.QUEUED);
                        var waiting = status.getWaiting();
                        assertThat(waiting.getCode()).isEqualTo("InsufficientCapacity");
                        assertThat(waiting.getScope()).isEqualTo("cpu");
                        assertThat(waiting.getNeed()).isEqualTo(500);
                        assertThat(waiting.getHave()).isEqualTo(400);
                    });
            assertThat(jobs.groups("toobig")).isEmpty();
            assertThat(made("toobig")).isEmpty();
            try (var more = pool.oneMore("100m")) {
                assertThat(more.nodes()).hasSize(1);
                jobs.awaitPhase("toobig", Phase.SUCCEEDED);
                assertThat(made("toobig")).hasSize(5);
            }
            jobs.awaitNothingLeft("toobig");
        }
    }

    /** The ranks of a job of which a pod was ever made. */
    private Set<String> made(String name) {
        var ranks = PodLives.byRank(TheSystem.audit(), namespace).keySet();
        ranks.removeIf(rank -> !rank.startsWith(name + "/"));
        return ranks;
    }
}
