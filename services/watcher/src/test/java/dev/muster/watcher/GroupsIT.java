package dev.muster.watcher;

import static dev.muster.watcher.RealParts.API;
import static dev.muster.watcher.RealParts.nextNumber;
import static dev.muster.watcher.RealParts.putPool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.kubernetes.Volcano;
import dev.muster.sandbox.process.Progress;
import dev.muster.v1.Backend;
import dev.muster.v1.InboxKind;
import dev.muster.v1.PoolSpec;
import dev.muster.watcher.RealParts.Inbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Groups of Volcano, whose kinds the server has only after a pool asked for them. */
class GroupsIT {
    private static final String INSTALLATION = "grouped";
    private static final String REFUSED =
            """
            apiVersion: scheduling.volcano.sh/v1beta1
            kind: PodGroup
            metadata:
              name: train-a1
              namespace: default
              labels:
                muster.dev/installation: grouped
                muster.dev/job: train
                muster.dev/uid: 3-4711
                muster.dev/pool: %s
                muster.dev/attempt: "1"
            spec: {minMember: 2, queue: default}
            status:
              phase: Pending
              conditions:
              - {type: Unschedulable, status: "True", reason: NotEnoughResources,
                 lastTransitionTime: "2026-01-01T12:00:00Z", message: no room}
            """;

    @Test
    void whatVolcanoSaysOfAGroupIsTold() throws Exception {
        var number = nextNumber();
        var pool = "pool-" + number;
        try (var watcher = Watching.here(INSTALLATION, Watching.LONG);
                var inbox = new Inbox(number)) {
            assertThat(watcher.isRunning()).isTrue();
            putPool(
                    pool,
                    PoolSpec.newBuilder()
                            .setNumber(number)
                            .setNodeSelector(Map.of("pool", pool))
                            .setBackend(Backend.VOLCANO)
                            .build());
            Volcano.addKinds(API, Progress.silent());
            var group =
                    Serialization.unmarshal(
                            REFUSED.formatted(pool), GenericKubernetesResource.class);
            API.resource(Objects.requireNonNull(group)).create();
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() ->
                            assertThat(inbox.read())
                                    .filteredOn(event -> event.getKind() == InboxKind.GROUP_SEEN)
                                    .isNotEmpty());
            var seen =
                    inbox.read().stream()
                            .filter(event -> event.getKind() == InboxKind.GROUP_SEEN)
                            .findFirst()
                            .orElseThrow();
            assertThat(seen.getJob().getName()).isEqualTo("train");
            assertThat(seen.getGroupSeen().getUnschedulable()).isTrue();
            assertThat(seen.getGroupSeen().getReason()).isEqualTo("NotEnoughResources");
        }
    }
}
