package dev.muster.admission.http;

import static dev.muster.admission.http.Forms.job;
import static dev.muster.admission.http.Forms.queue;
import static dev.muster.admission.http.Forms.setting;
import static dev.muster.admission.http.Forms.untilSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.RunningAdmission;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes of jobs that are there, and of the queues that they are in. */
class ChangesIT {
    private static final RunningAdmission ADMISSION = RunningAdmission.get();

    @BeforeAll
    static void makeAPoolAndAQueue() {
        Forms.makeAPoolAndAQueue(ADMISSION);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hold | {\"message\": \"not yet\"}",
                "release |",
                "priority | priority: 7",
                "move | queue: default",
                "suspend | gracePeriod: 1m",
                "resume |",
                "scale | {\"role\": \"worker\", \"in\": 1, \"drain\": \"0s\"}",
                "scale | {\"cancel\": true}",
                "scale | {\"cancel\": true, \"command\": \"r1\"}"
            })
    void livingJobIsChanged(String verb, @Nullable String body) {
        ADMISSION.submit(job("changed", "worker", 1));
        var answer =
                ADMISSION.post(
                        "/v1/jobs/default/changed/" + verb + "?requestId=" + UUID.randomUUID(),
                        body == null ? "" : body);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("name").asString()).isEqualTo("changed");
    }

    @Test
    void whoCannotBeNamedIsRefused() {
        var hold = "/v1/jobs/default/nobody/hold";
        assertThat(ADMISSION.postAs("alice@desk", hold, "").status()).isEqualTo(404);
        assertThat(ADMISSION.postAs("a".repeat(254), hold, "").problemPaths())
                .containsExactly("X-Muster-Actor");
    }

    @Test
    void changeThatCannotBeIsRefusedAtItsPath() {
        assertThat(ADMISSION.post("/v1/jobs/default/nobody/hold", "").status()).isEqualTo(404);
        assertThat(ADMISSION.post("/v1/jobs/default/nobody/dance", "").status()).isEqualTo(404);
        assertThat(ADMISSION.post("/v1/jobs/default/nobody/priority", "{}").problemPaths())
                .containsExactly("priority");
        assertThat(ADMISSION.post("/v1/jobs/default/nobody/move", "queue: A").problemPaths())
                .containsExactly("queue");
        assertThat(ADMISSION.post("/v1/jobs/default/nobody/hold", "{quue: a}").problemPaths())
                .containsExactly("quue");
        assertThat(
                        ADMISSION
                                .post("/v1/jobs/default/nobody/scale", "{cancel: true, in: 1}")
                                .problemPaths())
                .containsExactly("in");
    }

    @Test
    void submissionThatIsNamedAndLeftEmptyIsRefused() {
        var job = "/v1/jobs/default/nobody";
        assertThat(ADMISSION.delete(job + "?uid=").problemPaths()).containsExactly("uid");
        for (var what : List.of("cancel", "retry", "signals", "metrics")) {
            assertThat(ADMISSION.post(job + "/" + what + "?uid=", "").problemPaths())
                    .containsExactly("uid");
        }
    }

    @Test
    void manyJobsAreChangedAtOnce() {
        for (var of : List.of("queues", "pools")) {
            var answer =
                    ADMISSION.post(
                            "/v1/" + of + "/default/jobs:change",
                            "{labels: {team: a}, change: {kind: SetPriority, priority: 7}}");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body().path("counts").path("changed").asInt()).isEqualTo(2);
        }
        var nowhere = ADMISSION.post("/v1/queues/nowhere/jobs:change", "change: {kind: Hold}");
        assertThat(nowhere.status()).isEqualTo(404);
        assertThat(
                        ADMISSION
                                .post("/v1/queues/a/jobs:change", "change: {kind: Move}")
                                .problemPaths())
                .containsExactly("change.queue");
        assertThat(ADMISSION.post("/v1/queues/a/jobs:change", "").problemPaths())
                .containsExactly("change");
    }

    @Test
    void queueIsShownAsItWasSet() {
        var spec =
                "spec: {pool: default, weight: 3, limit: {cpu: 1500m, memory: 16Gi, nvidia.com/gpu: 8}}";
        untilSet(ADMISSION, "/v1/queues/shown", setting("Queue", "shown", spec));
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> {
                    var shown = ADMISSION.get("/v1/queues/shown");
                    assertThat(shown.status()).isEqualTo(200);
                    assertThat(shown.body().path("spec").path("weight").asInt()).isEqualTo(3);
                });
        var shown = ADMISSION.get("/v1/queues/shown").body();
        assertThat(shown.path("spec").path("limit").toString())
                .isEqualTo("{\"cpu\":\"1500m\",\"memory\":\"16Gi\",\"nvidia.com/gpu\":\"8\"}");
        assertThat(shown.path("status").path("waiting").asInt()).isZero();
        assertThat(ADMISSION.put("/v1/queues/shown", shown.toString()).status()).isEqualTo(200);

        assertThat(ADMISSION.get("/v1/queues").body().path("items").valueStream())
                .extracting(queue -> queue.path("metadata").path("name").asString())
                .contains("default", "shown");
        assertThat(ADMISSION.get("/v1/pools/default").body().path("spec").path("number").asInt())
                .isZero();
        assertThat(ADMISSION.get("/v1/pools").body().path("items").size()).isPositive();
        assertThat(ADMISSION.get("/v1/queues/nowhere").status()).isEqualTo(404);
        assertThat(ADMISSION.get("/v1/pools/nowhere").contentType())
                .isEqualTo("application/problem+json");
    }

    @Test
    void jobDoesNotComeAfterOneOfAnotherPool() {
        untilSet(ADMISSION, "/v1/pools/far", setting("Pool", "far", ""));
        untilSet(ADMISSION, "/v1/queues/far", queue("far", "far"));
        var far = job("far", "worker", 1).replace("spec:\n  roles", "spec:\n  queue: far\n  roles");
        assertThat(ADMISSION.submit(far).status()).isEqualTo(201);
        var after =
                job("after-far", "worker", 1)
                        .replace("spec:\n  roles", "spec:\n  after: [{job: far}]\n  roles");
        var answer = ADMISSION.submit(after);
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.problemPaths()).containsExactly("spec.after[0].job");
        assertThat(ADMISSION.submit(after.replace("job: far", "job: nobody")).status())
                .isEqualTo(201);
    }

    @Test
    void endedJobIsTriedAgainFromTheLog() {
        var first = ADMISSION.submit(job("again", "worker", 3)).body().path("uid").asString();
        var retry = "/v1/jobs/default/again/retry?uid=" + first + "&requestId=";
        assertThat(ADMISSION.post(retry + UUID.randomUUID(), "").status()).isEqualTo(409);
        ADMISSION.delete("/v1/jobs/default/again?requestId=" + UUID.randomUUID());
        var key = UUID.randomUUID();
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(ADMISSION.post(retry + key, "").status()).isEqualTo(201));
        var uid = ADMISSION.post(retry + key, "").body().path("uid").asString();
        assertThat(uid).isNotEmpty().isNotEqualTo(first);
        var newest = "/v1/jobs/default/again/retry?requestId=";
        var living = ADMISSION.post(newest + UUID.randomUUID(), "");
        assertThat(living.status()).isEqualTo(409);
        assertThat(living.body().path("detail").asString()).contains("has not ended");
        assertThat(ADMISSION.post("/v1/jobs/default/again/retry?uid=0-999999", "").status())
                .isEqualTo(404);
        assertThat(ADMISSION.post("/v1/jobs/default/nobody/retry", "").status()).isEqualTo(404);
    }

    @Test
    void fieldsOfAQueueAreChangedByAMergePatch() {
        untilSet(ADMISSION, "/v1/queues/patched", queue("patched", "default"));
        var patch = "{\"spec\": {\"paused\": true, \"limit\": {\"cpu\": null}}}";
        assertThat(ADMISSION.patch("/v1/queues/patched", patch).status()).isEqualTo(200);
        assertThat(ADMISSION.patch("/v1/queues/nowhere", patch).status()).isEqualTo(404);
        assertThat(ADMISSION.patch("/v1/queues/born?create=true", patch).status()).isEqualTo(200);
        var wrong = "{\"spec\": {\"weight\": 0, \"pausd\": true}}";
        assertThat(ADMISSION.patch("/v1/queues/patched", wrong).problemPaths())
                .containsExactlyInAnyOrder("spec.weight", "spec.pausd");
        assertThat(ADMISSION.patch("/v1/queues/patched", "paused").status()).isEqualTo(422);
    }

    @Test
    void fieldsOfAPoolAreChangedByAMergePatch() {
        var patch = "{\"spec\": {\"policy\": \"Fifo\", \"aging\": {\"step\": null}}}";
        assertThat(ADMISSION.patch("/v1/pools/default", patch).status()).isEqualTo(200);
        assertThat(ADMISSION.patch("/v1/pools/nowhere", patch).status()).isEqualTo(404);
        var wrong = "{\"spec\": {\"polcy\": \"Fifo\"}}";
        assertThat(ADMISSION.patch("/v1/pools/default", wrong).problemPaths())
                .containsExactly("spec.polcy");
    }

    @Test
    void queueMayDrainBeforeItGoes() {
        untilSet(ADMISSION, "/v1/queues/draining", queue("draining", "default"));
        assertThat(ADMISSION.delete("/v1/queues/draining?drain=maybe").status()).isEqualTo(422);
        assertThat(ADMISSION.delete("/v1/queues/draining?drain").status()).isEqualTo(200);
    }
}
