package dev.muster.watcher;

import static dev.muster.watcher.RealParts.API;
import static dev.muster.watcher.RealParts.nextNumber;
import static dev.muster.watcher.RealParts.putPool;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.kubernetes.Kruise;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.PoolSpec;
import dev.muster.watcher.RealParts.Inbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Requests to OpenKruise, whose kind the server has only after a pool said that it does. */
class RestartRequestsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String INSTALLATION = "recreating";
    private static final String ASKED =
            """
            apiVersion: apps.kruise.io/v1alpha1
            kind: ContainerRecreateRequest
            metadata:
              name: train-worker-%1$d-%2$d
              namespace: default
              labels:
                muster.dev/installation: recreating
                muster.dev/job: train
                muster.dev/uid: 3-4711
                muster.dev/pool: %3$s
                muster.dev/role: worker
                muster.dev/index: "%1$d"
                muster.dev/attempt: "1"
                muster.dev/incarnation: "%2$d"
                muster.dev/plan: "5"
              ownerReferences:
              - {apiVersion: v1, kind: Pod, name: train-worker-%1$d, uid: uid-of-%1$d}
            spec: {podName: train-worker-%1$d, containers: [{name: main}]}
            """;

    @Test
    void whatIsGivenUpIsToldAndWhatIsDoneIsNot() throws Exception {
        var number = nextNumber();
        var pool = "pool-" + number;
        try (var watcher = Watching.here(INSTALLATION, Watching.LONG);
                var inbox = new Inbox(number)) {
            assertThat(watcher.isRunning()).isTrue();
            var spec =
                    PoolSpec.newBuilder()
                            .setNumber(number)
                            .setNodeSelector(Map.of("pool", pool))
                            .build();
            putPool(pool, spec, true);
            Kruise.addKind(API);
            ends(ask(0, 7, pool), "Succeeded");
            ends(ask(1, 8, pool), "Failed");
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(failures(inbox)).isNotEmpty());
            ends(ask(0, 9, pool), "Failed");
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(failures(inbox)).hasSize(2));
            assertThat(failures(inbox))
                    .extracting(event -> event.getRestartRequestFailed().getIdentity())
                    .extracting(pod ->
                            pod.getPod() + " " + pod.getPodUid() + " " + pod.getIncarnation())
                    .containsExactly("train-worker-1 uid-of-1 8", "train-worker-0 uid-of-0 9");
            assertThat(failures(inbox))
                    .allMatch(event -> event.getJob().getName().equals("train"))
                    .extracting(event -> event.getRestartRequestFailed().getMessage())
                    .containsOnly("as it went");
        }
    }

    private static List<InboxEvent> failures(Inbox inbox) throws Exception {
        return inbox.read().stream()
                .filter(event -> event.getKind() == InboxKind.RESTART_REQUEST_FAILED)
                .toList();
    }

    /** As soon as the kind is served. */
    private static GenericKubernetesResource ask(int index, int incarnation, String pool) {
        var text = ASKED.formatted(index, incarnation, pool);
        var request = Serialization.unmarshal(text, GenericKubernetesResource.class);
        return await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> API.resource(requireNonNull(request)).create(), Objects::nonNull);
    }

    /** As OpenKruise's daemon says it. */
    private static void ends(GenericKubernetesResource request, String state) {
        var main = Map.of("name", "main", "phase", state, "message", "as it went");
        request.setAdditionalProperty(
                "status", Map.of("phase", "Completed", "containerRecreateStates", List.of(main)));
        API.resource(request).updateStatus();
    }
}
