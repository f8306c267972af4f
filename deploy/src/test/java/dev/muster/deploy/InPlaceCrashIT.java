package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.sandbox.kubernetes.Kruise;
import dev.muster.schemas.Topics;
import dev.muster.schemas.crash.CrashPoint;
import dev.muster.v1.InboxKind;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Pod-manager dies when a container is to start again in its pod: the API server has the request,
 * and its answer is not taken in. Beside the matrix, whose cluster has no kind of such requests.
 */
@Isolated
@TriedOnce
@Tag("crash")
class InPlaceCrashIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String namespace = TheSystem.namespace("in-place-crash");

    @Test
    void restartIsAskedForOnceAndCountedOnce(@TempDir Path folder) throws Exception {
        try (var requests = Requests.open(TheSystem.context(), "in-place test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator()) {
            var kruise = new PlayedKruise(client, namespace);
            var added = Instant.now();
            Kruise.addKind(client);
            await().atMost(PATIENCE).until(() -> PlayedKruise.isFound(added));
            var _ = requests.submit(Jobs.read(gang(folder)));
            await().atMost(PATIENCE).until(() -> runs(statuses, 0));

            var victim = TheSystem.running("pod-manager");
            Files.writeString(
                    TheSystem.crashFile("pod-manager"),
                    CrashPoint.POD_MANAGER_CREATED.id() + " 1 " + namespace + "/gang");
            Files.createFile(folder.resolve("fails"));
            assertThat(victim.awaitEnd(PATIENCE)).isTrue();
            var restarted = Instant.now();
            try {
                assertThat(names(kruise)).containsExactly("gang-master-0-3");
            } finally {
                TheSystem.restart("pod-manager"); // Others' tests need it, too.
            }
            await().atMost(PATIENCE).until(() -> isApplied(restarted));
            kruise.end(folder.resolve("master.pid"));
            await().atMost(PATIENCE).until(() -> runs(statuses, 1) && haveStartedAgain(client));

            Files.createFile(folder.resolve("ends"));
            var end = Jobs.end(statuses, namespace, "gang");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            assertThat(end.getRestarts().getOwn()).isEqualTo(1);
            assertThat(end.getRestarts().getInfrastructure()).isZero();
            assertThat(haveStartedAgain(client)).isTrue();
            assertThat(names(kruise)).containsExactly("gang-master-0-3");
        }
        assertThat(Audit.events(TheSystem.audit(), "\"containerrecreaterequests\""))
                .filteredOn(event -> event.at("/objectRef/namespace").asText().equals(namespace))
                .filteredOn(event -> event.at("/verb").asText().equals("create"))
                .hasSize(1);
        assertThat(PodLives.byRank(TheSystem.audit(), namespace).values())
                .hasSize(2)
                .allMatch(lives -> lives.size() == 1);
    }

    @AfterAll
    static void removeKind() {
        try (var client = TheSystem.administrator()) {
            Kruise.removeKind(client);
        }
    }

    private static List<String> names(PlayedKruise kruise) {
        return kruise.asked().stream().map(request -> request.getMetadata().getName()).toList();
    }

    private boolean runs(JobStatuses statuses, int restarts) {
        statuses.news();
        return statuses.of(namespace, "gang")
                .filter(status -> status.getPhase() == Phase.RUNNING)
                .filter(status -> status.getRestarts().getOwn() == restarts)
                .isPresent();
    }

    /** Since then the plan with the request is carried out. */
    private boolean isApplied(Instant since) {
        return Records.of(TheSystem.context(), Topics.INBOX).stream()
                .filter(record -> record.timestamp() >= since.toEpochMilli())
                .map(record -> record.value())
                .filter(event -> event.getKind() == InboxKind.PLAN_APPLIED)
                .anyMatch(event -> event.getJob().getNamespace().equals(namespace));
    }

    private boolean haveStartedAgain(KubernetesClient client) {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .map(pod -> pod.getStatus().getContainerStatuses().getFirst())
                .map(ContainerStatus::getRestartCount)
                .toList()
                .equals(List.of(1, 1));
    }

    /** Of two the worker fails once. Of two dollars Kubernetes makes one. */
    private String gang(Path folder) {
        var waits = "until [ -e %1$s/ends ]; do sleep 0.2; done";
        var master = "echo $$$$ > %1$s/master.pid; " + waits;
        var worker =
                "[ -e %1$s/failed ] || { until [ -e %1$s/fails ]; do sleep 0.2; done;"
                        + " touch %1$s/failed; exit 7; }; "
                        + waits;
        return PlayedKruise.gang(namespace, master.formatted(folder), worker.formatted(folder));
    }
}
