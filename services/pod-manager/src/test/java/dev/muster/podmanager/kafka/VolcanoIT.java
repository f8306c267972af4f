package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.kubernetes.PretendedNodes;
import dev.muster.sandbox.kubernetes.Volcano;
import dev.muster.sandbox.process.Progress;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Gangs that Volcano's own scheduler binds, to pretended nodes. Building it takes minutes. */
@EnabledIfSystemProperty(named = "muster.volcano", matches = "true")
class VolcanoIT {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final Surroundings AROUND = Surroundings.shared();
    private static final Map<String, String> OURS = Map.of("volcano-it", "yes");

    @BeforeAll
    static void start() {
        Volcano.addKinds(AROUND.kubernetes(), Progress.silent());
        var _ = TestParts.volcano();
    }

    @BeforeEach
    void twoNodes() {
        nodes("first", 2);
    }

    @AfterEach
    void noNodes() {
        AROUND.kubernetes().nodes().withLabels(OURS).delete();
    }

    @Test
    void aGangThatFitsRuns() {
        var job = new Orders(Surroundings.NAMESPACE, "fits", "3-50");
        AROUND.publish(job.bound(1, 1, 4));
        allRun("fits", 4);
        leavesNothing(job, 1, 2);
    }

    @Test
    void ofAGangThatDoesNotFitNoPodIsBoundUntilThereIsRoom() {
        var job = new Orders(Surroundings.NAMESPACE, "toobig", "3-51");
        AROUND.publish(job.bound(1, 1, 5));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(status("toobig"))
                                .contains("Unschedulable", "NotEnoughResources"));
        assertThat(AROUND.pods("toobig")).hasSize(5).noneMatch(VolcanoIT::isBound);
        nodes("second", 1);
        allRun("toobig", 5);
        leavesNothing(job, 1, 2);
    }

    @Test
    void aGangIsMadeAnewUnderAnotherGroup() {
        var job = new Orders(Surroundings.NAMESPACE, "again", "3-52");
        AROUND.publish(job.bound(1, 1, 2));
        allRun("again", 2);
        AROUND.publish(job.unbound(1, 2, false));
        await().atMost(SOON).untilAsserted(() -> assertThat(AROUND.pods("again")).isEmpty());
        AROUND.publish(job.bound(2, 3, 2));
        allRun("again", 2);
        assertThat(GroupsIT.groups("again"))
                .extracting(group -> group.getMetadata().getName())
                .containsExactly("again-a2");
        leavesNothing(job, 2, 4);
    }

    /** A cancelled, and a suspended, job. */
    private static void leavesNothing(Orders job, int attempt, long version) {
        AROUND.publish(job.unbound(attempt, version, false));
        await().atMost(SOON).untilAsserted(() -> assertThat(AROUND.pods(job.name())).isEmpty());
        AROUND.publish(job.unbound(attempt, version + 1, true));
        await().atMost(SOON)
                .untilAsserted(() -> {
                    assertThat(GroupsIT.groups(job.name())).isEmpty();
                    assertThat(AROUND.service(job.name()).get()).isNull();
                });
    }

    private static void allRun(String job, int pods) {
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(AROUND.pods(job))
                                .hasSize(pods)
                                .allMatch(VolcanoIT::isBound)
                                .allMatch(pod -> pod.getStatus().getPhase().equals("Running")));
    }

    private static boolean isBound(Pod pod) {
        return pod.getSpec().getNodeName() != null;
    }

    private static String status(String job) {
        return GroupsIT.groups(job).stream()
                .map(group -> String.valueOf(group.getAdditionalProperties().get("status")))
                .toList()
                .toString();
    }

    /** Of four CPUs each. */
    private static void nodes(String name, int count) {
        PretendedNodes.make(
                AROUND.kubernetes(),
                name,
                count,
                Map.of("cpu", new Quantity("4"), "memory", new Quantity("8Gi")),
                OURS);
    }
}
