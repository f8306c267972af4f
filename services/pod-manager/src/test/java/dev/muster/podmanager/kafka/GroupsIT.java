package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.kubernetes.Volcano;
import dev.muster.sandbox.process.Progress;
import dev.muster.v1.Backend;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Volcano's groups on a server that has its kinds, and no scheduler. */
class GroupsIT {
    private static final Surroundings AROUND = Surroundings.shared();
    private static final Orders JOB = new Orders(Surroundings.NAMESPACE, "grouped", "3-40");

    @BeforeAll
    static void addKinds() {
        Volcano.addKinds(AROUND.kubernetes(), Progress.silent());
    }

    @Test
    void thePoolHearsThatItsBackendIsServed() {
        AROUND.publishPool("bound", 4, Backend.VOLCANO);
        await().atMost(Surroundings.SOON)
                .untilAsserted(() -> assertThat(backends()).contains(Backend.VOLCANO));
    }

    @Test
    void groupsComeBeforePodsFollowTheirPlanAndGoWithThem() {
        AROUND.publish(JOB.bound(1, 1, 2));
        AROUND.reports("grouped", 1);
        var group = groups("grouped").getFirst();
        assertThat(group.getMetadata().getName()).isEqualTo("grouped-a1");
        assertThat(spec(group)).containsEntry("minMember", 2).containsEntry("queue", "default");
        var pod = AROUND.pod("grouped-worker-0");
        assertThat(pod.getSpec().getSchedulerName()).isEqualTo("volcano");
        assertThat(pod.getMetadata().getAnnotations())
                .containsEntry("scheduling.k8s.io/group-name", "grouped-a1");
        AROUND.publish(JOB.bound(1, 2, 3));
        AROUND.reports("grouped", 2);
        assertThat(spec(groups("grouped").getFirst())).containsEntry("minMember", 3);
        AROUND.publish(JOB.unbound(1, 3, false));
        AROUND.reports("grouped", 3);
        assertThat(groups("grouped")).isEmpty();
    }

    @Test
    void groupThatSomebodyEditedIsThePlansAgain() {
        var job = new Orders(Surroundings.NAMESPACE, "regrouped", "3-40");
        AROUND.publish(job.bound(1, 1, 2));
        AROUND.reports("regrouped", 1);
        AROUND.kubernetes()
                .resource(groups("regrouped").getFirst())
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"minMember\": 1}}");
        AROUND.publish(job.bound(1, 2, 3));
        AROUND.reports("regrouped", 2);
        assertThat(spec(groups("regrouped").getFirst())).containsEntry("minMember", 3);
        assertThat(AROUND.pods("regrouped")).hasSize(3);
    }

    private static List<Backend> backends() {
        return AROUND.inbox().stream()
                .filter(event -> event.getKind() == InboxKind.POD_MANAGER_ALIVE)
                .map(InboxEvent::getPodManagerAlive)
                .flatMap(alive -> alive.getBackends().stream())
                .toList();
    }

    static List<GenericKubernetesResource> groups(String job) {
        return AROUND.kubernetes()
                .genericKubernetesResources("scheduling.volcano.sh/v1beta1", "PodGroup")
                .inNamespace(Surroundings.NAMESPACE)
                .withLabel("muster.dev/job", job)
                .list()
                .getItems();
    }

    private static Map<String, Object> spec(GenericKubernetesResource group) {
        return group.get("spec");
    }
}
