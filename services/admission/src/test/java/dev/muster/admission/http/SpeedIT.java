package dev.muster.admission.http;

import static dev.muster.admission.http.Forms.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.RunningAdmission;
import dev.muster.admission.core.SpeedWindow;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a script says of how fast its job trains. */
class SpeedIT {
    private static final RunningAdmission ADMISSION = RunningAdmission.get();
    private static final String SAMPLE =
            "{\"step\": 120, \"samplesPerSecond\": 512.5, \"workers\": 4, \"attempt\": 3}";

    @BeforeAll
    static void makeAPoolAndAQueue() {
        Forms.makeAPoolAndAQueue(ADMISSION);
    }

    @Test
    void itsDigestComesToThePool() {
        var uid = ADMISSION.submit(job("fast", "worker", 1)).body().path("uid").asString();
        Awaitility.await()
                .pollInterval(Duration.ofSeconds(1))
                .atMost(SpeedWindow.SPAN.plusSeconds(30))
                .untilAsserted(() -> {
                    var answer = ADMISSION.post("/v1/jobs/default/fast/metrics", SAMPLE);
                    assertThat(answer.status()).isEqualTo(202);
                    assertThat(ADMISSION.digestsOf("fast")).isNotEmpty();
                });
        var told = ADMISSION.digestsOf("fast").getFirst();
        assertThat(told.getJob().getUid()).isEqualTo(uid);
        assertThat(told.getEnvelope().getAttempt()).isEqualTo(3);
        var digest = told.getTrainingDigest();
        assertThat(digest.getSamplesPerSecondThousandths()).isEqualTo(512_500);
        assertThat(digest.getWorkers()).isEqualTo(4);
        assertThat(digest.getStep()).isEqualTo(120);
        assertThat(digest.getSamples()).isGreaterThan(1);
    }

    @Test
    void sampleThatMakesNoSenseIsRefusedAtItsPath() {
        var path = "/v1/jobs/default/fast/metrics";
        assertThat(ADMISSION.post(path, "{\"step\": 1}").problemPaths())
                .containsExactly("samplesPerSecond");
        assertThat(ADMISSION.post(path, "{\"samplesPerSecond\": 1}").problemPaths())
                .containsExactly("step");
        assertThat(ADMISSION.post(path, "step: 1").status()).isEqualTo(422);
    }
}
