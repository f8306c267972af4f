package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The horovod example on the local node: its launcher finds hosts by the discovery script and
 * reaches them by their agents, while hosts come, go and are killed.
 */
class HorovodIT {
    private static final String LAUNCHER = "horovod-launcher-0";
    private static final Pattern AGENT = Pattern.compile("muster agent: is process (\\d+)");

    private final Training training =
            new Training(TheSystem.namespace("horovod"), "horovod", "launcher");

    @Test
    void launcherGoesOnWithTheHostsThatItsListHas(@TempDir Path folder) throws Exception {
        var finish = folder.resolve("finish");
        try (var requests = Requests.open(TheSystem.context(), "horovod test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator()) {
            var _ = requests.submit(Jobs.read(training.yaml(finish)));
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

            Files.createFile(finish);
            var end = Jobs.end(statuses, training.namespace(), "horovod");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            training.noStepIsLost(client);
        }
        var ranks = PodLives.byRank(TheSystem.audit(), training.namespace());
        assertThat(ranks.get("horovod/launcher/0")).hasSize(1);
        assertThat(ranks.get("horovod/launcher/0").getFirst().from())
                .isAfter(ranks.get("horovod/worker/1").getFirst().from());
        assertThat(ranks.get("horovod/worker/0")).hasSize(1);
        assertThat(ranks.get("horovod/worker/1")).hasSize(2);
        assertThat(ranks.get("horovod/worker/2")).hasSize(1);
        assertThat(Invariants.ofRanks(ranks)).isEmpty();
        var lists = HostListEvents.of(TheSystem.audit(), training.namespace());
        assertThat(HostLists.wrong(lists)).isEmpty();
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
