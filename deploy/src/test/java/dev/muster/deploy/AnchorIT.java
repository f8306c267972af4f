package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a job has belongs to its service: who deletes that deletes all of it. */
class AnchorIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final String namespace = TheSystem.namespace("anchor");

    @Test
    void podsThatAnEndedJobKeepsGoWithItsService() {
        try (var requests = Requests.open(TheSystem.context(), "anchor test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator()) {
            var _ =
                    requests.submit(
                            Jobs.read(
                                    """
                                    apiVersion: muster.dev/v1
                                    kind: TrainJob
                                    metadata: {name: kept, namespace: %s}
                                    spec:
                                      framework: pytorch
                                      cleanup: None
                                      success: {when: AllSucceeded}
                                      roles:
                                      - name: master
                                        template: {spec: {containers: [{name: main, image: none, command: ["true"]}]}}
                                      - name: worker
                                        template: {spec: {containers: [{name: main, image: none, command: ["true"]}]}}
                                    """
                                            .formatted(namespace)));
            var end = Jobs.end(statuses, namespace, "kept");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            var pods = client.pods().inNamespace(namespace);
            assertThat(pods.list().getItems()).hasSize(2);

            var _ = client.services().inNamespace(namespace).withName("kept").delete();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(pods.list().getItems()).isEmpty());
        }
    }
}
