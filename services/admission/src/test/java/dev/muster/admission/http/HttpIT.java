package dev.muster.admission.http;

import static dev.muster.admission.http.Forms.job;
import static dev.muster.admission.http.Forms.queue;
import static dev.muster.admission.http.Forms.untilSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.RunningAdmission;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HttpIT {
    private static final RunningAdmission ADMISSION = RunningAdmission.get();

    @BeforeAll
    static void makeAPoolAndAQueue() {
        Forms.makeAPoolAndAQueue(ADMISSION);
    }

    @Test
    void jobIsAcceptedOnceUnderItsKey() {
        var first = ADMISSION.submit(job("once", "worker", 1), "once-1");
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.body().path("outcome").asString()).isEqualTo("Accepted");
        assertThat(first.body().path("uid").asString()).matches("[0-9]+-[0-9]+");
        assertThat(first.body().path("requestId").asString()).isEqualTo("once-1");

        var again = ADMISSION.submit(job("once", "worker", 1), "once-1");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.body().path("uid")).isEqualTo(first.body().path("uid"));
    }

    @Test
    void whatCurlSendsAsAFormIsAJobToo() {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> {
                    var text = job("by-curl", "worker", 1);
                    var answer = ADMISSION.submitAsForm(text, "by%20curl");
                    assertThat(answer.status()).isEqualTo(201);
                    assertThat(answer.body().path("requestId").asString()).isEqualTo("by curl");
                });
    }

    @Test
    void sameJobIsADuplicateAndAnotherAConflict() {
        var first = ADMISSION.submit(job("twice", "worker", 1));
        var duplicate = ADMISSION.submit(job("twice", "worker", 1));
        assertThat(duplicate.status()).isEqualTo(200);
        assertThat(duplicate.body().path("outcome").asString()).isEqualTo("Duplicate");
        assertThat(duplicate.body().path("uid")).isEqualTo(first.body().path("uid"));

        var conflict = ADMISSION.submit(job("twice", "worker", 2));
        assertThat(conflict.status()).isEqualTo(409);
        assertThat(conflict.contentType()).isEqualTo("application/problem+json");
        assertThat(conflict.body().path("job").path("uid")).isEqualTo(first.body().path("uid"));
        assertThat(conflict.body().path("phase").asString()).isEqualTo("Queued");
    }

    @Test
    void jobIsCancelledAndItsNameIsFreeAgain() {
        ADMISSION.submit(job("cancelled", "worker", 1));
        var cancelled = ADMISSION.post("/v1/jobs/default/cancelled/cancel", "{gracePeriod: 5s}");
        assertThat(cancelled.status()).isEqualTo(200);
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> {
                    var late = ADMISSION.delete("/v1/jobs/default/cancelled");
                    assertThat(late.status()).isEqualTo(409);
                    assertThat(late.body().path("phase").asString()).isEqualTo("Cancelled");
                });
        assertThat(ADMISSION.submit(job("cancelled", "worker", 1)).status()).isEqualTo(201);
    }

    @Test
    void jobThatNobodyKnowsIsNotFound() {
        assertThat(ADMISSION.delete("/v1/jobs/default/nobody").status()).isEqualTo(404);
    }

    @Test
    void allTenMistakesAreTold() {
        var answer =
                ADMISSION.submit(
                        """
                        apiVersion: muster.dev/v1
                        kind: TrainJob
                        metadata: {name: Ten_Mistakes, labels: {muster.dev/job: mine}}
                        spec:
                          queue: "Not A Label"
                          masterPort: 70000
                          quue: typo
                          ttlAfterFinished: -5s
                          checkpoint: {signal: file, timeout: -1s}
                          roles:
                          - name: worker
                            replicas: 10001
                            template:
                              spec:
                                containers:
                                - {name: main, image: a, resources: {limits: {cpu: lots}}}
                          - name: worker
                            template: {spec: {containers: [{name: main, image: a}]}}
                        """);
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.contentType()).isEqualTo("application/problem+json");
        assertThat(answer.problemPaths())
                .containsExactlyInAnyOrder(
                        "metadata.name",
                        "metadata.labels['muster.dev/job']",
                        "spec.queue",
                        "spec.masterPort",
                        "spec.quue",
                        "spec.ttlAfterFinished",
                        "spec.checkpoint.timeout",
                        "spec.roles[0].replicas",
                        "spec.roles[0].template.spec.containers[0].resources.limits.cpu",
                        "spec.roles[1].name");
        assertThat(ADMISSION.submit(job("after-ten", "worker", 1)).status()).isEqualTo(201);
    }

    @Test
    void moreThanTenThousandReplicasAreRefused() {
        var answer = ADMISSION.submit(job("too-many", "worker", 10_001));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.problemPaths()).containsExactly("spec.roles[0].replicas");
    }

    @Test
    void tenThousandReplicasAreTaken() {
        assertThat(ADMISSION.submit(job("many", "worker", 10_000)).status()).isEqualTo(201);
    }

    @Test
    void jobAmongKubernetesOwnPodsIsRefused() {
        var own = job("own", "worker", 1).replace("namespace: default", "namespace: kube-system");
        var answer = ADMISSION.submit(own);
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.problemPaths()).containsExactly("metadata.namespace");
    }

    @Test
    void nameThatIsNoDnsLabelIsRefused() {
        var answer = ADMISSION.submit(job("No_Label", "worker", 1));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.problemPaths()).containsExactly("metadata.name");
    }

    @Test
    void queueThatDoesNotExistIsRefused() {
        var text =
                job("nowhere", "worker", 1)
                        .replace("spec:\n  roles", "spec:\n  queue: nowhere\n  roles");
        var answer = ADMISSION.submit(text);
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.problemPaths()).containsExactly("spec.queue");
        assertThat(ADMISSION.submit(job("nowhere", "worker", 1)).status()).isEqualTo(201);
    }

    @Test
    void templateOfFiveMegabytesIsTooLarge() {
        var answer = ADMISSION.submit(withText("five-megabytes", 5 * 1024 * 1024));
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.contentType()).isEqualTo("application/problem+json");
        assertThat(answer.body().path("detail").asString()).contains("4,194,304 bytes");
    }

    @Test
    void requestAboveTheLimitIsRefused() {
        var answer = ADMISSION.submit(withText("large", 300 * 1024));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body().path("problems").get(0).path("message").asString())
                .contains("262,144 bytes");
        assertThat(ADMISSION.submit(withText("large", 200 * 1024)).status()).isEqualTo(201);
    }

    @Test
    void whatIsNotAnsweredInTimeIsPendingUnderItsKey() {
        var answer = ADMISSION.submitOnce(job("silent", "worker", 1), "silent-1");
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.body().path("requestId").asString()).isEqualTo("silent-1");
        assertThat(ADMISSION.submitOnce(job("silent", "worker", 1), "silent-1").status())
                .as("the directory knows it by now, and its pool has not taken it")
                .isEqualTo(202);
    }

    @Test
    void alwaysIsTakenWithAWarning() {
        var text =
                job("always", "worker", 1)
                        .replace(
                                "        containers:",
                                "        restartPolicy: Always\n        containers:");
        var answer = ADMISSION.submit(text);
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body().path("warnings").get(0).path("path").asString())
                .isEqualTo("spec.roles[0].template.spec.restartPolicy");
    }

    @Test
    void queueGoesAndItsNameWithIt() {
        untilSet(ADMISSION, "/v1/queues/passing", queue("passing", "default"));
        assertThat(ADMISSION.put("/v1/queues/passing", queue("passing", "other")).status())
                .isEqualTo(409);
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() ->
                        assertThat(ADMISSION.delete("/v1/queues/passing").status()).isEqualTo(404));
    }

    @Test
    void settingThatDoesNotFitItsAddressIsRefused() {
        assertThat(ADMISSION.put("/v1/queues/a", queue("b", "default")).problemPaths())
                .containsExactly("metadata.name");
        assertThat(ADMISSION.put("/v1/pools/a", queue("a", "default")).problemPaths())
                .containsExactly("kind");
        assertThat(ADMISSION.put("/v1/queues/a", "weight: 1").status()).isEqualTo(422);
        assertThat(ADMISSION.put("/v1/queues/a?keep=maybe", queue("a", "default")).problemPaths())
                .containsExactly("keep");
    }

    @Test
    void whatNoEndpointTakesIsAProblemTooAndSaysWhy() {
        for (var answer :
                List.of(ADMISSION.get("/v1/nothing"), ADMISSION.post("/v1/queues", "{}"))) {
            assertThat(answer.status()).isIn(400, 404, 405);
            assertThat(answer.contentType()).isEqualTo("application/problem+json");
            assertThat(answer.body().path("detail").asString()).isNotEmpty();
        }
    }

    @Test
    void patchOfAnotherThanTheAddressNamesIsRefused() {
        var patch = "{\"kind\": \"Pool\", \"metadata\": {\"name\": \"b\"}, \"spec\": {}}";
        assertThat(ADMISSION.patch("/v1/queues/default", patch).problemPaths())
                .containsExactly("kind", "metadata.name");
    }

    @Test
    void priorityClassThatIsNotThereIsToldWithTheOtherMistakes() {
        var text =
                job("hihg", "worker", 10_001)
                        .replace("spec:\n  roles", "spec:\n  priorityClass: hihg\n  roles");
        assertThat(ADMISSION.submit(text).problemPaths())
                .containsExactly("spec.roles[0].replicas", "spec.priorityClass");
    }

    @Test
    void keyThatNobodyKeepsIsRefused() {
        var answer = ADMISSION.submit(job("long-key", "worker", 1), "k".repeat(1_001));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.problemPaths()).containsExactly("Idempotency-Key");
        var key = "k".repeat(1_000);
        assertThat(ADMISSION.submit(job("long-key", "worker", 1), key).status()).isEqualTo(201);
    }

    @Test
    void settingAboveTheLimitIsRefused() {
        var namespaces = "\"namespace-a\", ".repeat(30_000) + "\"namespace-b\"";
        var answer =
                ADMISSION.patch(
                        "/v1/queues/default",
                        "{\"spec\": {\"namespaces\": [%s]}}".formatted(namespaces));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body().path("problems").get(0).path("message").asString())
                .contains("262,144 bytes");
    }

    private static String withText(String name, int length) {
        return job(name, "worker", 1)
                .replace(
                        "{name: main,",
                        "{name: main, args: [\"%s\"],".formatted("x".repeat(length)));
    }
}
