package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobPlan;
import dev.muster.v1.Phase;
import dev.muster.v1.PlanKind;
import dev.muster.v1.PlannedPod;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The elastic example on nodes of which one dies without a word, with all that runs there: after 50
 * s the real controllers see that it is not ready.
 */
@Tag("crash")
@Tag("only-in-profile-crash")
class LostWorkersIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Training training =
            new Training(TheSystem.namespace("lost-workers"), "elastic", "master");

    @Test
    void workersOfALostNodeAreReplacedElsewhereByOnePlan(@TempDir Path folder) throws Exception {
        var finish = folder.resolve("finish");
        try (var nodes = OwnNodes.mortal(training.namespace(), List.of("200m", "200m", "200m"));
                var requests = Requests.open(TheSystem.context(), "lost workers test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator();
                var logs = FollowedLogs.of(client, training.namespace())) {
            var _ = requests.submit(Jobs.read(nodes.only(ofThreeWorkers(finish))));
            training.awaitStepWith(client, "worker-0 worker-1 worker-2");
            var before = lastPlan();
            var lost = nodes.named(otherThanOfTheMaster(client));
            var gone = ranks(before, pod -> lost.name().equals(pod.getNode()));
            assertThat(gone).as("two fit on a node").hasSizeBetween(1, 2);

            var _ = lost.process().kill();
            logs.dies(lost);
            training.awaitNextStepWith(client, 3 - gone.size());
            await("workers elsewhere")
                    .atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(pods(client))
                                    .filteredOn(pod -> !lost.name().equals(node(pod)))
                                    .hasSize(4));
            training.awaitNextStepWith(client, 3);
            replacesThem(before, lost.name(), gone);
            client.nodes().withName(lost.name()).delete();
            training.awaitSteps(client, 200);

            Files.createFile(finish);
            var end = Jobs.end(statuses, training.namespace(), "elastic");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            assertThat(end.getRestarts().getOwn()).isZero();
            training.noStepIsLost(client, logs);
        }
        var ranks = PodLives.byRank(TheSystem.audit(), training.namespace());
        assertThat(ranks.get("elastic/master/0")).hasSize(1);
        assertThat(Invariants.ofRanks(ranks)).isEmpty();
    }

    /**
     * One plan takes all of them out, has as many others elsewhere, and no other one changes that.
     */
    private void replacesThem(JobPlan before, String lost, Set<String> gone) {
        var changes =
                plans().stream()
                        .filter(plan -> plan.getVersion() >= before.getVersion())
                        .map(LostWorkersIT::makings)
                        .distinct()
                        .skip(1)
                        .toList();
        assertThat(changes).as("other pods than before").hasSize(1);
        var stay = ranks(before, pod -> !lost.equals(pod.getNode()));
        assertThat(ranks(lastPlan(), _ -> true))
                .hasSize(4)
                .containsAll(stay)
                .doesNotContainAnyElementsOf(gone);
        assertThat(ranks(lastPlan(), pod -> lost.equals(pod.getNode()))).isEmpty();
    }

    /** Which pods a plan has, each with its making and where it is. */
    private static Set<String> makings(JobPlan plan) {
        return plan.getRun().getPods().stream()
                .map(pod ->
                        "%s-%d#%d on %s"
                                .formatted(
                                        pod.getRole(),
                                        pod.getIndex(),
                                        pod.getIncarnation(),
                                        pod.getNode()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> ranks(JobPlan plan, Predicate<PlannedPod> which) {
        return plan.getRun().getPods().stream()
                .filter(which)
                .map(pod -> "%s-%d".formatted(pod.getRole(), pod.getIndex()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private JobPlan lastPlan() {
        return plans().getLast();
    }

    private List<JobPlan> plans() {
        return Records.of(TheSystem.context(), Topics.JOB_PLANS).stream()
                .filter(record -> record.key().startsWith(training.namespace() + "/"))
                .map(ConsumerRecord::value)
                .filter(plan -> plan != null && plan.getKind() == PlanKind.RUN)
                .toList();
    }

    /** With two pods on a node there is one on another than the master's. */
    private String ofThreeWorkers(Path finish) throws IOException {
        var three = Training.with(training.yaml(finish), "    replicas: 2\n", "    replicas: 3\n");
        return Training.with(three, "failure: {", "failure: {nodeLost: {after: 5s}, ");
    }

    private String otherThanOfTheMaster(KubernetesClient client) {
        var ofMaster =
                node(
                        client.pods()
                                .inNamespace(training.namespace())
                                .withName("elastic-master-0")
                                .get());
        return pods(client).stream()
                .map(LostWorkersIT::node)
                .filter(Predicate.not(ofMaster::equals))
                .findFirst()
                .orElseThrow();
    }

    private static String node(Pod pod) {
        return pod.getSpec().getNodeName();
    }

    private List<Pod> pods(KubernetesClient client) {
        return client.pods().inNamespace(training.namespace()).list().getItems();
    }
}
