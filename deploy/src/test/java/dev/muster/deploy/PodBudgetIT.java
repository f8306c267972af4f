package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a job's PodDisruptionBudget does in a real cluster: the API server asks it before each
 * eviction, and Kubernetes' own controller counts the pods for it.
 */
class PodBudgetIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String UNTIL_FINISH = "while ! [ -e %s ]; do sleep 0.2; done";
    private static final int CREATED = 201;
    private static final int TOO_MANY_REQUESTS = 429;

    @TempDir private Path folder;
    private final String namespace = TheSystem.namespace("budget");
    private final KubernetesClient client = impatient();
    private final Requests requests = Requests.open(TheSystem.context(), "pod budget test");
    private final JobStatuses statuses = JobStatuses.open(TheSystem.context());

    @AfterEach
    void close() {
        client.close();
        requests.close();
        statuses.close();
    }

    @Test
    void aGangAtItsMinimumIsNotEvictedAndRestartsWhenAPodIsDeletedNevertheless() throws Exception {
        submit(workers(2, 2));
        awaitHealthy(1, 2);
        var before = pod("worker-1");
        assertThat(evict("worker-1")).isEqualTo(TOO_MANY_REQUESTS);
        assertThat(evict("worker-0")).isEqualTo(TOO_MANY_REQUESTS);
        assertThat(pod("worker-1").getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
        assertThat(pod("worker-1").getMetadata().getDeletionTimestamp()).isNull();

        client.resource(before).delete();

        awaitHealthy(2, 2);
        assertThat(evict("worker-1")).isEqualTo(TOO_MANY_REQUESTS);
        endsAsItsSecondAttempt();
    }

    @Test
    void ofMorePodsThanTheMinimumAsManyAreEvictedAsItDoesNotNeed() throws Exception {
        submit(workers(3, 2));
        awaitHealthy(1, 3);

        assertThat(evict("worker-2")).isEqualTo(CREATED);
        assertThat(evict("worker-1")).isEqualTo(TOO_MANY_REQUESTS);

        awaitHealthy(2, 3);
        endsAsItsSecondAttempt();
    }

    /** Its master has succeeded, and its worker goes on: nobody needs that any more. */
    @Test
    void whatStillRunsOfAnEndedJobIsEvicted() throws Exception {
        submit(
                """
                  framework: pytorch
                  cleanup: None
                  roles:
                  - {name: master, template: {spec: {containers: [%s]}}}
                  - {name: worker, template: {spec: {containers: [%s]}}}
                """
                        .formatted(main(UNTIL_FINISH), main("sleep 600")));
        awaitHealthy(1, 2);
        assertThat(evict("worker-0")).isEqualTo(TOO_MANY_REQUESTS);

        assertThat(end().getPhase()).isEqualTo(Phase.SUCCEEDED);

        assertThat(pod("worker-0").getStatus().getPhase()).isEqualTo("Running");
        await().atMost(PATIENCE).until(() -> evict("worker-0") == CREATED);
    }

    private String workers(int replicas, int least) {
        return """
          gracePeriod: 1s
          gang: {min: %d}
          failure: {settle: 3s, delay: {initial: 1s}}
          roles:
          - {name: worker, replicas: %d, template: {spec: {containers: [%s]}}}
        """
                .formatted(least, replicas, main(UNTIL_FINISH));
    }

    /**
     * @param command may name the file that ends it
     */
    private String main(String command) {
        return "{name: main, image: none, command: [sh, -c, '%s']}"
                .formatted(command.formatted(folder.resolve("finish")));
    }

    private void submit(String spec) {
        var _ =
                requests.submit(
                        Jobs.read(
                                """
                                apiVersion: muster.dev/v1
                                kind: TrainJob
                                metadata: {name: guarded, namespace: %s}
                                spec:
                                  policy: {podDisruptionBudget: true}
                                """
                                                .formatted(namespace)
                                        + spec));
    }

    /** Kubernetes' controller has counted all of the attempt's. */
    private void awaitHealthy(int attempt, int pods) {
        await(pods + " healthy pods of attempt " + attempt)
                .atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(budget())
                                .isNotNull()
                                .satisfies(budget -> {
                                    assertThat(attempt(budget)).isEqualTo(attempt);
                                    var status = budget.getStatus();
                                    assertThat(status.getObservedGeneration())
                                            .isEqualTo(budget.getMetadata().getGeneration());
                                    assertThat(status.getCurrentHealthy()).isEqualTo(pods);
                                }));
    }

    private static int attempt(PodDisruptionBudget budget) {
        return Integer.parseInt(budget.getMetadata().getLabels().get("muster.dev/attempt"));
    }

    private PodDisruptionBudget budget() {
        return client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(namespace)
                .withName("guarded")
                .get();
    }

    private Pod pod(String rank) {
        return client.pods().inNamespace(namespace).withName("guarded-" + rank).get();
    }

    /** What the API server answers who asks as {@code kubectl drain} does. */
    private int evict(String rank) {
        var name = "guarded-" + rank;
        Eviction eviction =
                new EvictionBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .build();
        var path = "/api/v1/namespaces/%s/pods/%s/eviction".formatted(namespace, name);
        try {
            var _ = client.raw(path, "POST", eviction);
            return CREATED;
        } catch (KubernetesClientException e) {
            return e.getCode();
        }
    }

    private void endsAsItsSecondAttempt() throws IOException {
        var end = end();
        assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
        assertThat(end.getAttempt()).isEqualTo(2);
        assertThat(end.getRestarts().getOwn()).isZero();
        assertThat(end.getRestarts().getInfrastructure()).isEqualTo(1);
    }

    private JobStatus end() throws IOException {
        Files.createFile(folder.resolve("finish"));
        return Jobs.end(statuses, namespace, "guarded");
    }

    /** An administrator who takes no for an answer: others ask again when they are refused. */
    private static KubernetesClient impatient() {
        var config = Config.fromKubeconfig(TheSystem.context().kubeconfig().toFile());
        config.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
