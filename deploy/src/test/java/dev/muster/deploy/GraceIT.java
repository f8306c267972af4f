package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.http.Admission;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Programs that do not end when they are told to, for as long as they may, and then less long. */
class GraceIT {
    /** Within less than they were given first. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final long TEN_MINUTES = Duration.ofMinutes(10).toSeconds();

    @TempDir private Path folder;
    private final String namespace = TheSystem.namespace("grace");

    @ParameterizedTest
    @ValueSource(strings = {"suspend", "cancel"})
    void whatHasTenMinutesToEndEndsWhenItIsCancelledWithLess(String first) throws Exception {
        try (var client = TheSystem.administrator();
                var requests = Requests.open(TheSystem.context(), "grace test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            var _ = requests.submit(Jobs.ofOnePod(namespace, "stays", deaf()));
            var program = awaitProgram();
            ask(first, "10m");
            await().atMost(PATIENCE).until(() -> grace(client).equals(Optional.of(TEN_MINUTES)));
            assertThat(program.isAlive()).isTrue();

            ask("cancel", "1s");

            var end = Jobs.end(statuses, namespace, "stays");
            assertThat(end.getPhase()).isEqualTo(Phase.CANCELLED);
            assertThat(program.isAlive()).isFalse();
            assertThat(PodLives.byRank(TheSystem.audit(), namespace).get("stays/worker/0"))
                    .hasSize(1);
        }
    }

    /** The same of a pod that somebody else told to go. */
    @Test
    void whatSomebodyElseGaveTenMinutesHasNoMoreThanItsJob() throws Exception {
        try (var client = TheSystem.administrator();
                var requests = Requests.open(TheSystem.context(), "grace test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            var _ = requests.submit(Jobs.ofOnePod(namespace, "stays", deaf()));
            var program = awaitProgram();
            client.pods()
                    .inNamespace(namespace)
                    .withName("stays-worker-0")
                    .withGracePeriod(TEN_MINUTES)
                    .delete();
            await().atMost(PATIENCE).until(() -> grace(client).equals(Optional.of(TEN_MINUTES)));

            ask("cancel", "1s");

            assertThat(Jobs.end(statuses, namespace, "stays").getPhase())
                    .isEqualTo(Phase.CANCELLED);
            assertThat(program.isAlive()).isFalse();
        }
    }

    /** Of two dollars Kubernetes makes one. */
    private String deaf() {
        var program =
                "trap \"\" TERM; echo $$$$ > %s/pid; while :; do sleep 1; done".formatted(folder);
        return "containers: [{name: main, image: busybox, command: [sh, -c, '%s']}]"
                .formatted(program);
    }

    private ProcessHandle awaitProgram() {
        var file = folder.resolve("pid");
        return await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(
                        () -> ProcessHandle.of(Long.parseLong(Files.readString(file).strip())),
                        Optional::isPresent)
                .orElseThrow();
    }

    private void ask(String verb, String grace) {
        var more = JsonNodeFactory.instance.objectNode().put("gracePeriod", grace);
        var _ = new Admission(TheSystem.context()).change(namespace, "stays", verb, more);
    }

    /** How many seconds the pod has; empty: it is not told to go. */
    private Optional<Long> grace(KubernetesClient client) {
        return Optional.ofNullable(
                        client.pods().inNamespace(namespace).withName("stays-worker-0").get())
                .map(pod -> pod.getMetadata())
                .map(ObjectMeta::getDeletionGracePeriodSeconds);
    }
}
