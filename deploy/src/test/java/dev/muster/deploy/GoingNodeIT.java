package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The elastic example on nodes of its own, of which one is taken away after notice, as clouds do
 * with spot machines.
 */
class GoingNodeIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Training training =
            new Training(TheSystem.namespace("going"), "elastic", "master");

    @Test
    void workersLeaveANodeBeforeItGoesAndComeElsewhere(@TempDir Path folder) throws Exception {
        var finish = folder.resolve("finish");
        int made;
        try (var nodes = OwnNodes.of("going", List.of("200m", "200m", "200m"));
                var requests = Requests.open(TheSystem.context(), "going node test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator();
                var logs = FollowedLogs.of(client, training.namespace())) {
            var _ = requests.submit(Jobs.read(nodes.only(ofThreeWorkers(finish))));
            training.awaitStepWith(client, "worker-0 worker-1 worker-2");

            var going = nodes.named(otherThanOfTheMaster(client));
            var before = pods(client);
            Notices.byTaint(client, going.name());
            await("workers elsewhere")
                    .atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(pods(client))
                                    .hasSize(4)
                                    .noneMatch(pod -> going.name().equals(node(pod))));
            training.awaitNextStepWith(client, 3);
            var others = before.stream().filter(pod -> !node(pod).equals(going.name())).toList();
            assertThat(others).as("two fit on a node").hasSizeBetween(2, 3);
            assertThat(places(pods(client)))
                    .as("the others stay")
                    .containsAllEntriesOf(places(others));
            going.stop();
            client.nodes().withName(going.name()).delete();
            training.awaitNextStepWith(client, 3);
            training.awaitSteps(client, 200);

            Files.createFile(finish);
            var end = Jobs.end(statuses, training.namespace(), "elastic");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            assertThat(end.getRestarts().getOwn()).isZero();
            assertThat(end.getRestarts().getInfrastructure()).isZero();
            training.noStepIsLost(client, logs);
            made = before.size() + before.size() - others.size();
        }
        var ranks = PodLives.byRank(TheSystem.audit(), training.namespace());
        assertThat(ranks.get("elastic/master/0")).hasSize(1);
        assertThat(Invariants.ofRanks(ranks)).isEmpty();
        assertThat(ranks.values().stream().mapToInt(List::size).sum())
                .as("for each that left another one was made, and no more")
                .isEqualTo(made);
    }

    /** With two pods on a node there is one on another than that which goes, beside the master. */
    private String ofThreeWorkers(Path finish) throws IOException {
        return Training.with(training.yaml(finish), "    replicas: 2\n", "    replicas: 3\n");
    }

    private String otherThanOfTheMaster(KubernetesClient client) {
        var byRole =
                pods(client).stream()
                        .collect(
                                Collectors.groupingBy(
                                        pod -> pod.getMetadata().getName().contains("master")));
        var masters = byRole.getOrDefault(true, List.of()).stream().map(GoingNodeIT::node).toList();
        return byRole.getOrDefault(false, List.of()).stream()
                .map(GoingNodeIT::node)
                .filter(Predicate.not(masters::contains))
                .findFirst()
                .orElseThrow();
    }

    /** By uid, which another pod of that name does not have. */
    private static Map<String, String> places(List<Pod> pods) {
        return pods.stream().collect(Collectors.toMap(GoingNodeIT::uid, GoingNodeIT::node));
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }

    private static String node(Pod pod) {
        return pod.getSpec().getNodeName();
    }

    private List<Pod> pods(KubernetesClient client) {
        return client.pods().inNamespace(training.namespace()).list().getItems();
    }
}
