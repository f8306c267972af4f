package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Gangs of two pods on nodes of which one dies, as the real controllers see it: after 50 s without
 * a sign of life it is not ready. What really lived is read in the API server's audit log.
 */
@Tag("crash")
@Tag("only-in-profile-crash")
class LostNodeIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final String namespace = TheSystem.namespace("lost");
    private final KubernetesClient client = TheSystem.administrator();

    /** How an operator says that a node is surely dead. */
    enum Word {
        OUT_OF_SERVICE {
            @Override
            void about(String node, KubernetesClient client) {
                client.nodes()
                        .withName(node)
                        .edit(known ->
                                new NodeBuilder(known)
                                        .editSpec()
                                        .addNewTaint(
                                                "NoExecute",
                                                "node.kubernetes.io/out-of-service",
                                                null,
                                                "nodeshutdown")
                                        .endSpec()
                                        .build());
            }
        },
        DELETED {
            @Override
            void about(String node, KubernetesClient client) {
                client.nodes().withName(node).delete();
            }
        };

        abstract void about(String node, KubernetesClient client);
    }

    @ParameterizedTest
    @EnumSource
    void jobWaitsAndSaysSoUntilSomebodySaysThatItsNodeIsDead(Word word) {
        try (var nodes = nodes("waits");
                var requests = Requests.open(TheSystem.context(), "lost node test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            var _ = requests.submit(Jobs.read(job("waits", "wait")));
            var lost = killOne(nodes, statuses, "waits");
            awaitWaiting(statuses, "waits", lost);
            assertThat(pods("waits"))
                    .singleElement()
                    .satisfies(pod -> assertThat(pod.getSpec().getNodeName()).isEqualTo(lost));

            word.about(lost, client);
            succeedsElsewhere(statuses, "waits", lost);
        }
    }

    @Test
    void jobThatIsToldToForceWaitsForNobody() {
        try (var nodes = nodes("forces");
                var requests = Requests.open(TheSystem.context(), "lost node test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            var _ = requests.submit(Jobs.read(job("forces", "force")));
            var lost = killOne(nodes, statuses, "forces");
            succeedsElsewhere(statuses, "forces", lost);
        }
    }

    /** One more than its two pods need. */
    private OwnNodes nodes(String name) {
        return OwnNodes.of(namespace + "-" + name, List.of("100m", "100m", "100m"));
    }

    private String job(String name, String policy) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: %1$s, namespace: %2$s}
        spec:
          gracePeriod: 1s
          cleanup: None
          failure: {settle: 1s, delay: {initial: 1s}, nodeLost: {after: 5s, policy: %3$s}}
          roles:
          - name: worker
            replicas: 2
            template:
              spec:
                nodeSelector: {muster.test/only: %2$s-%1$s}
                tolerations: [{key: muster.test/only, value: %2$s-%1$s}]
                containers:
                - name: main
                  image: busybox
                  command: [sh, -c, '[ "$MUSTER_ATTEMPT" = 1 ] && exec sleep 600; sleep 3']
                  resources: {requests: {cpu: 100m}}
        """
                .formatted(name, namespace, policy);
    }

    /** Kills the node of one of its pods, once they run; its name. */
    private String killOne(OwnNodes nodes, JobStatuses statuses, String name) {
        await(name + " runs")
                .atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() ->
                        assertThat(status(statuses, name).getPhase()).isEqualTo(Phase.RUNNING));
        var node = pods(name).getFirst().getSpec().getNodeName();
        var _ = nodes.named(node).process().kill();
        await(node + " is not ready")
                .atMost(PATIENCE)
                .until(() ->
                        client.nodes().withName(node).get().getStatus().getConditions().stream()
                                .anyMatch(condition ->
                                        condition.getType().equals("Ready")
                                                && condition.getStatus().equals("Unknown")));
        return node;
    }

    private void awaitWaiting(JobStatuses statuses, String name, String lost) {
        await(name + " says what it waits for")
                .atMost(PATIENCE)
                .untilAsserted(() -> {
                    var status = status(statuses, name);
                    assertThat(status.getPhase()).isEqualTo(Phase.QUEUED);
                    assertThat(status.getReason()).isEqualTo("NodeLost");
                    assertThat(status.getMessage()).contains(lost);
                    assertThat(status.getAttempt()).isEqualTo(1);
                });
    }

    private void succeedsElsewhere(JobStatuses statuses, String name, String lost) {
        var end = new JobStatus[1];
        await(name + " has ended")
                .atMost(PATIENCE)
                .until(() -> {
                    end[0] = status(statuses, name);
                    return Jobs.ENDS.contains(end[0].getPhase());
                });
        assertThat(end[0].getPhase()).as(end[0].getMessage()).isEqualTo(Phase.SUCCEEDED);
        assertThat(end[0].getAttempt()).isEqualTo(2);
        assertThat(end[0].getRestarts().getInfrastructure()).isEqualTo(1);
        assertThat(end[0].getRestarts().getOwn()).isZero();
        assertThat(pods(name))
                .hasSize(2)
                .noneMatch(pod -> pod.getSpec().getNodeName().equals(lost));
        var ranks = PodLives.byRank(TheSystem.audit(), namespace);
        assertThat(ranks).containsOnlyKeys(name + "/worker/0", name + "/worker/1");
        assertThat(ranks.values())
                .allSatisfy(lives ->
                        assertThat(lives).extracting(PodLives.Life::attempt).containsExactly(1, 2));
        assertThat(Invariants.ofRanks(ranks)).isEmpty();
    }

    private JobStatus status(JobStatuses statuses, String name) {
        statuses.news();
        return statuses.of(namespace, name).orElseThrow();
    }

    private List<Pod> pods(String name) {
        return client.pods()
                .inNamespace(namespace)
                .withLabel("muster.dev/job", name)
                .list()
                .getItems();
    }
}
