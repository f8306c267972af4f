package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
    private static final String NOTICE = "cloud.google.com/impending-node-termination";

    private final Training training =
            new Training(TheSystem.namespace("going"), "elastic", "master");

    @Test
    void workersLeaveANodeBeforeItGoesAndComeElsewhere(@TempDir Path folder) throws Exception {
        var finish = folder.resolve("finish");
        try (var nodes = OwnNodes.of("going", List.of("200m", "200m", "200m"));
                var requests = Requests.open(TheSystem.context(), "going node test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator()) {
            var _ = requests.submit(Jobs.read(nodes.only(training.yaml(finish))));
            training.awaitStepWith(client, "worker-0 worker-1");

            var going = nodes.named(otherThanOfTheMaster(client));
            announce(client, going.name());
            await("workers elsewhere")
                    .atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(pods(client))
                                    .hasSize(3)
                                    .noneMatch(pod ->
                                            pod.getSpec().getNodeName().equals(going.name())));
            going.stop();
            client.nodes().withName(going.name()).delete();
            training.awaitNextStepWith(client, 2);
            training.awaitSteps(client, 200);

            Files.createFile(finish);
            var end = Jobs.end(statuses, training.namespace(), "elastic");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            assertThat(end.getRestarts().getOwn()).isZero();
            assertThat(end.getRestarts().getInfrastructure()).isZero();
            training.noStepIsLost(client);
        }
        var ranks = PodLives.byRank(TheSystem.audit(), training.namespace());
        assertThat(ranks.get("elastic/master/0")).hasSize(1);
        assertThat(Invariants.ofRanks(ranks)).isEmpty();
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

    private static String node(Pod pod) {
        return pod.getSpec().getNodeName();
    }

    private List<Pod> pods(KubernetesClient client) {
        return client.pods().inNamespace(training.namespace()).list().getItems();
    }

    static void announce(KubernetesClient client, String node) {
        client.nodes()
                .withName(node)
                .edit(known ->
                        new NodeBuilder(known)
                                .editSpec()
                                .addNewTaint("NoSchedule", NOTICE, null, "")
                                .endSpec()
                                .build());
    }
}
