package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.sandbox.kubernetes.Kruise;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import dev.muster.v1.RankEvent;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Containers that start again in their pods on the local node: by the kubelet's own rules, and by a
 * played OpenKruise, which ends the containers that it is asked for, or gives up; the later tests
 * add its kind.
 */
@TestMethodOrder(OrderAnnotation.class)
class InPlaceIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private final String namespace = TheSystem.namespace("in-place");

    /** Fails once, and then runs long enough to be seen running again. */
    private static final String ONCE = "[ -e %1$s ] && exec sleep 5; touch %1$s; exit 7";

    @Test
    @Order(1)
    void kubeletStartsTheContainerAgainByTheRuleOfTheJob(@TempDir Path folder) {
        var end = run("rule", worker("rule", ONCE.formatted(folder.resolve("once")), ""));
        isOneRestart(end, 1);
        assertThat(lives("rule/worker/0")).hasSize(1);
    }

    @Test
    @Order(1)
    void kubeletStartsTheContainerAgainByThePolicyOfThePod(@TempDir Path folder) {
        var end = run("policy", onFailure("policy", ONCE.formatted(folder.resolve("once"))));
        isOneRestart(end, 1);
        assertThat(lives("policy/worker/0")).hasSize(1);
    }

    @Test
    @Order(2)
    void whereNothingCanStartItAgainItsPodIsMadeAgain(@TempDir Path folder) {
        var command = ONCE.formatted(folder.resolve("once"));
        var end = run("made", worker("made", command, ", restartPolicy: Never"));
        isOneRestart(end, 1);
        assertThat(lives("made/worker/0")).hasSize(2);
    }

    @Test
    @Order(3)
    void gangStartsAgainInItsPodsWhereKruiseIsServed(@TempDir Path folder) throws Exception {
        try (var client = TheSystem.administrator()) {
            var kruise = new PlayedKruise(client, namespace);
            var added = Instant.now();
            Kruise.addKind(client);
            await().atMost(PATIENCE).until(() -> PlayedKruise.isFound(added));
            var end = run(kruise, folder, _ -> kruise.end(folder.resolve("master.pid")));
            isOneRestart(end, 1);
            assertThat(kruise.asked())
                    .extracting(request -> request.getMetadata().getName())
                    .containsExactly("gang-master-0-3");
        }
        assertThat(lives("gang/master/0")).hasSize(1);
        assertThat(lives("gang/worker/0")).hasSize(1);
    }

    @Test
    @Order(4)
    void gangIsMadeAnewOnceKruiseGivesUp(@TempDir Path folder) throws Exception {
        try (var client = TheSystem.administrator()) {
            var kruise = new PlayedKruise(client, namespace);
            isOneRestart(run(kruise, folder, kruise::giveUp), 2);
        }
        assertThat(lives("gang/master/0")).hasSize(2);
        assertThat(lives("gang/worker/0")).hasSize(2);
        assertThat(Records.of(TheSystem.context(), Topics.JOB_EVENTS))
                .extracting(ConsumerRecord::value)
                .filteredOn(event -> event.getJob().getNamespace().equals(namespace))
                .filteredOn(event -> event.getKind() == JobEventKind.RANK_ENDED)
                .extracting(JobEvent::getRank)
                .filteredOn(ended -> ended.getReason().equals("RestartInPlaceFailed"))
                .extracting(RankEvent::getMessage)
                .containsExactly(
                        "master-0 was to start again in its pod; that was given up: no runtime");
    }

    @AfterAll
    static void removeKind() {
        try (var client = TheSystem.administrator()) {
            Kruise.removeKind(client);
        }
    }

    /** Of two the worker fails; the played OpenKruise has its say of what it is asked for. */
    private JobStatus run(
            PlayedKruise kruise, Path folder, Consumer<GenericKubernetesResource> says) {
        try (var requests = Requests.open(TheSystem.context(), "in-place test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            var _ = requests.submit(Jobs.read(gang(folder)));
            await().atMost(PATIENCE).until(() -> !kruise.asked().isEmpty());
            says.accept(kruise.asked().getFirst());
            return Jobs.end(statuses, namespace, "gang");
        }
    }

    private static void isOneRestart(JobStatus end, int attempt) {
        assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
        assertThat(end.getAttempt()).isEqualTo(attempt);
        assertThat(end.getRestarts().getOwn()).isEqualTo(1);
        assertThat(end.getRestarts().getInfrastructure()).isZero();
    }

    private List<PodLives.Life> lives(String rank) {
        return PodLives.byRank(TheSystem.audit(), namespace).get(rank);
    }

    private JobStatus run(String name, String job) {
        try (var requests = Requests.open(TheSystem.context(), "in-place test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            var _ = requests.submit(Jobs.read(job));
            return Jobs.end(statuses, namespace, name);
        }
    }

    private String worker(String name, String command, String more) {
        return job(name, "[{exitCodes: [7], action: RestartInPlace}]", "Never", command, more);
    }

    private String onFailure(String name, String command) {
        return job(name, "[]", "OnFailure", command, "");
    }

    private String job(String name, String rules, String policy, String command, String more) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: %s, namespace: %s}
        spec:
          failure:
            settle: 1s
            delay: {initial: 1s}
            rules: %s
          roles:
          - name: worker
            template:
              spec:
                restartPolicy: %s
                containers:
                - {name: main, image: busybox, command: [sh, -c, '%s']%s}
        """
                .formatted(name, namespace, rules, policy, command, more);
    }

    /**
     * Both run long enough after they started again to be seen doing so. Of two dollars Kubernetes
     * makes one.
     */
    private String gang(Path folder) {
        var master =
                "echo $$$$ > %1$s/master.pid; [ -e %1$s/failed ] && exec sleep 5; exec sleep 600"
                        .formatted(folder);
        var worker =
                "[ -e %1$s/failed ] && exec sleep 20; until [ -e %1$s/master.pid ]; do sleep 0.2; done; touch %1$s/failed; exit 7"
                        .formatted(folder);
        return PlayedKruise.gang(namespace, master, worker);
    }
}
