package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.kubernetes.Kruise;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobPlan;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Containers that start again in their pods, on a server that has OpenKruise's kind and no more.
 */
class RestartsIT {
    private static final Surroundings AROUND = Surroundings.shared();
    private static final Orders JOB = new Orders(Surroundings.NAMESPACE, "restarted", "3-50");

    @BeforeAll
    static void addKind() {
        Kruise.addKind(AROUND.kubernetes());
        await().atMost(Surroundings.SOON)
                .until(() ->
                        AROUND.inbox().stream()
                                .filter(e -> e.getKind() == InboxKind.POD_MANAGER_ALIVE)
                                .anyMatch(e -> e.getPodManagerAlive().getRecreates()));
    }

    @Test
    void eachIncarnationIsAskedForOnceAndThePodStays() {
        AROUND.publish(plan(1, 0));
        AROUND.reports("restarted", 1);
        var pod = AROUND.pod("restarted-worker-0");
        var main = pod.getSpec().getContainers().getFirst();
        assertThat(main.getRestartPolicy()).isEqualTo("Never");
        assertThat(main.getRestartPolicyRules().getFirst().getExitCodes().getValues())
                .containsExactly(42, 137, 143);
        assertThat(requests()).isEmpty();

        AROUND.publish(plan(2, 9));
        AROUND.reports("restarted", 2);
        var request = requests().getFirst();
        assertThat(request.getMetadata().getName()).isEqualTo("restarted-worker-0-9");
        assertThat(request.getMetadata().getOwnerReferences().getFirst().getUid())
                .isEqualTo(pod.getMetadata().getUid());
        Map<String, Object> spec = request.get("spec");
        assertThat(spec)
                .containsEntry("podName", "restarted-worker-0")
                .containsEntry("containers", List.of(Map.of("name", "main")))
                .containsEntry("activeDeadlineSeconds", 150)
                .containsEntry(
                        "strategy",
                        Map.of("failurePolicy", "Fail", "terminationGracePeriodSeconds", 90));

        AROUND.publish(plan(3, 9));
        AROUND.reports("restarted", 3);
        assertThat(requests()).containsExactly(request);
        AROUND.publish(plan(4, 12));
        AROUND.reports("restarted", 4);
        assertThat(requests()).hasSize(2);
        assertThat(AROUND.pod("restarted-worker-0").getMetadata().getUid())
                .isEqualTo(pod.getMetadata().getUid());
    }

    private static JobPlan plan(long version, int inPlace) {
        var plan = JOB.run(1, version, 2);
        plan.getRun().getRoles().getFirst().setRestartCodes(List.of(42));
        plan.getRun().getPods().getFirst().setInPlace(inPlace);
        plan.getRun().setGracePeriodMillis(90_000L);
        return plan;
    }

    private static List<GenericKubernetesResource> requests() {
        return AROUND.kubernetes()
                .genericKubernetesResources(Kruise.REQUESTS)
                .inNamespace(Surroundings.NAMESPACE)
                .withLabel("muster.dev/job", "restarted")
                .list()
                .getItems();
    }
}
