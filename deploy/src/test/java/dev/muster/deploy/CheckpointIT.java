package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.http.Admission;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.CheckpointStage;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * The checkpoint example on the local node: its processes read in a file that they shall save,
 * save, and say so, before they are stopped.
 */
class CheckpointIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final String namespace = TheSystem.namespace("checkpoint");

    @Test
    void jobThatIsSuspendedGoesOnWithTheStepAfterTheLastOne(@TempDir Path shared) throws Exception {
        var finish = shared.resolve("finish");
        try (var requests = Requests.open(TheSystem.context(), "checkpoint test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            var _ = requests.submit(Jobs.read(yaml(shared, finish)));
            awaitSteps(shared, 20);

            change("suspend");
            awaitStatus(
                    statuses,
                    status -> {
                        assertThat(status.getPhase()).isEqualTo(Phase.SUSPENDED);
                        assertThat(status.getCheckpoint().getStage())
                                .as(status.getCheckpoint().getMessage())
                                .isEqualTo(CheckpointStage.SAVED);
                        assertThat(status.getCheckpoint().getMessage()).startsWith("saved step ");
                    });
            int before = steps(shared, 0);
            assertThat(saved(shared, 0)).isEqualTo(before);

            change("resume");
            awaitSteps(shared, before + 20);
            Files.createFile(finish);
            var end = Jobs.end(statuses, namespace, "checkpoint");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(2);
            noStepIsLost(shared, 0);
            noStepIsLost(shared, 1);
        }
    }

    @Test
    void gangOfFixedSizeSavesAndGoesOnElsewhereWhenItsNodeIsToGo(@TempDir Path shared)
            throws Exception {
        var finish = shared.resolve("finish");
        try (var nodes = OwnNodes.of("saving", List.of("200m", "200m"));
                var requests = Requests.open(TheSystem.context(), "checkpoint test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator()) {
            var example =
                    Training.with(yaml(shared, finish), "      spec:\n", "      spec: &pod\n");
            var _ = requests.submit(Jobs.read(nodes.only(example)));
            awaitSteps(shared, 20);
            var going = nodes.named(nodeOf(client, 0));

            Notices.byTaint(client, going.name());
            awaitStatus(
                    statuses,
                    status -> {
                        assertThat(status.getAttempt()).isEqualTo(2);
                        assertThat(status.getPhase()).isEqualTo(Phase.RUNNING);
                    });
            assertThat(nodeOf(client, 0)).isNotEqualTo(going.name());
            assertThat(nodeOf(client, 1)).isNotEqualTo(going.name());
            going.stop();
            var _ = client.nodes().withName(going.name()).delete();
            awaitSteps(shared, steps(shared, 0) + 20);

            Files.createFile(finish);
            var end = Jobs.end(statuses, namespace, "checkpoint");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(2);
            assertThat(end.getRestarts().getOwn()).isZero();
            assertThat(end.getRestarts().getInfrastructure()).isZero();
            assertThat(end.getCheckpoint().getStage()).isEqualTo(CheckpointStage.SAVED);
            assertThat(end.getCheckpoint().getPurpose()).contains(going.name());
            noStepIsLost(shared, 0);
            noStepIsLost(shared, 1);
        }
        var ranks = PodLives.byRank(TheSystem.audit(), namespace);
        assertThat(ranks.get("checkpoint/worker/0")).hasSize(2);
        assertThat(Invariants.ofRanks(ranks)).isEmpty();
    }

    private String nodeOf(KubernetesClient client, int index) {
        return client.pods()
                .inNamespace(namespace)
                .withName("checkpoint-worker-" + index)
                .get()
                .getSpec()
                .getNodeName();
    }

    /**
     * The example, with its files where the test sees them, which ends when the file is there. It
     * finds admission as it does wherever it is submitted: by the name of its service.
     */
    private String yaml(Path shared, Path finish) throws IOException {
        var example = Files.readString(TheSystem.REPOSITORY.resolve("examples/checkpoint.yaml"));
        assertThat(example)
                .contains("  name: checkpoint\n")
                .contains("env: [{name: WORKERS, value: \"2\"}]");
        var variables =
                "env: [{name: WORKERS, value: \"2\"}, {name: SHARED, value: %s}, {name: FINISH, value: %s}]"
                        .formatted(shared, finish);
        return example.replace(
                        "  name: checkpoint\n",
                        "  name: checkpoint\n  namespace: %s\n".formatted(namespace))
                .replace("env: [{name: WORKERS, value: \"2\"}]", variables);
    }

    private void change(String verb) {
        var _ =
                new Admission(TheSystem.context())
                        .change(
                                namespace,
                                "checkpoint",
                                verb,
                                JsonMapper.shared().createObjectNode());
    }

    private void awaitStatus(JobStatuses statuses, Consumer<JobStatus> fact) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    statuses.news();
                    assertThat(statuses.of(namespace, "checkpoint")).hasValueSatisfying(fact);
                });
    }

    private static void awaitSteps(Path shared, int steps) {
        await("step " + steps)
                .atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> {
                    assertThat(steps(shared, 0)).isGreaterThan(steps);
                    assertThat(steps(shared, 1)).isGreaterThan(steps);
                });
    }

    private static int steps(Path shared, int index) throws IOException {
        return Files.readAllLines(losses(shared, index)).size();
    }

    private static int saved(Path shared, int index) {
        var file = shared.resolve("worker-%d.json".formatted(index));
        return JsonMapper.shared().readTree(file.toFile()).path("step").asInt();
    }

    private static Path losses(Path shared, int index) {
        return shared.resolve("losses-%d.txt".formatted(index));
    }

    /** Over both attempts each once, and in order. */
    private static void noStepIsLost(Path shared, int index) throws IOException {
        var steps =
                Files.readAllLines(losses(shared, index)).stream()
                        .map(line -> Integer.parseInt(line.split(" ", 2)[0]))
                        .toList();
        assertThat(steps)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, steps.size()).boxed().toList());
    }
}
