package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The horovod example on local nodes: its launcher finds hosts by the discovery script and reaches
 * them by their agents, while hosts come, go and are killed, and a node is taken away after notice.
 */
class HorovodIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String LAUNCHER = "horovod-launcher-0";
    private static final Pattern AGENT = Pattern.compile("muster agent: is process (\\d+)");

    private final Training training =
            new Training(TheSystem.namespace("horovod"), "horovod", "launcher");

    @Test
    void launcherGoesOnWithTheHostsThatItsListHas(@TempDir Path folder) throws Exception {
        var finish = folder.resolve("finish");
        int moved;
        try (var nodes = OwnNodes.of("horovod", List.of("200m", "200m", "200m"));
                var requests = Requests.open(TheSystem.context(), "horovod test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator()) {
            var yaml = Training.with(training.yaml(finish), "      spec:\n", "      spec: &pod\n");
            var _ = requests.submit(Jobs.read(nodes.only(logging(yaml, folder))));
            training.awaitStepWith(client, "worker-0 worker-1");
            long first = version(client);

            training.scale(statuses, "{\"role\":\"worker\",\"out\":1}", 3);
            training.awaitStepWith(client, "worker-0 worker-1 worker-2");
            assertThat(version(client)).isGreaterThan(first);

            var agent = AGENT.matcher(training.log(client, "horovod-worker-1"));
            assertThat(agent.find()).isTrue();
            Training.kill(agent.group(1));
            training.awaitStepWith(client, "worker-0 worker-2");
            training.awaitStepWith(client, "worker-0 worker-1 worker-2");

            // Long enough to fail the test if the agent did not leave by itself.
            training.scale(
                    statuses,
                    "{\"role\":\"worker\",\"names\":[\"worker-2\"],\"drain\":\"10m\"}",
                    2);
            training.awaitStepWith(client, "worker-0 worker-1");
            assertThat(training.log(client))
                    .as("an agent that dies is 213, a host that leaves has its process end")
                    .contains("worker-1 ended with 213")
                    .contains("worker-2 ended with 0");
            assertThat(hosts(client).lines()).hasSize(2);
            moved = nodeIsTakenAway(nodes, client);

            Files.createFile(finish);
            var end = Jobs.end(statuses, training.namespace(), "horovod");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            training.noStepIsLost(client);
            var launcher = training.log(client).lines().toList();
            assertThat(StepLogs.ofLauncher(launcher, folder).wrong()).isEmpty();
        }
        var ranks = PodLives.byRank(TheSystem.audit(), training.namespace());
        assertThat(ranks.get("horovod/launcher/0")).hasSize(1);
        assertThat(ranks.get("horovod/launcher/0").getFirst().from())
                .isAfter(ranks.get("horovod/worker/1").getFirst().from());
        assertThat(ranks.values().stream().mapToInt(List::size).sum())
                .as("launcher, three workers, one that was killed, and for each that moved another")
                .isEqualTo(5 + moved);
        assertThat(Invariants.ofRanks(ranks)).isEmpty();
        var lists = HostListEvents.of(TheSystem.audit(), training.namespace());
        assertThat(HostLists.wrong(lists)).isEmpty();
    }

    /** Every process of a worker says in a file there what it did. */
    private static String logging(String yaml, Path folder) {
        return Training.with(yaml, "env: [", "env: [{name: LOGS, value: %s}, ".formatted(folder));
    }

    /** One that is not the launcher's, after notice by a condition; how many workers it had. */
    private int nodeIsTakenAway(OwnNodes nodes, KubernetesClient client) {
        var before = pods(client);
        var meeting = node(before.get(LAUNCHER));
        var going =
                before.values().stream()
                        .map(HorovodIT::node)
                        .filter(Predicate.not(meeting::equals))
                        .findFirst()
                        .orElseThrow();
        var leaving = before.values().stream().filter(pod -> node(pod).equals(going)).toList();
        Notices.byCondition(client, going);
        await("workers elsewhere")
                .atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(pods(client).values())
                                .hasSize(3)
                                .noneMatch(pod -> going.equals(node(pod))));
        training.awaitNextStepWith(client, 2);
        nodes.named(going).stop();
        client.nodes().withName(going).delete();
        training.awaitNextStepWith(client, 2);
        assertThat(hosts(client).lines()).hasSize(2);
        return leaving.size();
    }

    /** By name. */
    private Map<String, Pod> pods(KubernetesClient client) {
        return client.pods().inNamespace(training.namespace()).list().getItems().stream()
                .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), Function.identity()));
    }

    private static String node(Pod pod) {
        return pod.getSpec().getNodeName();
    }

    private String hosts(KubernetesClient client) {
        return client.configMaps()
                .inNamespace(training.namespace())
                .withName("horovod-hosts")
                .get()
                .getData()
                .get("hosts");
    }

    /** Of the list, of which the launcher was told. */
    private long version(KubernetesClient client) {
        var pod = client.pods().inNamespace(training.namespace()).withName(LAUNCHER).get();
        return Long.parseLong(pod.getMetadata().getAnnotations().get("muster.dev/hosts"));
    }
}
