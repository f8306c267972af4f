package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.schemas.serde.PythonEnvironment;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Horovod's own horovodrun as the launcher, elastic: what it is told of hosts, and what it starts
 * on them in place of ssh. Its workers have no tensors, for which it would have to be compiled.
 */
@EnabledIfSystemProperty(named = "muster.horovod", matches = "true")
class HorovodrunIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Path FOLDER = Path.of("src", "test", "horovod").toAbsolutePath();

    private final Training training =
            new Training(TheSystem.namespace("horovodrun"), "horovodrun", "launcher");

    @Test
    void horovodrunTakesInWhoComesAndLetsGoWhoLeaves(@TempDir Path folder) throws Exception {
        var finish = folder.resolve("finish");
        try (var requests = Requests.open(TheSystem.context(), "horovodrun test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator()) {
            var _ = requests.submit(Jobs.read(job(finish)));
            awaitLog(client, "rank 0 of 2", "rank 1 of 2");

            training.scale(statuses, "{\"role\":\"worker\",\"out\":1}", 3);
            awaitLog(client, "rank 0 of 3", "rank 1 of 3", "rank 2 of 3");

            // Long enough to fail the test if the agent did not leave by itself.
            training.scale(
                    statuses,
                    "{\"role\":\"worker\",\"names\":[\"worker-1\"],\"drain\":\"10m\"}",
                    2);
            awaitLog(client, "is no longer one of them");

            Files.createFile(finish);
            var end = Jobs.end(statuses, training.namespace(), "horovodrun");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            assertThat(end.getRestarts().getOwn()).isZero();
        }
    }

    private void awaitLog(KubernetesClient client, String... lines) {
        await("the log of horovodrun")
                .atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(training.log(client)).contains(lines));
    }

    private String job(Path finish) {
        var python =
                PythonEnvironment.of(
                        FOLDER.resolve("requirements.txt"),
                        List.of(),
                        Map.of("HOROVOD_SKIP_COMPILE", "1"));
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: horovodrun, namespace: %1$s}
        spec:
          framework: horovod
          elastic: {min: 1, max: 4}
          roles:
          - name: launcher
            template:
              spec:
                containers:
                - name: main
                  image: none
                  env: [{name: FINISH, value: %2$s}]
                  command: [sh, -c]
                  args:
                  - >-
                    PATH=$MUSTER_AGENT:$PATH exec %3$s %4$s/horovodrun.py --network-interfaces lo
                    -np $MUSTER_NP_MIN --min-np $MUSTER_NP_MIN --max-np $MUSTER_NP_MAX
                    --host-discovery-script $MUSTER_HOSTS/discover_hosts.sh %3$s %4$s/worker.py
          - name: worker
            replicas: 2
            elastic: true
            template: {spec: {containers: [{name: main, image: none}]}}
        """
                .formatted(training.namespace(), finish, python, FOLDER);
    }
}
