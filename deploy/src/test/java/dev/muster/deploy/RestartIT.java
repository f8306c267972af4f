package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.cli.kubernetes.PodLogs;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gangs that fail on the local node, judged by job-status and the API server's audit log. */
class RestartIT {
    private static final String ATTEMPT_OF_TWO =
            "[ \"$MUSTER_ATTEMPT\" = 1 ] && { sleep 1; echo boom; exit 1; } || sleep 1";

    @Test
    void gangWhoseWorkerFailsOnceSucceedsAsItsSecondAttempt() {
        var namespace = TheSystem.namespace("restart");

        var end = run(namespace, "twice", ATTEMPT_OF_TWO, 3);

        assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
        assertThat(end.getAttempt()).isEqualTo(2);
        assertThat(end.getRestarts().getOwn()).isEqualTo(1);
        assertThat(end.getRestarts().getInfrastructure()).isZero();
        assertThat(phases(namespace, "twice"))
                .containsSubsequence(
                        Phase.RUNNING, Phase.RESTARTING, Phase.STARTING, Phase.SUCCEEDED);
        // Its pod is gone, and with it the log.
        assertThat(lastWords(namespace, "twice")).containsOnly("boom");
        var first = pods(namespace, 1);
        var second = pods(namespace, 2);
        assertThat(first).hasSize(3);
        assertThat(second).hasSize(3);
        var lastGone = first.stream().map(PodLives.Life::gone).max(Instant::compareTo);
        assertThat(second).allMatch(life -> life.from().isAfter(lastGone.orElseThrow()));
    }

    @Test
    void gangThatAlwaysFailsEndsWithTheBudgetNamed() {
        var namespace = TheSystem.namespace("restart");

        var end = run(namespace, "never", "sleep 1; exit 7", 1);

        assertThat(end.getPhase()).isEqualTo(Phase.FAILED);
        assertThat(end.getReason()).isEqualTo("BackoffLimitExceeded");
        assertThat(end.getMessage())
                .startsWith("backoffLimit 1 within 24h is used up; the last failure: worker-")
                .endsWith("exited with 7");
        assertThat(end.getAttempt()).isEqualTo(2);
        assertThat(end.getRestarts().getOwn()).isEqualTo(1);
        assertThat(pods(namespace, 3)).isEmpty();
    }

    @Test
    void podThatARuleRestartsAloneComesBackWithinTheAttempt(@TempDir Path folder) {
        var namespace = TheSystem.namespace("restart");
        var once = folder.resolve("once");
        var job =
                """
                apiVersion: muster.dev/v1
                kind: TrainJob
                metadata: {name: alone, namespace: %s}
                spec:
                  failure:
                    settle: 1s
                    delay: {initial: 1s}
                    rules: [{exitCodes: [7], action: RestartPod}]
                  roles:
                  - name: worker
                    replicas: 2
                    template:
                      spec:
                        containers:
                        - name: main
                          image: busybox
                          command: [sh, -c, '%s']
                """
                        .formatted(
                                namespace,
                                "[ \"$MUSTER_INDEX\" = 0 ] && exec sleep 8;"
                                        + " [ -e %1$s ] || { touch %1$s; exit 7; }"
                                                .formatted(once));

        var end = submitted(job, namespace, "alone");

        assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
        assertThat(end.getAttempt()).isEqualTo(1);
        assertThat(end.getRestarts().getOwn()).isEqualTo(1);
        var ranks = PodLives.byRank(TheSystem.audit(), namespace);
        assertThat(ranks.get("alone/worker/0")).hasSize(1);
        var lives = ranks.get("alone/worker/1");
        assertThat(lives).hasSize(2);
        assertThat(lives.getLast().from()).isAfterOrEqualTo(lives.getFirst().gone());
    }

    @Test
    void whatAContainerPrintedBeforeItWasStartedAgainInItsPodIsRead(@TempDir Path folder) {
        var namespace = TheSystem.namespace("restart");
        var once = folder.resolve("once");
        var job =
                """
                apiVersion: muster.dev/v1
                kind: TrainJob
                metadata: {name: again, namespace: %s}
                spec:
                  failure: {settle: 1s, delay: {initial: 1s}}
                  roles:
                  - name: worker
                    template:
                      spec:
                        restartPolicy: OnFailure
                        containers:
                        - name: main
                          image: busybox
                          command: [sh, -c, '[ -e %2$s ] && exec echo well; touch %2$s; echo boom; exit 7']
                """
                        .formatted(namespace, once);

        var end = submitted(job, namespace, "again");

        assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
        assertThat(printed(namespace, "again", false)).containsExactly("well");
        assertThat(printed(namespace, "again", true)).containsExactly("boom");
    }

    private static List<String> printed(String namespace, String name, boolean previous) {
        var lines = new ArrayList<String>();
        try (var logs = PodLogs.open(TheSystem.context().kubeconfig())) {
            var wanted = new PodLogs.Wanted(namespace, name, null, null, null, previous);
            assertThat(logs.print(wanted, lines::add)).isTrue();
        }
        return lines;
    }

    private static JobStatus run(String namespace, String name, String worker, int backoffLimit) {
        var job =
                """
                apiVersion: muster.dev/v1
                kind: TrainJob
                metadata: {name: %s, namespace: %s}
                spec:
                  framework: pytorch
                  gracePeriod: 1s
                  success: {when: AllSucceeded}
                  failure: {backoffLimit: %d, settle: 1s, delay: {initial: 1s}}
                  roles:
                  - name: master
                    template:
                      spec:
                        containers:
                        - name: main
                          image: busybox
                          command: [sh, -c, '%s']
                  - name: worker
                    replicas: 2
                    template:
                      spec:
                        containers:
                        - name: main
                          image: busybox
                          command: [sh, -c, '%s']
                """
                        .formatted(
                                name,
                                namespace,
                                backoffLimit,
                                "[ \"$MUSTER_ATTEMPT\" = 1 ] && exec sleep 60 || sleep 2",
                                worker);
        return submitted(job, namespace, name);
    }

    private static JobStatus submitted(String job, String namespace, String name) {
        try (var requests = Requests.open(TheSystem.context(), "restart test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            var _ = requests.submit(Jobs.read(job));
            return Jobs.end(statuses, namespace, name);
        }
    }

    private static List<PodLives.Life> pods(String namespace, int attempt) {
        return PodLives.byRank(TheSystem.audit(), namespace).values().stream()
                .flatMap(List::stream)
                .filter(life -> life.attempt() == attempt)
                .toList();
    }

    private static Stream<Phase> phases(String namespace, String name) {
        return events(namespace, name)
                .filter(event -> event.getKind() == JobEventKind.MOVED)
                .map(event -> event.getMoved().getTo());
    }

    /** The last line of what pods that exited with 1 left. */
    private static Stream<String> lastWords(String namespace, String name) {
        return events(namespace, name)
                .filter(event -> event.getKind() == JobEventKind.RANK_ENDED)
                .map(event -> event.getRank())
                .filter(rank -> Integer.valueOf(1).equals(rank.getExitCode()))
                .map(rank -> rank.getMessage().strip())
                .map(message -> message.substring(message.lastIndexOf(' ') + 1));
    }

    private static Stream<JobEvent> events(String namespace, String name) {
        return Records.of(TheSystem.context(), Topics.JOB_EVENTS).stream()
                .map(record -> record.value())
                .filter(event -> event.getJob().getNamespace().equals(namespace))
                .filter(event -> event.getJob().getName().equals(name));
    }
}
