package dev.muster.admission.http;

import static dev.muster.admission.http.Forms.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.RunningAdmission;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The port for the pods of jobs. */
class ReportPortIT {
    private static final RunningAdmission ADMISSION = RunningAdmission.get();

    @BeforeAll
    static void makeAPoolAndAQueue() {
        Forms.makeAPoolAndAQueue(ADMISSION);
        ADMISSION.submit(job("reporter", "worker", 1));
    }

    @Test
    void jobReportsThere() {
        var saved = "{\"kind\": \"CheckpointSaved\", \"answers\": 17}";
        var told = ADMISSION.ofReports("POST", "/v1/jobs/default/reporter/signals", saved);
        assertThat(told.status()).isEqualTo(202);
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(ADMISSION.signalsOf("reporter")).isNotEmpty());
        var speed = "{\"step\": 120, \"samplesPerSecond\": 512.5}";
        assertThat(ADMISSION.ofReports("POST", "/v1/jobs/default/reporter/metrics", speed).status())
                .isEqualTo(202);
        var wrong = ADMISSION.ofReports("POST", "/v1/jobs/default/reporter/metrics", "{}");
        assertThat(wrong.status()).as("refused as on the first port").isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/jobs/default/reporter/cancel",
        "POST, /v1/jobs/default/reporter/signals/../cancel",
        "DELETE, /v1/jobs/default/reporter",
        "POST, /v1/jobs",
        "POST, /v1/queues/default/jobs:change",
        "PUT, /v1/queues/default",
        "PATCH, /v1/pools/default",
        "GET, /v1/queues",
        "GET, /v1/jobs/default/reporter/signals",
        "GET, /actuator/health",
        "GET, /actuator/prometheus",
        "GET, /error",
        "GET, /"
    })
    void nothingElseIsAnswered(String method, String path) {
        var refused = ADMISSION.ofReports(method, path, "{}");
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.contentType()).isEqualTo("application/problem+json");
        assertThat(refused.body().path("detail").asString())
                .startsWith("this port takes only POST /v1/jobs/{namespace}/{name}/metrics");
    }

    @Test
    void firstPortTakesAll() {
        assertThat(ADMISSION.get("/v1/queues").status()).isEqualTo(200);
        assertThat(ADMISSION.get("/actuator/health").status()).isEqualTo(200);
        var speed = "{\"step\": 121, \"samplesPerSecond\": 512.5}";
        assertThat(ADMISSION.post("/v1/jobs/default/reporter/metrics", speed).status())
                .isEqualTo(202);
        var held = ADMISSION.post("/v1/jobs/default/reporter/hold", "{}");
        assertThat(held.status()).isEqualTo(200);
    }
}
