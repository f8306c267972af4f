package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.v1.KeepPods;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LargeGangIT {
    private static final Logger log = LoggerFactory.getLogger(LargeGangIT.class);
    private static final int PODS = 1_000;
    private static final Surroundings AROUND = Surroundings.shared();

    @Test
    void aGangOfAThousandIsMadeReportedOnceAndTakenAway() {
        var job = new Orders(Surroundings.NAMESPACE, "thousand", "3-10");
        var begin = Instant.now();
        AROUND.publish(job.run(1, 1, PODS));
        await().atMost(Duration.ofMinutes(2)).until(() -> !AROUND.reports("thousand").isEmpty());
        log.atInfo()
                .addKeyValue("pods", PODS)
                .addKeyValue("millis", Duration.between(begin, Instant.now()).toMillis())
                .log("plan to report");
        assertThat(AROUND.onlyReport("thousand").getPlanApplied().getPods()).hasSize(PODS);
        assertThat(AROUND.pods("thousand")).hasSize(PODS);

        begin = Instant.now();
        AROUND.publish(job.stop(2, KeepPods.NONE, false));
        await().atMost(Duration.ofMinutes(2)).until(() -> AROUND.reports("thousand").size() == 2);
        log.atInfo()
                .addKeyValue("pods", PODS)
                .addKeyValue("millis", Duration.between(begin, Instant.now()).toMillis())
                .log("stop to report");
        assertThat(AROUND.pods("thousand")).isEmpty();
        assertThat(AROUND.service("thousand").get()).isNull();
    }

    @Test
    void ofAGangOfAThousandThoseThatHaveEndedAreKept() {
        var job = new Orders(Surroundings.NAMESPACE, "many", "3-11");
        AROUND.publish(job.run(1, 1, PODS));
        await().atMost(Duration.ofMinutes(2)).until(() -> !AROUND.reports("many").isEmpty());
        var ended = List.of("many-worker-0", "many-worker-998", "many-worker-999");
        for (var pod : ended) {
            AROUND.kubernetes()
                    .pods()
                    .inNamespace(Surroundings.NAMESPACE)
                    .withName(pod)
                    .editStatus(running -> {
                        running.getStatus().setPhase("Succeeded");
                        return running;
                    });
        }
        AROUND.publish(job.stop(2, KeepPods.FINISHED, false));
        await().atMost(Duration.ofMinutes(2)).until(() -> AROUND.reports("many").size() == 2);
        assertThat(AROUND.pods("many"))
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactlyInAnyOrderElementsOf(ended);
    }
}
